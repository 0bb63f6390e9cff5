import FoundationEssentials
import Subscriptions
import SwiftASN1

/// Unverified contents of a receipt: its app, transactions and chains (Apple's *Receipt Fields*).
public struct ReceiptContents: Hashable, Sendable {
  public private(set) var bundleID: BundleID?
  /// `Production`, `ProductionSandbox`, or undocumented values such as `Xcode`; `nil` in iOS 6 receipts.
  public private(set) var receiptType: String?
  /// Transactions that existed when the receipt was created, so later renewals are missing.
  public private(set) var transactionIDs: Set<TransactionID> = []
  public private(set) var originalTransactionIDs: Set<OriginalTransactionID> = []
  /// Chain by transaction; transactions whose chain the receipt does not name are absent.
  private var chains: [TransactionID: OriginalTransactionID] = [:]

  /// Decodes a PKCS#7 receipt or an iOS 6 property list; `nil` for other data, such as signed JSON.
  public init?(_ receipt: ReceiptData) {
    guard var data = Data(base64Encoded: receipt.base64) else { return nil }
    // Some apps encode the receipt twice.
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

  /// Reads an iOS 6 receipt: a property list whose `purchase-info` is a second property list, in base64.
  private init?(transactionReceipt data: Data) {
    func texts(_ data: Data) -> [String: String]? {
      try? PropertyListDecoder().decode([String: String].self, from: data)
    }
    guard let info = texts(data)?["purchase-info"],
      let purchase = Data(base64Encoded: info).flatMap(texts)
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

  /// Customer id for Server API requests; `nil` if the receipt contains no App Store purchase.
  public var customerID: CustomerID? {
    let chains = originalTransactionIDs.map { CustomerID($0.rawValue) }.filter(\.isCredible)
    return chains.min() ?? transactionIDs.map { CustomerID($0.rawValue) }.filter(\.isCredible).min()
  }

  /// Whether both receipts are for the same app and share a purchase, and thus belong to one customer.
  public func isOfSameCustomer(as other: ReceiptContents) -> Bool {
    bundleID != nil && bundleID == other.bundleID
      && !(transactionIDs.isDisjoint(with: other.transactionIDs)
        && originalTransactionIDs.isDisjoint(with: other.originalTransactionIDs))
  }

  /// Returns the receipt's chains; `rows` supply the chains of transactions whose chain the receipt omits.
  public func chains(among rows: [Transaction]) -> Set<OriginalTransactionID> {
    rows.reduce(into: originalTransactionIDs) { own, row in
      let id = row.transactionID
      if transactionIDs.contains(id), chains[id] == nil { own.insert(row.originalTransactionID) }
    }
  }
}

extension Answer {
  /// Chains that belong to the answer's `latest_receipt`; `nil` if the receipt is absent or unreadable.
  var chainsOfLatestReceipt: Set<OriginalTransactionID>? {
    latestReceipt.flatMap(ReceiptContents.init)?.chains(among: transactions)
  }
}

/// Numbered value in a receipt: *Receipt Fields › ASN.1 Field Type*; a purchase is a set of such values.
struct ReceiptAttribute: BERParseable {
  let type: Int
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
      guard let text = String(validating: bytes, as: UTF8.self) else { throw BadReceipt() }
      return text
    }
  }
}

private struct BadReceipt: Error {}

/// PKCS#7 container (*RFC 2315, SignedData*) in DER from Apple or BER from Xcode; signatures are not read.
struct ReceiptContainer: BERParseable {
  let payload: ArraySlice<UInt8>

  init(berEncoded node: ASN1Node) throws {
    let content = try Self.content(of: node) { signedData in
      try BER.sequence(signedData, identifier: .sequence) { fields in
        _ = (fields.next(), fields.next())  // version, digestAlgorithms
        guard let contentInfo = fields.next() else { throw BadReceipt() }
        while fields.next() != nil {}
        return try Self.content(of: contentInfo) { try ASN1OctetString(berEncoded: $0).bytes }
      }
    }
    // Some signers wrap the content, which is a SET of attributes, in another OCTET STRING.
    payload =
      content.first == Self.octetString ? try ASN1OctetString(berEncoded: Array(content)).bytes : content
  }

  private static let octetString: UInt8 = 0x04

  init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

  private static func content<Value>(of node: ASN1Node, _ read: (ASN1Node) throws -> Value) throws -> Value {
    try BER.sequence(node, identifier: .sequence) { fields in
      _ = try ASN1ObjectIdentifier(berEncoded: &fields)
      return try BER.explicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific, read)
    }
  }
}
