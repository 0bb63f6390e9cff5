import CZlib

/// Incremental decompressor of gzip (RFC 1952) for large files; several members count as one file.
final class Gunzip {
  // zlib requires that its state does not move in memory.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var input: [UInt8]
  private var place = 0
  private var isBetweenMembers = false
  /// Whether the last output filled its buffer; if so, zlib may have more output without more input.
  private var isRoomFull = false
  private var fault: String?
  private var (taken, given) = (0, 0)

  private static let pieceSize = 1 << 18
  /// Maximum ratio of output to input; Apple's reports reach 30, and deflate allows 1032.
  private static let mostExpansion = 200
  /// Output bytes below which the ratio is not limited.
  private static let smallOutput = 64 << 20

  init(_ beginning: [UInt8]) {
    input = beginning
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16 for a gzip header. The call fails only if memory is exhausted.
    if inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK {
      fault = "it cannot be decompressed, since memory is exhausted"
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Returns the next decompressed bytes, none at the end or after damage; `more` returns compressed bytes.
  func next<Failure: Error>(_ more: () throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
    while fault == nil {
      if place == input.count, isBetweenMembers || !isRoomFull {
        (input, place) = (try more(), 0)
        guard !input.isEmpty else {
          if !isBetweenMembers { fault = "the compressed file is cut off; download it again" }
          break
        }
      }
      let output = inflate()
      if !output.isEmpty { return output }
    }
    return []
  }

  func takeFault() -> String? {
    defer { fault = nil }
    return fault
  }

  private func inflate() -> [UInt8] {
    if isBetweenMembers {
      inflateReset(stream)
      isBetweenMembers = false
    }
    let start = place
    let output = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { room, count in
      input.withUnsafeMutableBufferPointer { bytes in
        stream.pointee.next_in = bytes.baseAddress.map { $0 + place }
        stream.pointee.avail_in = UInt32(bytes.count - place)
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        switch CZlib.inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenMembers = true
        default: fault = "the compressed file is damaged; download it again"
        }
        place = bytes.count - Int(stream.pointee.avail_in)
        count = room.count - Int(stream.pointee.avail_out)
        isRoomFull = stream.pointee.avail_out == 0
      }
    }
    (taken, given) = (taken + place - start, given + output.count)
    if given > Self.smallOutput, given / Self.mostExpansion > taken {
      fault = "it expands to more than \(Self.mostExpansion) times its size, which no report does"
      return []
    }
    return output
  }
}
