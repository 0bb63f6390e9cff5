import FoundationEssentials
import Subscriptions

/// Receipts of the fake App Store: imitations of Apple's, with their owner's identity instead of a signature.
enum FakeReceipt {
  /// Status of the answer to a receipt that cannot be read.
  enum Problem: Int, Error {
    case malformed = 21002
    case notAuthentic
  }

  static func decode(_ base64: String) throws(Problem) -> ReceiptIdentity {
    guard let bytes = Data(base64Encoded: base64).map(Array.init) else { throw .malformed }
    if bytes.starts(with: legacyHead) { return try decodeLegacy(bytes) }
    guard bytes.count > ReceiptIdentity.size + 4, bytes[0] == 0x30, bytes[1] == 0x82,
      Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
    else { throw .malformed }
    let content = bytes.dropLast(ReceiptIdentity.size)
    guard let identity = ReceiptIdentity(sealed: bytes[content.endIndex...], after: content) else {
      throw .notAuthentic
    }
    return identity
  }

  /// Random bytes with the size and entropy of Apple's three certificates and signature.
  private static let certificates: [UInt8] = {
    var random = SplitMix64(seed: 0x4C75_6D65_6E)
    return (0..<3824).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  // MARK: iOS 6 style

  private static let legacyHead = Array("{\n\t\"signature\" = \"".utf8)

  /// Returns an iOS 6 style receipt, whose only purchase is `row`.
  static func legacy(of subscriber: Subscriber, _ row: Transaction?) -> [UInt8] {
    let tail = Array(
      "\";\n\t\"purchase-info\" = \"\(purchaseInfo(row, of: subscriber))\";\n\t\"pod\" = \"45\";\n\t\"signing-status\" = \"0\";\n}"
        .utf8)
    let seal = ReceiptIdentity(of: subscriber).sealed(after: tail[...])
    return legacyHead + Data(seal).base64EncodedData() + tail
  }

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

  /// Returns a container with the fields of *RFC 2315, SignedData* that parsers read; its base64 begins `MI`.
  static func container(of subscriber: Subscriber, rows: [Transaction]) -> [UInt8] {
    let signedData = DER.node(
      .sequence, DER.integer(1), DER.node(.set),
      DER.node(
        .sequence, DER.node(.object, DER.data),
        DER.node(.explicit, DER.node(.octets, payload(of: subscriber, rows)))),
      DER.node(.octets, certificates),
      // Placeholder for the end of Apple's signature, which the identity replaces.
      DER.node(.octets, [UInt8](repeating: 0, count: ReceiptIdentity.size)))
    let content = DER.node(.sequence, DER.node(.object, DER.signedData), DER.node(.explicit, signedData))
      .dropLast(ReceiptIdentity.size)
    return content + ReceiptIdentity(of: subscriber).sealed(after: content)
  }

  /// Returns the payload: a set of the *Receipt Fields* that parsers read; each purchase is an attribute 17.
  private static func payload(of subscriber: Subscriber, _ rows: [Transaction]) -> [UInt8] {
    let purchases = rows.map { row in
      DER.attribute(
        17,
        DER.node(
          .set, DER.attribute(1703, DER.text(row.transactionID.rawValue)),
          DER.attribute(1705, DER.text(row.originalTransactionID.rawValue))))
    }
    return DER.node(
      .set, DER.attribute(0, DER.text(subscriber.receiptType)),
      DER.attribute(2, DER.text(subscriber.bundleID.rawValue)), Array(purchases.joined()))
  }
}

/// Writer of the ASN.1 types that receipts have (X.690).
private enum DER {
  enum Identifier: UInt8 {
    case integer = 0x02
    case octets = 0x04
    case object = 0x06
    case utf8 = 0x0C
    case sequence = 0x30
    case set = 0x31
    case explicit = 0xA0
  }

  static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
  static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

  static func node(_ identifier: Identifier, _ contents: [UInt8]...) -> [UInt8] {
    let count = contents.reduce(0) { $0 + $1.count }
    let digits = bytes(of: Int64(count))
    let length = count < 0x80 ? digits : [0x80 | UInt8(digits.count)] + digits
    return contents.reduce([identifier.rawValue] + length, +)
  }

  /// Returns the big-endian bytes of a nonnegative number without leading zero bytes.
  private static func bytes(of number: Int64) -> [UInt8] {
    let all = withUnsafeBytes(of: number.bigEndian, Array.init)
    return Array(all.dropLast().drop { $0 == 0 } + all.suffix(1))
  }

  static func integer(_ number: Int64) -> [UInt8] {
    let digits = bytes(of: number)
    return node(.integer, digits[0] < 0x80 ? digits : [0] + digits)
  }

  static func text(_ text: String) -> [UInt8] { node(.utf8, Array(text.utf8)) }

  static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
    node(.sequence, integer(type), integer(1), node(.octets, value))
  }
}

extension Subscriber {
  var receiptType: String { isSandbox ? "ProductionSandbox" : "Production" }
}

/// Owner of a receipt, in place of Apple's signature; it never changes, so that old receipts stay valid.
struct ReceiptIdentity: Sendable {
  let seed: UInt64
  let index: Int
  let founded: Instant

  /// Size in bytes: three numbers and a checksum of eight bytes each.
  static let size = 32

  init(of subscriber: Subscriber) {
    (seed, index, founded) = (subscriber.seed, subscriber.index, subscriber.founded)
  }

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

  /// Returns the FNV-1a hash, which detects accidental changes but not forgery.
  private static func checksum(_ content: ArraySlice<UInt8>, _ identity: ArraySlice<UInt8>) -> UInt64 {
    [content, identity].joined().reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
