import FoundationEssentials
import Subscriptions
import SwiftASN1

/// Receipts of the fake App Store: unsigned imitations of Apple's PKCS#7 container that contain the id of
/// their owner, so that no lookup is needed. iOS 6 style receipts are property lists.
enum FakeReceipt {
  /// Status of the answer to a receipt that cannot be read.
  enum Problem: Int, Error {
    case malformed = 21002
    case notAuthentic
  }

  /// Size of Apple's signature at the end of the container. Here the identity takes its place.
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

  /// Random bytes with the size and entropy of Apple's three certificates.
  static let filler: [UInt8] = {
    var random = SplitMix64(seed: 0x4C75_6D65_6E)
    return (0..<3600).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  // MARK: iOS 6 style

  private static let legacyHead = Array("{\n\t\"signature\" = \"".utf8)

  /// - Parameter row: purchase of the receipt. An iOS 6 style receipt has only one.
  static func legacy(of subscriber: Subscriber, _ row: Transaction?) -> [UInt8] {
    let tail = Array(
      "\";\n\t\"purchase-info\" = \"\(purchaseInfo(row, of: subscriber))\";\n\t\"pod\" = \"45\";\n\t\"signing-status\" = \"0\";\n}"
        .utf8)
    let seal = ReceiptIdentity(of: subscriber).sealed(after: tail[...])
    return legacyHead + Data(seal).base64EncodedData() + tail
  }

  /// Returns the inner property list, in base64.
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

extension FakeReceipt {
  /// Returns the bytes of the container; its base64 starts with `MI`.
  ///
  /// - Parameter padding: bytes to add, to imitate receipts with many years of purchases.
  static func container(
    of subscriber: Subscriber, rows: [Transaction], issued: Instant, padding: Int
  ) -> [UInt8] {
    var receipt = DER.Serializer()
    receipt.signedData(padding: min(max(0, padding), 40_000)) { $0.payload(of: subscriber, rows, issued) }
    let content = receipt.serializedBytes.dropLast(signatureSize)
    let seal = ReceiptIdentity(of: subscriber).sealed(after: content)
    return content + seal + filler.prefix(signatureSize - seal.count)
  }
}

extension DER.Serializer {
  /// Writes the fields of *RFC 2315, SignedData* that receipt parsers read.
  /// The last value is room for the signature.
  fileprivate mutating func signedData(padding: Int, payload: (inout DER.Serializer) -> Void) {
    let explicit = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    appendConstructedNode(identifier: .sequence) { content in
      content.value(.objectIdentifier, Self.signedData)
      content.appendConstructedNode(identifier: explicit) { tagged in
        tagged.appendConstructedNode(identifier: .sequence) { signed in
          signed.integer(1)
          signed.appendConstructedNode(identifier: .set) { algorithms in
            algorithms.appendConstructedNode(identifier: .sequence) { algorithm in
              algorithm.value(.objectIdentifier, Self.sha1)
              algorithm.value(.null, [])
            }
          }
          signed.appendConstructedNode(identifier: .sequence) { data in
            data.value(.objectIdentifier, Self.data)
            data.appendConstructedNode(identifier: explicit) { $0.wrapped(.set, payload) }
          }
          signed.appendConstructedNode(identifier: explicit) { certificates in
            certificates.value(.octetString, FakeReceipt.filler)
            certificates.value(.octetString, Self.noise(padding))
          }
          signed.appendConstructedNode(identifier: .set) { signers in
            signers.appendConstructedNode(identifier: .sequence) { signer in
              signer.integer(1)
              signer.value(.octetString, [UInt8](repeating: 0, count: FakeReceipt.signatureSize))
            }
          }
        }
      }
    }
  }

  private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  private static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]

  private static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Writes the attributes of *Receipt Fields* that parsers read. Attribute 17 contains a purchase, whose own
  /// attributes start at 1701.
  fileprivate mutating func payload(of subscriber: Subscriber, _ rows: [Transaction], _ issued: Instant) {
    attribute(0) { $0.text(subscriber.receiptType) }
    attribute(2) { $0.text(subscriber.bundleID.rawValue) }
    attribute(3) { $0.text("431") }
    attribute(12) { $0.date(issued) }
    attribute(19) { $0.text("1.0") }
    for row in rows {
      attribute(17) { purchase in purchase.appendConstructedNode(identifier: .set) { $0.inApp(row) } }
    }
  }

  private mutating func inApp(_ row: Transaction) {
    attribute(1701) { $0.integer(1) }
    attribute(1702) { $0.text(row.productID.rawValue) }
    attribute(1703) { $0.text(row.transactionID.rawValue) }
    attribute(1704) { $0.date(row.purchaseDate) }
    attribute(1705) { $0.text(row.originalTransactionID.rawValue) }
    attribute(1706) { $0.date(row.originalPurchaseDate ?? row.purchaseDate) }
    if let expires = row.expiresDate { attribute(1708) { $0.date(expires) } }
    if let item = row.webOrderLineItemID.flatMap({ Int64($0.rawValue) }) {
      attribute(1711) { $0.integer(item) }
    }
  }

  private mutating func attribute(_ type: Int64, _ value: (inout DER.Serializer) -> Void) {
    appendConstructedNode(identifier: .sequence) { attribute in
      attribute.integer(type)
      attribute.integer(1)
      var content = DER.Serializer()
      value(&content)
      attribute.value(.octetString, content.serializedBytes)
    }
  }

  /// Writes an octet string that contains a node.
  private mutating func wrapped(_ identifier: ASN1Identifier, _ body: (inout DER.Serializer) -> Void) {
    var content = DER.Serializer()
    content.appendConstructedNode(identifier: identifier, body)
    value(.octetString, content.serializedBytes)
  }

  private mutating func value(_ identifier: ASN1Identifier, _ bytes: [UInt8]) {
    appendPrimitiveNode(identifier: identifier) { $0 += bytes }
  }

  private mutating func text(_ text: String) { value(.utf8String, Array(text.utf8)) }

  private mutating func date(_ instant: Instant) {
    value(.ia5String, Array(instant.wholeSecond.iso8601.utf8))
  }

  /// - Parameter number: must not be negative.
  private mutating func integer(_ number: Int64) {
    let bytes = withUnsafeBytes(of: number.bigEndian, Array.init)
    let leading = zip(bytes, bytes.dropFirst()).prefix { $0 == 0 && $1 < 0x80 }.count
    value(.integer, Array(bytes.dropFirst(leading)))
  }
}

extension Subscriber {
  var receiptType: String { isSandbox ? "ProductionSandbox" : "Production" }
}

/// Owner of a receipt, stored in place of Apple's signature. An older receipt remains valid.
struct ReceiptIdentity: Sendable {
  let seed: UInt64
  let index: Int
  let founded: Instant

  /// Three numbers and a checksum of eight bytes each.
  static let size = 32

  init(of subscriber: Subscriber) {
    (seed, index, founded) = (subscriber.seed, subscriber.index, subscriber.founded)
  }

  /// Returns the identity, followed by a checksum of `content` and the identity.
  func sealed(after content: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = [seed, UInt64(index), UInt64(bitPattern: founded.rawValue)].flatMap(Self.bytes)
    return bytes + Self.bytes(of: Self.checksum(content, bytes[...]))
  }

  /// Decodes an identity; `nil` if the checksum does not match, as in a modified receipt.
  init?(sealed bytes: ArraySlice<UInt8>, after content: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let numbers = (0..<4).map { place in
      bytes.dropFirst(8 * place).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    guard numbers[3] == Self.checksum(content, bytes.prefix(24)), let index = Int(exactly: numbers[1]) else {
      return nil
    }
    (seed, self.index) = (numbers[0], index)
    founded = Instant(milliseconds: Int64(bitPattern: numbers[2]))
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }

  /// FNV-1a. It detects accidents, not forgery.
  private static func checksum(_ content: ArraySlice<UInt8>, _ identity: ArraySlice<UInt8>) -> UInt64 {
    [content, identity].joined().reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
