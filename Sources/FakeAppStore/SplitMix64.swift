/// Sebastiano Vigna's SplitMix64 generator, so small (eight bytes) that every subscriber can have its own.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Creates the generator for one purpose (`stream`) of one subscriber.
  package init(seed: UInt64, index: Int, stream: UInt64) {
    let place = Self.mixed(UInt64(truncatingIfNeeded: index) &+ stream &* 0xD6E8_FEB8_6659_FD93)
    state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ place
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Mixes the bits of a number, so that each bit of the input affects all 64 bits of the result.
  package static func mixed(_ number: UInt64) -> UInt64 {
    var z = number
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  mutating func between(_ first: Int64, _ last: Int64) -> Int64 {
    guard last > first else { return first }
    return first + Int64(unit() * Double(last - first + 1))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[Int(between(0, Int64(elements.count - 1)))]
  }

  mutating func pick<Element>(_ elements: [Element], weight: (Element) -> Int) -> Element? {
    let total = elements.reduce(0) { $0 + weight($1) }
    guard total > 0 else { return nil }
    var left = between(0, Int64(total - 1))
    for element in elements {
      left -= Int64(weight(element))
      if left < 0 { return element }
    }
    return elements.last
  }

  /// Returns a random UUID in lower case, as Apple writes it.
  mutating func uuid() -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for byte in 0..<16 {
      if [4, 6, 8, 10].contains(byte) { text.append(UInt8(ascii: "-")) }
      let value = Int(next() & 0xFF)
      let high = byte == 6 ? 4 : byte == 8 ? 8 + (value >> 4) % 4 : value >> 4
      text.append(digits[high])
      text.append(digits[value & 15])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
