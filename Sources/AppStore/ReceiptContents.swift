import FoundationEssentials
import Subscriptions
import SwiftASN1

/// What a receipt says of itself: *Receipt Fields*. Nobody has verified the signature, so it may tell one receipt from
/// another and nothing else.
public struct ReceiptContents: Hashable, Sendable {
  public private(set) var bundleID: BundleID?
  /// `Production`, `ProductionSandbox`, and others that Apple does not document, such as `Xcode`; nil in those of iOS 6.
  public private(set) var receiptType: String?
  /// Of the purchases that were in it when it was made: later renewals are missing.
  public private(set) var transactionIDs: Set<TransactionID> = []
  public private(set) var originalTransactionIDs: Set<OriginalTransactionID> = []
  /// The chain of each of those transactions of which it says it.
  private var chains: [TransactionID: OriginalTransactionID] = [:]

  /// Nil where it is neither a PKCS#7 container of Apple's nor a property list of iOS 6: signed JSON, or damaged.
  public init?(_ receipt: ReceiptData) {
    guard var data = Data(base64Encoded: receipt.base64) else { return nil }
    // Some apps encode what is encoded already.
    if data.starts(with: "MI".utf8), let inner = ReceiptData(base64: String(decoding: data, as: UTF8.self)),
      let decoded = Data(base64Encoded: inner.base64)
    {
      data = decoded
    }
    if data.first == UInt8(ascii: "{") {
      self.init(transactionReceipt: data)
    } else {
      self.init(container: data)
    }
  }

  private init?(container data: Data) {
    guard let payload = try? ReceiptContainer(berEncoded: Array(data)).payload,
      let attributes = try? ReceiptAttribute.all(in: payload)
    else { return nil }
    do {
      for attribute in attributes { try read(attribute) }
    } catch {
      return nil
    }
  }

  /// The receipt of one transaction, as iOS 6 made them: what was bought is another property list in its `purchase-info`.
  private init?(transactionReceipt data: Data) {
    guard let info = OldStylePropertyList(data)?.texts["purchase-info"],
      let purchase = Data(base64Encoded: info).flatMap({ OldStylePropertyList($0) })?.texts
    else { return nil }
    bundleID = purchase["bid"].map { BundleID($0) }
    add(
      purchase["transaction-id"].map { TransactionID($0) },
      of: purchase["original-transaction-id"].map { OriginalTransactionID($0) })
  }

  private mutating func read(_ attribute: ReceiptAttribute) throws {
    switch attribute.type {
    case 0: receiptType = try attribute.text
    case 2: bundleID = BundleID(try attribute.text)
    case 17:
      let parts = try ReceiptAttribute.all(in: attribute.value)
      func text(_ type: Int) throws -> String? { try parts.last { $0.type == type }?.text }
      add(try text(1703).map { TransactionID($0) }, of: try text(1705).map { OriginalTransactionID($0) })
    default: break
    }
  }

  private mutating func add(_ transaction: TransactionID?, of chain: OriginalTransactionID?) {
    if let transaction { transactionIDs.insert(transaction) }
    if let chain { originalTransactionIDs.insert(chain) }
    if let transaction, let chain { chains[transaction] = chain }
  }
}

extension ReceiptContents {
  /// What the Server API can be asked with; nil where it holds no purchase, or none of the App Store's.
  public var customerID: CustomerID? {
    let chains = originalTransactionIDs.map { CustomerID($0.rawValue) }.filter(\.isCredible)
    return chains.min() ?? transactionIDs.map { CustomerID($0.rawValue) }.filter(\.isCredible).min()
  }

  /// Whether it says that two receipts are of the same app and of one customer: they share a purchase.
  public func isOfSameCustomer(as other: ReceiptContents) -> Bool {
    bundleID != nil && bundleID == other.bundleID
      && !(transactionIDs.isDisjoint(with: other.transactionIDs)
        && originalTransactionIDs.isDisjoint(with: other.originalTransactionIDs))
  }

  /// The chains that it holds itself, and those of rows that it holds a transaction of without saying of which chain: where it
  /// says it, whoever answers has no say.
  public func chains(among rows: [Transaction]) -> Set<OriginalTransactionID> {
    rows.reduce(into: originalTransactionIDs) { own, row in
      let id = row.transactionID
      if transactionIDs.contains(id), chains[id] == nil { own.insert(row.originalTransactionID) }
    }
  }
}

extension Answer {
  /// The chains that its `latest_receipt` shows to be the receipt's; nil where there is none, or nothing can be read of it.
  var chainsOfLatestReceipt: Set<OriginalTransactionID>? {
    latestReceipt.flatMap(ReceiptContents.init)?.chains(among: transactions)
  }
}

/// A numbered value of a receipt: *Receipt Fields › ASN.1 Field Type*. A purchase is such a value and has such values.
struct ReceiptAttribute: BERParseable {
  let type: Int
  /// Another encoding in itself.
  let value: ArraySlice<UInt8>

  init(berEncoded node: ASN1Node) throws {
    (type, value) = try BER.sequence(node, identifier: .sequence) { fields in
      let type = try Int(berEncoded: &fields)
      _ = fields.next()  // version
      return (type, try ASN1OctetString(berEncoded: &fields).bytes)
    }
  }

  init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

  static func all(in bytes: ArraySlice<UInt8>) throws -> [ReceiptAttribute] {
    try BER.set(of: ReceiptAttribute.self, identifier: .set, rootNode: BER.parse(bytes))
  }

  var text: String {
    get throws {
      let bytes = try ASN1UTF8String(berEncoded: value).bytes
      guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUnicode() }
      return text
    }
  }

  private struct NotUnicode: Error {}
}

/// The way through *RFC 2315, SignedData* to what is signed; certificates and signatures are passed by.
///
/// Apple signs DER, Xcode BER.
struct ReceiptContainer: BERParseable {
  let payload: ArraySlice<UInt8>

  init(berEncoded node: ASN1Node) throws {
    let content = try Self.content(of: node) { signedData in
      try BER.sequence(signedData, identifier: .sequence) { fields in
        _ = (fields.next(), fields.next())  // version, digestAlgorithms
        guard let contentInfo = fields.next() else { throw Missing() }
        while fields.next() != nil {}
        return try Self.content(of: contentInfo) { try ASN1OctetString(berEncoded: $0).bytes }
      }
    }
    // Some signers wrap what they sign once more; the attributes themselves are a SET.
    payload =
      content.first == Self.octetString ? try ASN1OctetString(berEncoded: Array(content)).bytes : content
  }

  private static let octetString: UInt8 = 0x04

  init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

  /// Content of a ContentInfo, after its type.
  private static func content<Value>(of node: ASN1Node, _ read: (ASN1Node) throws -> Value) throws -> Value {
    try BER.sequence(node, identifier: .sequence) { fields in
      _ = try ASN1ObjectIdentifier(berEncoded: &fields)
      return try BER.explicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific, read)
    }
  }

  private struct Missing: Error {}
}
