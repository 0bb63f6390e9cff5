import Subscriptions

/// The answer's `receipt`: *App Store Receipts › responseBody.Receipt*. In an iOS 6 style answer it is the transaction itself.
struct WireReceipt {
  let receiptType: String?
  let bundleID: BundleID?
  let requestDate: Instant?
  let transactions: [Transaction]
  let isTransactionItself: Bool

  init(_ values: JSONObject) throws(Misread) {
    receiptType = try values.text(.receiptType)
    bundleID = try values.text(.bundleID, or: .legacyBundleID).map(BundleID.init)
    requestDate = try values.instant(.requestDateMilliseconds, orText: .requestDate)
    let list = try values.list(.inApp, Transaction.init(wire:))
    isTransactionItself = list == nil && values.contains(.transactionID)
    if let list {
      transactions = list
    } else {
      transactions = isTransactionItself ? [try Transaction(wire: values)] : []
    }
  }
}
