import Subscriptions

/// The `unified_receipt` of a notification: *App Store Server Notifications › unified_receipt*; its rows are at most the 100
/// newest.
///
/// Bodies from before 2020 have these fields at the top level, with the newest transaction in the iOS 6 style, under
/// `latest_expired_receipt_info` once it is over.
struct WireUnifiedReceipt {
  let environment: String?
  let rows: [Transaction]
  /// Nil where it has no `pending_renewal_info`.
  let renewalInfos: [RenewalInfo]?
  let latestReceipt: ReceiptData?
  /// Rows of the iOS 6 style name the app.
  let bundleID: BundleID?

  var isEmpty: Bool { rows.isEmpty && latestReceipt == nil }

  init(_ values: JSONObject) throws(Misread) {
    environment = try values.text(.environment)
    let status = try values.text(.status)
    let number = status.flatMap { Int($0) }
    guard status == nil || number != nil else { throw Misread(.misfit(.noNumber)).under(.status) }
    guard number.map({ VerifyReceiptStatus(rawValue: $0).meaning(isRetryable: nil) == .data }) ?? true else {
      (rows, renewalInfos, latestReceipt, bundleID) = ([], nil, nil, nil)
      return
    }
    let current = try values.list(.latestReceiptInfo, Element.init) ?? []
    let expired = try values.list(.latestExpiredReceiptInfo, Element.init) ?? []
    let elements = current + expired
    var seen: Set<TransactionID> = []
    rows = elements.compactMap(\.transaction).filter { seen.insert($0.transactionID).inserted }
    bundleID = elements.lazy.compactMap(\.bundleID).first
    renewalInfos = try values.list(.pendingRenewalInfo, WireRenewalInfo.init)?.map(\.info)
    let receipt = try values.text(.latestReceipt, or: .latestExpiredReceipt)
    latestReceipt = receipt.flatMap(ReceiptData.init(base64:))
  }

  /// A row, or the empty object that stands for none.
  private struct Element {
    let transaction: Transaction?
    let bundleID: BundleID?

    init(_ values: JSONObject) throws(Misread) {
      transaction = values.isEmpty ? nil : try Transaction(wire: values)
      bundleID = try values.text(.legacyBundleID).map(BundleID.init)
    }
  }
}
