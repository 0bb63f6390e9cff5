/// *RFC 1951*: one block of the fixed code, with every repetition that a table of the last positions finds.
///
/// Half as good as zlib, and enough to show that a client can read it; a bomb of blanks needs no more.
struct Deflate {
  private(set) var bytes: [UInt8] = []
  private var waiting: UInt64 = 0
  private var waitingCount: UInt64 = 0

  private static let longest = 258
  private static let farthest = 32_768

  /// The first length and the extra bits of the symbols from 257, and likewise of the distances.
  private static let lengths = ranges(from: 3, extra: [0, 0, 0, 0, 0, 0, 0, 0] + fourEach(1...5))
  private static let distances = ranges(from: 1, extra: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] })

  private static func fourEach(_ extra: ClosedRange<UInt64>) -> [UInt64] {
    extra.flatMap { [UInt64](repeating: $0, count: 4) }
  }

  private static func ranges(from first: Int, extra: [UInt64]) -> [(first: Int, extra: UInt64)] {
    var next = first
    return extra.map { extra in
      defer { next += 1 << extra }
      return (next, extra)
    }
  }

  init() { bits(0b011, count: 3) }

  mutating func append(_ data: [UInt8]) {
    var last = [Int](repeating: -Self.farthest, count: 1 << 14)
    var place = 0
    while place < data.count {
      guard place + 4 <= data.count else {
        literal(data[place])
        place += 1
        continue
      }
      let head =
        UInt32(data[place]) | UInt32(data[place + 1]) << 8 | UInt32(data[place + 2]) << 16
        | UInt32(data[place + 3]) << 24
      let slot = Int((head &* 2_654_435_761) >> 18)
      let earlier = last[slot]
      last[slot] = place
      var length = 0
      if earlier >= 0, place - earlier < Self.farthest {
        let most = min(Self.longest, data.count - place)
        while length < most, data[earlier + length] == data[place + length] { length += 1 }
      }
      if length >= 4 {
        repetition(length: length, distance: place - earlier)
        place += length
      } else {
        literal(data[place])
        place += 1
      }
    }
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

  mutating func finish() {
    symbol(256)
    bits(0, count: (8 - waitingCount % 8) % 8)
  }

  private mutating func literal(_ byte: UInt8) { symbol(Int(byte)) }

  private mutating func repetition(length: Int, distance: Int) {
    // 258 has a symbol of its own, the last.
    if length == Self.longest {
      symbol(285)
    } else {
      let index = (Self.lengths.firstIndex { $0.first > length } ?? Self.lengths.count) - 1
      symbol(257 + index)
      bits(UInt64(length - Self.lengths[index].first), count: Self.lengths[index].extra)
    }
    let index = (Self.distances.firstIndex { $0.first > distance } ?? Self.distances.count) - 1
    code(UInt64(index), count: 5)
    bits(UInt64(distance - Self.distances[index].first), count: Self.distances[index].extra)
  }

  private mutating func symbol(_ symbol: Int) {
    switch symbol {
    case 0..<144: code(UInt64(0x30 + symbol), count: 8)
    case 144..<256: code(UInt64(0x190 + symbol - 144), count: 9)
    case 256..<280: code(UInt64(symbol - 256), count: 7)
    default: code(UInt64(0xC0 + symbol - 280), count: 8)
    }
  }

  /// Huffman codes go out from their highest bit, everything else from its lowest.
  private mutating func code(_ code: UInt64, count: UInt64) {
    var reversed: UInt64 = 0
    for place in 0..<count { reversed |= (code >> place & 1) << (count - 1 - place) }
    bits(reversed, count: count)
  }

  private mutating func bits(_ value: UInt64, count: UInt64) {
    waiting |= value << waitingCount
    waitingCount += count
    while waitingCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: waiting))
      waiting >>= 8
      waitingCount -= 8
    }
  }
}
