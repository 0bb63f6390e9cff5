/// Customer id for the Server API: a transaction id, an original transaction id or an `appTransactionId`.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Whether the id has only digits and is not 0; receipts from Xcode and local tests have the id 0.
  public var isCredible: Bool {
    !rawValue.isEmpty && rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && rawValue.utf8.contains { $0 != 0x30 }
  }

  /// Returns the key that detects a repeated import of this id, like `ReceiptData.fingerprint` for receipts.
  package func fingerprint(in app: BundleID?) -> String {
    var hash = StableHash()
    hash.add("customer")
    hash.add(rawValue)
    hash.add(app?.rawValue)
    return hash.value.hexadecimal
  }
}

/// Rule for Apple's ids of transactions, orders, subscription groups and accounts in files and signed data.
package enum AppleIDRule {
  package static let foreign = "is not an App Store id, which has only digits and is not 0"

  /// Returns what is wrong with an id, as a phrase; `nil` for digits, ASCII letters and `-._` (test data).
  package static func fault(of id: String) -> String? {
    if !id.isEmpty, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return nil }
    if BlankValue.isBlank(id) { return "is blank" }
    if let unseen = BlankValue.unseen(in: id) { return unseen }
    if isRounded(id) { return "was rounded by a spreadsheet; import the file as it was before" }
    let isPlain = id.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || isDigit($0) || "-._".unicodeScalars.contains($0))
    }
    return isPlain && id.first != "-" ? nil : foreign
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Whether the id looks rounded by a spreadsheet, such as `2.00000E+15`; ids have 15 or more digits.
  private static func isRounded(_ id: String) -> Bool {
    let scalars = id.unicodeScalars
    let mantissa = scalars.prefix { $0 != "e" && $0 != "E" }
    let exponent = scalars.dropFirst(mantissa.count + 1)
    return (mantissa.count < scalars.count || mantissa.contains("."))
      && mantissa.first.map(isDigit) == true
      && mantissa.allSatisfy { isDigit($0) || $0 == "." || $0 == "," }
      && exponent.allSatisfy { isDigit($0) || $0 == "+" || $0 == "-" }
  }
}
