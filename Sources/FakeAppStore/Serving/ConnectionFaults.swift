import CZlib
import Glibc
import HTTPServer
import NIOCore
import NIOHTTP1

extension HTTPResponse {
  /// Returns the answer with a fault of the connection; `nil` to close the connection without an answer.
  func failing(
    with fault: Fault, on channel: any Channel, _ settings: FaultSettings, _ random: inout SplitMix64
  ) async throws -> HTTPResponse? {
    let answer = bytes
    var response = self
    switch fault {
    case .reset: return nil
    case .cut:
      response.body = .stream(length: answer.count) { write in
        try await write(ByteBuffer(bytes: answer.firstHalf))
        channel.close(promise: nil)
        throw CancellationError()
      }
    case .stall:
      // `nil` sends nothing, not even headers.
      guard let count = random.pick([nil, 0, answer.count / 2]) ?? nil else {
        await channel.stay(settings.patience)
        return nil
      }
      response.body = .stream(length: answer.count) { write in
        if count > 0 { try await write(ByteBuffer(bytes: answer.prefix(count))) }
        await channel.stay(settings.patience)
        throw CancellationError()
      }
    case .drip:
      response.body = .stream(length: answer.count) { write in
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
    case .gigantic where random.chance(0.5):
      response.body = .stream(length: nil) { write in
        let blanks = ByteBuffer(repeating: Gzip.blank, count: 1 << 16)
        try await write(ByteBuffer(bytes: answer.prefix(1)))
        for _ in 0..<settings.giganticSize >> 16 { try await write(blanks) }
        try await write(ByteBuffer(bytes: answer.dropFirst()))
      }
    case .gigantic:
      response.body = .bytes(Gzip.bomb)
      response.headers.add(name: "Content-Encoding", value: "gzip")
    default: break
    }
    return response
  }
}

extension Channel {
  func reset() {
    _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    close(promise: nil)
  }

  /// Waits until the client disconnects, but resets the connection after `patience` milliseconds.
  fileprivate func stay(_ patience: Int64) async {
    let limit = eventLoop.scheduleTask(in: .milliseconds(patience)) { self.reset() }
    try? await closeFuture.get()
    limit.cancel()
  }
}

/// Compressor for *RFC 1952* (gzip), using zlib.
enum Gzip {
  static func compressed(_ pieces: some Sequence<[UInt8]>) -> [UInt8] {
    // zlib requires that its state does not move in memory.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer {
      deflateEnd(stream)
      stream.deallocate()
    }
    // 15 bits of window, plus 16 for a gzip header. It fails only if memory is exhausted.
    let result = deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib has no memory")
    var compressed: [UInt8] = []
    for piece in pieces { deflate(piece, Z_NO_FLUSH, stream, &compressed) }
    deflate([], Z_FINISH, stream, &compressed)
    return compressed
  }

  /// Compressed answer that expands to 160 MiB of blanks, over a hundred times its size.
  static let bomb: [UInt8] = {
    let blanks = Array(repeating: [UInt8](repeating: blank, count: 1 << 20), count: 160)
    return compressed([Array("{".utf8)] + blanks + [Array("\"status\":0}".utf8)])
  }()

  static let blank = UInt8(ascii: " ")

  private static func deflate(
    _ data: [UInt8], _ flush: Int32, _ stream: UnsafeMutablePointer<z_stream>, _ compressed: inout [UInt8]
  ) {
    data.withUnsafeBufferPointer { input in
      // zlib only reads the input, although the field is mutable.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { room in
        repeat {
          stream.pointee.next_out = room.baseAddress
          stream.pointee.avail_out = UInt32(room.count)
          CZlib.deflate(stream, flush)
          compressed += room.prefix(room.count - Int(stream.pointee.avail_out))
        } while stream.pointee.avail_out == 0
      }
    }
  }
}
