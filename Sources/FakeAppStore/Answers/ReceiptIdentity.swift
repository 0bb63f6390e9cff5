import Subscriptions

/// Whose receipt it is, and as of when: what the fake writes where Apple would have signed.
struct ReceiptIdentity: Hashable, Sendable {
  var seed: UInt64
  var index: Int
  var founded: Instant
  /// When the receipt was made; an older one is as good.
  var issued: Instant

  /// Five numbers of eight bytes.
  static let size = 40

  /// The identity followed by a checksum over everything before it and itself.
  func sealed(after content: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    for number in [
      seed, UInt64(index), UInt64(bitPattern: founded.rawValue), UInt64(bitPattern: issued.rawValue),
    ] {
      bytes.append(number)
    }
    bytes.append(Self.checksum(content, bytes[...]))
    return bytes
  }

  /// Nil where the checksum does not fit: somebody altered the receipt.
  init?(sealed bytes: ArraySlice<UInt8>, after content: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let numbers = (0..<5).map { bytes.number(at: bytes.startIndex + 8 * $0) }
    guard numbers[4] == Self.checksum(content, bytes.prefix(32)), let index = Int(exactly: numbers[1]) else {
      return nil
    }
    seed = numbers[0]
    self.index = index
    founded = Instant(milliseconds: Int64(bitPattern: numbers[2]))
    issued = Instant(milliseconds: Int64(bitPattern: numbers[3]))
  }

  init(of subscriber: Subscriber, issued: Instant) {
    seed = subscriber.seed
    index = subscriber.index
    founded = subscriber.founded
    self.issued = issued
  }

  /// After FNV-1a, eight bytes at a time. It guards against accidents, not against forgers.
  private static func checksum(_ content: ArraySlice<UInt8>, _ identity: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in [content, identity] {
      part.withUnsafeBytes { bytes in
        let words = bytes.count / 8
        for word in 0..<words {
          hash = (hash ^ bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) &* 0x100_0000_01B3
          hash ^= hash >> 29
        }
        for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
    }
    return SplitMix64.mixed(hash)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func number(at start: Int) -> UInt64 {
    self[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
