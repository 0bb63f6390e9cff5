/// What the App Store Server API finds a customer by: the id of any transaction, an original transaction id, or an
/// `appTransactionId`.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension CustomerID {
  /// Apple's ids are digits, but not all zeros: "0" stands in receipts of Xcode and of local tests.
  public var isCredible: Bool {
    !rawValue.isEmpty && rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && rawValue.utf8.contains { $0 != 0x30 }
  }

  /// Under which a customer is kept of whom nothing else is known.
  package func fingerprint(in app: BundleID?) -> String {
    var hash = StableHash()
    hash.add("customer")
    hash.add(rawValue)
    hash.add(app?.rawValue)
    return hash.value.hexadecimal
  }
}
