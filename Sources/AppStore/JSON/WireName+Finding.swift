extension WireName {
  /// The name that these bytes are.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bucket = Self.buckets[Self.bucket(of: bytes)]
    for name in bucket where name.isSpelt(bytes) {
      self = name
      return
    }
    return nil
  }

  private func isSpelt(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard text.utf8CodeUnitCount == bytes.count else { return false }
    return text.withUTF8Buffer { $0.elementsEqual(bytes) }
  }

  private static let buckets: [[WireName]] = allCases.reduce(into: .init(repeating: [], count: 256)) {
    $0[bucket(of: $1.text.withUTF8Buffer { Array($0)[...] })].append($1)
  }

  /// Tells apart what Apple's names differ in: their length, how they begin, their middle and their end.
  private static func bucket(of bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    let middle = bytes[bytes.startIndex + bytes.count / 2]
    return (bytes.count &* 37 &+ Int(first) &* 5 &+ Int(middle) &* 11 &+ Int(last) &* 3) & 255
  }
}
