import Subscriptions

/// The answer's `receipt`: *App Store Receipts › responseBody.Receipt*. In an iOS 6 style answer it is the transaction itself.
struct WireReceipt: Decodable {
  let receiptType: String?
  let bundleID: BundleID?
  let requestDate: Instant?
  let transactions: [Transaction]
  let isTransactionItself: Bool

  enum CodingKeys: String, CodingKey {
    case receiptType = "receipt_type"
    case bundleID = "bundle_id"
    case legacyBundleID = "bid"
    case requestDate = "request_date"
    case requestDateMilliseconds = "request_date_ms"
    case inApp = "in_app"
    case transactionID = "transaction_id"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    receiptType = try values.text(.receiptType)
    bundleID = (try values.text(.bundleID) ?? values.text(.legacyBundleID)).map(BundleID.init)
    requestDate = try values.instant(.requestDateMilliseconds, orText: .requestDate)
    let list = try values.decodeIfPresent(OneOrMany<WireTransaction>.self, forKey: .inApp)
    isTransactionItself = list == nil && values.contains(.transactionID)
    let own = isTransactionItself ? [try WireTransaction(from: decoder)] : []
    transactions = (list?.elements ?? own).map(\.transaction)
  }
}
