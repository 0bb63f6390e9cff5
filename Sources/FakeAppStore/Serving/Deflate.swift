/// *RFC 1951*: one block of the fixed code, with every repetition that a table of the last positions finds.
///
/// Half as good as zlib, and enough to show that a client can read it; a bomb of blanks needs no more.
struct Deflate {
  /// Whole words so far; bytes take several times as long to append.
  private var words: [UInt32] = []
  private var waiting: UInt64 = 0
  private var waitingCount: UInt64 = 0
  private let symbols = Self.symbols
  private let lengths = Self.lengths
  private let distances = Self.distances

  private static let longest = 258
  private static let farthest = 32_768
  private static let endOfBlock = 256

  /// - Parameter size: bytes that there may be room for at once.
  init(reserving size: Int = 0) {
    words.reserveCapacity(size / 4)
    put(Code(bits: 0b011, count: 3))
  }

  mutating func append(_ data: [UInt8]) {
    data.withUnsafeBytes { data in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1 << 12) { last in
        last.initialize(repeating: -1)
        append(data, last)
      }
    }
  }

  /// - Parameter last: where a group of four bytes was last seen, by its hash.
  private mutating func append(_ data: UnsafeRawBufferPointer, _ last: UnsafeMutableBufferPointer<Int32>) {
    var place = 0
    while place + 4 <= data.count {
      let head = data.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      let slot = Int((head &* 2_654_435_761) >> 20)
      let earlier = Int(last[slot])
      last[slot] = Int32(truncatingIfNeeded: place)
      let isNear = earlier >= 0 && place - earlier < Self.farthest
      let length = isNear ? Self.repeated(data, from: earlier, at: place) : 0
      if length >= 4 {
        repetition(length: length, distance: place - earlier)
        place += length
      } else {
        literal(data[place])
        place += 1
      }
    }
    for byte in data[place...] { literal(byte) }
  }

  private static func repeated(_ data: UnsafeRawBufferPointer, from earlier: Int, at place: Int) -> Int {
    let most = min(longest, data.count - place)
    var length = 0
    while length + 8 <= most {
      let difference =
        data.loadUnaligned(fromByteOffset: earlier + length, as: UInt64.self).littleEndian
        ^ data.loadUnaligned(fromByteOffset: place + length, as: UInt64.self).littleEndian
      guard difference == 0 else { return length + difference.trailingZeroBitCount / 8 }
      length += 8
    }
    while length < most, data[earlier + length] == data[place + length] { length += 1 }
    return length
  }

  /// One byte, many times.
  mutating func append(_ byte: UInt8, count: Int) {
    guard count > 0 else { return }
    literal(byte)
    var left = count - 1
    while left >= 3 {
      // Never leaves one or two, for which there is no repetition.
      let length = left - Self.longest < 3 && left > Self.longest ? Self.longest - 3 : min(left, Self.longest)
      repetition(length: length, distance: 1)
      left -= length
    }
    for _ in 0..<left { literal(byte) }
  }

  /// Ends the block, and gives everything.
  mutating func finish() -> [UInt8] {
    put(symbols[Self.endOfBlock])
    let rest = Int(waitingCount + 7) / 8
    return words.withUnsafeBytes { words in
      withUnsafeBytes(of: waiting.littleEndian) { waiting in Array(words) + waiting[..<rest] }
    }
  }

  private mutating func literal(_ byte: UInt8) { put(symbols[Int(byte)]) }

  private mutating func repetition(length: Int, distance: Int) {
    put(lengths[length])
    let place = distance - 1
    guard place >= 4 else { return put(distances[place]) }
    let extra = Int.bitWidth - 2 - place.leadingZeroBitCount
    put(distances[2 * extra + place >> extra])
    put(Code(bits: UInt64(place & (1 << extra - 1)), count: UInt64(extra)))
  }

  private mutating func put(_ code: Code) {
    waiting |= code.bits << waitingCount
    waitingCount += code.count
    guard waitingCount >= 32 else { return }
    words.append(UInt32(truncatingIfNeeded: waiting).littleEndian)
    waiting >>= 32
    waitingCount -= 32
  }
}

extension Deflate {
  /// As it goes out: Huffman codes from their highest bit, everything else from its lowest.
  private struct Code {
    var bits: UInt64
    var count: UInt64

    init(bits: UInt64, count: UInt64) {
      self.bits = bits
      self.count = count
    }

    init(huffman code: UInt64, count: UInt64) {
      let reversed = (0..<count).reduce(0) { $0 | (code >> $1 & 1) << (count - 1 - $1) }
      self.init(bits: reversed, count: count)
    }
  }

  private static let symbols = (0..<286).map { (symbol: UInt64) in
    switch symbol {
    case 0..<144: Code(huffman: 0x30 + symbol, count: 8)
    case 144..<256: Code(huffman: 0x190 + symbol - 144, count: 9)
    case 256..<280: Code(huffman: symbol - 256, count: 7)
    default: Code(huffman: 0xC0 + symbol - 280, count: 8)
    }
  }

  /// By length, with the extra bits. 258 has a symbol of its own, the last.
  private static let lengths = (0...longest).map { length in
    guard length >= 3 else { return Code(bits: 0, count: 0) }
    guard length < longest else { return symbols[285] }
    let place = length - 3
    guard place >= 8 else { return symbols[257 + place] }
    let extra = Int.bitWidth - 3 - place.leadingZeroBitCount
    let symbol = symbols[257 + 4 * extra + place >> extra]
    let bits = symbol.bits | UInt64(place & (1 << extra - 1)) << symbol.count
    return Code(bits: bits, count: symbol.count + UInt64(extra))
  }

  private static let distances = (0..<30).map { Code(huffman: $0, count: 5) }
}
