import FoundationEssentials
import Subscriptions

/// A receipt as the fake hands it out: an unsigned look-alike of Apple's PKCS#7 container, which carries who it belongs to.
///
/// An iOS 6 style one is the old property list instead.
enum FakeReceipt {
  enum Problem: Error {
    /// 21002.
    case malformed
    /// 21003.
    case notAuthentic
  }

  /// Where Apple's signature of 256 bytes would end the container, the identity does.
  static let signatureSize = 256

  static func decode(_ base64: String) throws(Problem) -> ReceiptIdentity {
    guard let bytes = Data(base64Encoded: base64).map(Array.init) else { throw .malformed }
    if bytes.starts(with: legacyHead) { return try decodeLegacy(bytes) }
    guard bytes.count > signatureSize + 64, bytes[0] == 0x30, bytes[1] == 0x82,
      Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
    else { throw .malformed }
    let start = bytes.count - signatureSize
    let identity = bytes[start..<start + ReceiptIdentity.size]
    let rest = bytes[(start + ReceiptIdentity.size)...]
    guard rest.elementsEqual(filler.prefix(rest.count)),
      let identity = ReceiptIdentity(sealed: identity, after: bytes[..<start])
    else { throw .notAuthentic }
    return identity
  }

  /// As long as Apple's three certificates, and as incompressible.
  static let filler: [UInt8] = {
    var random = SplitMix64(seed: 0x4C75_6D65_6E)
    return (0..<3600).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  // MARK: iOS 6 style

  private static let legacyHead = Array("{\n\t\"signature\" = \"".utf8)

  /// - Parameter row: what was bought; such a receipt is of one transaction.
  static func legacy(_ identity: ReceiptIdentity, of subscriber: Subscriber, _ row: Transaction?) -> [UInt8] {
    let tail = Array(
      "\";\n\t\"purchase-info\" = \"\(purchaseInfo(row, of: subscriber))\";\n\t\"pod\" = \"45\";\n\t\"signing-status\" = \"0\";\n}"
        .utf8)
    return legacyHead + Data(identity.sealed(after: tail[...])).base64EncodedData() + tail
  }

  /// Another property list, in base64.
  private static func purchaseInfo(_ row: Transaction?, of subscriber: Subscriber) -> String {
    let texts = [
      ("original-transaction-id", row?.originalTransactionID.rawValue), ("bvrs", "431"),
      ("transaction-id", row?.transactionID.rawValue), ("quantity", "1"),
      ("product-id", row?.productID.rawValue), ("item-id", "1450000002"),
      ("bid", subscriber.bundleID.rawValue),
    ]
    let lines = texts.compactMap { key, text in text.map { "\t\"\(key)\" = \"\($0)\";\n" } }
    return Data("{\n\(lines.joined())}".utf8).base64EncodedString()
  }

  private static func decodeLegacy(_ bytes: [UInt8]) throws(Problem) -> ReceiptIdentity {
    let body = bytes.dropFirst(legacyHead.count)
    let seal = body.prefix { $0 != UInt8(ascii: "\"") }
    guard let sealed = Data(base64Encoded: Data(seal)),
      let identity = ReceiptIdentity(sealed: Array(sealed)[...], after: body[seal.endIndex...])
    else { throw .notAuthentic }
    return identity
  }
}
