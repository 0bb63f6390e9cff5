import HummingbirdCore
import NIOCore

/// Sends the right answer in a wrong way.
struct Delivery: Sendable {
  let answer: [UInt8]
  let channel: any Channel
  let settings: FaultSettings
  let waiting: HeldConnections

  func response(_ fault: TransportFault, _ random: inout SplitMix64) async throws -> Response {
    switch fault {
    case .reset: return try await reset()
    case .resetMidBody: return halved { $0.slam() }
    case .cut: return halved { $0.close(promise: nil) }
    case .stall: return try await stalled(after: random.pick([nil, 0, answer.count / 2]) ?? nil)
    case .drip: return dripping()
    case .chunked: return chunked(&random)
    case .gigantic: return gigantic(isAnnounced: false)
    case .giganticAnnounced: return gigantic(isAnnounced: true)
    case .gzipBomb: return .json(Gzip.bomb, encoding: "gzip")
    case .slow: return .json(answer)
    }
  }

  /// Whoever waits sees the connection close before the first byte.
  private func reset() async throws -> Response {
    try? await channel.close()
    throw CancellationError()
  }

  private func halved(_ end: @escaping @Sendable (any Channel) -> Void) -> Response {
    .json(length: answer.count) { [answer, channel] writer in
      try await writer.write(ByteBuffer(bytes: answer.firstHalf))
      end(channel)
      throw CancellationError()
    }
  }

  /// - Parameter count: bytes of the body that come; nil where not even the head does.
  private func stalled(after count: Int?) async throws -> Response {
    guard let count else {
      await stay()
      throw CancellationError()
    }
    return .json(length: answer.count) { writer in
      if count > 0 { try await writer.write(ByteBuffer(bytes: answer.prefix(count))) }
      await stay()
      throw CancellationError()
    }
  }

  private func stay() async {
    await waiting.hold(channel) { await channel.waitForDeparture(atMost: settings.patience) }
  }

  private func dripping() -> Response {
    .json(length: answer.count) { writer in
      try await waiting.hold(channel) {
        var left = settings.patience
        for byte in answer {
          try await writer.write(ByteBuffer(bytes: [byte]))
          try await Task.sleep(for: .milliseconds(settings.dripInterval))
          left -= settings.dripInterval
          if left < 0 {
            channel.slam()
            throw CancellationError()
          }
        }
      }
      try await writer.finish(nil)
    }
  }

  private func chunked(_ random: inout SplitMix64) -> Response {
    var (rest, chunks) = (answer[...], [ByteBuffer]())
    while !rest.isEmpty {
      let size = Int(random.between(1, 7))
      chunks.append(ByteBuffer(bytes: rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return .json(length: nil) { [chunks] writer in
      try await writer.write(contentsOf: chunks)
      try await writer.finish(nil)
    }
  }

  private func gigantic(isAnnounced: Bool) -> Response {
    .json(length: isAnnounced ? answer.count + settings.giganticSize : nil) { writer in
      let blanks = ByteBuffer(repeating: Gzip.blank, count: 1 << 16)
      try await writer.write(ByteBuffer(bytes: answer.prefix(1)))
      try await waiting.hold(channel) {
        var left = settings.giganticSize
        while left > 0 {
          try await writer.write(blanks.getSlice(at: 0, length: min(left, blanks.readableBytes)) ?? blanks)
          left -= blanks.readableBytes
        }
      }
      try await writer.write(ByteBuffer(bytes: answer.dropFirst()))
      try await writer.finish(nil)
    }
  }
}
