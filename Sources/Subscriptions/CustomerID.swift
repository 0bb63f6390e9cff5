/// Customer id for the App Store Server API: any transaction id, an original transaction id or an
/// `appTransactionId`.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension CustomerID {
  /// Whether the id consists of digits that are not all 0. Receipts from Xcode and local tests contain "0".
  public var isCredible: Bool {
    !rawValue.isEmpty && rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && rawValue.utf8.contains { $0 != 0x30 }
  }

  /// Key for a customer without a receipt.
  package func fingerprint(in app: BundleID?) -> String {
    var hash = StableHash()
    hash.add("customer")
    hash.add(rawValue)
    hash.add(app?.rawValue)
    return hash.value.hexadecimal
  }
}
