/// The names of the members of one object, to find one that comes twice.
struct MemberNames {
  /// Those of `WireName`, one bit each.
  private var known: UInt128 = 0
  private var few: [ArraySlice<UInt8>] = []
  private var many: Set<ArraySlice<UInt8>> = []

  /// So many are looked through faster than they are hashed.
  private static let fewest = 16

  /// - Parameter known: what it is, where it is known.
  /// - Returns: false where it was there before.
  mutating func insert(_ name: ArraySlice<UInt8>, _ known: WireName?) -> Bool {
    if let known {
      let bit = UInt128(1) << UInt128(known.rawValue)
      defer { self.known |= bit }
      return self.known & bit == 0
    }
    if few.count < Self.fewest {
      guard !few.contains(where: { $0.count == name.count && $0.elementsEqual(name) }) else { return false }
      few.append(name)
      return true
    }
    return !few.contains(where: { $0.elementsEqual(name) }) && many.insert(name).inserted
  }
}
