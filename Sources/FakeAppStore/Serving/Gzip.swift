import CZlib

/// *RFC 1952*, by zlib: what a client that says `Accept-Encoding: gzip` is given.
struct Gzip {
  /// zlib refuses one that has moved.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var compressed: [UInt8] = []

  static func compressed(_ data: [UInt8]) -> [UInt8] {
    var gzip = Gzip()
    gzip.append(data)
    return gzip.finish()
  }

  /// An answer without data whose blanks take 160 MiB, in less than a hundredth of that.
  static let bomb: [UInt8] = {
    let block = [UInt8](repeating: blank, count: 1 << 20)
    var gzip = Gzip()
    gzip.append(Array("{".utf8))
    for _ in 0..<160 { gzip.append(block) }
    gzip.append(Array("\"status\":0}".utf8))
    return gzip.finish()
  }()

  static let blank = UInt8(ascii: " ")

  private init() {
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for a gzip header. It fails for want of memory alone.
    let result = deflateInit2_(
      stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib has no memory")
  }

  private mutating func append(_ data: [UInt8]) { deflate(data, Z_NO_FLUSH) }

  private mutating func finish() -> [UInt8] {
    deflate([], Z_FINISH)
    deflateEnd(stream)
    stream.deallocate()
    return compressed
  }

  private mutating func deflate(_ data: [UInt8], _ flush: Int32) {
    data.withUnsafeBufferPointer { input in
      // zlib reads it only, though its field does not say so.
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
