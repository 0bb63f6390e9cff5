/// *RFC 1952*: what a client that says `Accept-Encoding: gzip` is given.
enum Gzip {
  static func compressed(_ data: [UInt8]) -> [UInt8] {
    var deflate = Deflate(reserving: data.count / 2)
    deflate.append(data)
    return member(deflate.finish(), checksum: ~checksum(data, after: ~0), size: data.count)
  }

  /// An answer without data whose blanks take 160 MiB, in less than a hundredth of that.
  static let bomb: [UInt8] = {
    let (head, tail) = (Array("{".utf8), Array("\"status\":0}".utf8))
    let blanks = 160 << 20
    var deflate = Deflate()
    deflate.append(head)
    deflate.append(blank, count: blanks)
    deflate.append(tail)
    var sum = checksum(head, after: ~0)
    let block = [UInt8](repeating: blank, count: 1 << 20)
    for _ in 0..<blanks / block.count { sum = checksum(block, after: sum) }
    return member(
      deflate.finish(), checksum: ~checksum(tail, after: sum), size: head.count + blanks + tail.count)
  }()

  static let blank = UInt8(ascii: " ")

  private static func member(_ content: [UInt8], checksum: UInt32, size: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    bytes += content
    for number in [checksum, UInt32(truncatingIfNeeded: size)] {
      for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return bytes
  }

  // MARK: CRC-32

  /// What each byte comes to when so many more follow it, 256 bytes for each number from 0 to 7.
  private static let table: [UInt32] = {
    var table = (0..<256).map { (byte: UInt32) -> UInt32 in
      (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    for place in 256..<2048 {
      let sum = table[place - 256]
      table.append(table[Int(sum & 0xFF)] ^ (sum >> 8))
    }
    return table
  }()

  /// Eight bytes at a time, none of which waits for the one before it.
  private static func checksum(_ data: [UInt8], after start: UInt32) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      data.withUnsafeBytes { data in
        var sum = start
        var place = 0
        while place + 8 <= data.count {
          let word = data.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian ^ UInt64(sum)
          sum = 0
          for byte in 0..<8 { sum ^= table[256 * (7 - byte) + Int(word >> UInt64(8 * byte) & 0xFF)] }
          place += 8
        }
        for byte in data[place...] { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return sum
      }
    }
  }
}
