import Glibc
import HTTPServer
import NIOCore

/// Sends the right answer in a wrong way.
struct Delivery: Sendable {
  let answer: [UInt8]
  let channel: any Channel
  let settings: FaultSettings

  /// Returns the response; `nil` closes the connection without one.
  func response(_ fault: Fault?, _ random: inout SplitMix64) async throws -> HTTPResponse? {
    switch fault {
    case .reset: nil
    case .cut: halved()
    case .stall: try await stalled(after: random.pick([nil, 0, answer.count / 2]) ?? nil)
    case .drip: dripping()
    case .gigantic: random.chance(0.5) ? gigantic() : .json(Gzip.bomb, encoding: "gzip")
    default: .json(answer)
    }
  }

  private func halved() -> HTTPResponse {
    .json(length: answer.count) { [answer, channel] write in
      try await write(ByteBuffer(bytes: answer.firstHalf))
      channel.close(promise: nil)
      throw CancellationError()
    }
  }

  /// - Parameter count: bytes of the body that are sent; `nil` sends not even the head.
  private func stalled(after count: Int?) async throws -> HTTPResponse? {
    guard let count else {
      await stay()
      return nil
    }
    return .json(length: answer.count) { write in
      if count > 0 { try await write(ByteBuffer(bytes: answer.prefix(count))) }
      await stay()
      throw CancellationError()
    }
  }

  /// Returns when the client has gone, at the latest after `settings.patience`.
  private func stay() async {
    let limit = channel.eventLoop.scheduleTask(in: .milliseconds(settings.patience)) { channel.reset() }
    try? await channel.closeFuture.get()
    limit.cancel()
  }

  private func dripping() -> HTTPResponse {
    .json(length: answer.count) { write in
      var left = settings.patience
      for byte in answer {
        try await write(ByteBuffer(bytes: [byte]))
        try await Task.sleep(for: .milliseconds(settings.dripInterval))
        left -= settings.dripInterval
        if left < 0 {
          channel.reset()
          throw CancellationError()
        }
      }
    }
  }

  private func gigantic() -> HTTPResponse {
    .json(length: nil) { write in
      let blanks = ByteBuffer(repeating: Gzip.blank, count: 1 << 16)
      try await write(ByteBuffer(bytes: answer.prefix(1)))
      var left = settings.giganticSize
      while left > 0 {
        try await write(blanks.getSlice(at: 0, length: min(left, blanks.readableBytes)) ?? blanks)
        left -= blanks.readableBytes
      }
      try await write(ByteBuffer(bytes: answer.dropFirst()))
    }
  }
}

extension Channel {
  /// Closes the connection with a TCP reset.
  func reset() {
    _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    close(promise: nil)
  }
}
