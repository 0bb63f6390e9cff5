import AppStore
import Subscriptions

/// The `unified_receipt` of a notification: *App Store Server Notifications › unified_receipt*; its rows are at most the 100
/// newest.
///
/// Bodies from before 2020 have these fields at the top level, with the newest transaction in the iOS 6 style, under
/// `latest_expired_receipt_info` once it is over.
struct WireUnifiedReceipt: Decodable {
  let environment: String?
  let rows: [Transaction]
  /// Nil where it has no `pending_renewal_info`.
  let renewalInfos: [RenewalInfo]?
  let latestReceipt: ReceiptData?
  /// Rows of the iOS 6 style name the app.
  let bundleID: BundleID?

  var isEmpty: Bool { rows.isEmpty && latestReceipt == nil }

  enum CodingKeys: String, CodingKey {
    case status, environment
    case latestReceipt = "latest_receipt"
    case latestExpiredReceipt = "latest_expired_receipt"
    case latestReceiptInfo = "latest_receipt_info"
    case latestExpiredReceiptInfo = "latest_expired_receipt_info"
    case pendingRenewalInfo = "pending_renewal_info"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    environment = try values.text(.environment)
    let isData = try values.text(.status).map { text -> Bool in
      guard let status = Int(text) else { throw values.misfit(.noNumber, .status) }
      return VerifyReceiptStatus(rawValue: status).meaning(isRetryable: nil) == .data
    }
    guard isData ?? true else {
      (rows, renewalInfos, latestReceipt, bundleID) = ([], nil, nil, nil)
      return
    }
    let elements = try [.latestReceiptInfo, .latestExpiredReceiptInfo].flatMap { (key: CodingKeys) in
      try values.decodeIfPresent(OneOrMany<Element>.self, forKey: key)?.elements ?? []
    }
    var seen: Set<TransactionID> = []
    rows = elements.compactMap(\.transaction).filter { seen.insert($0.transactionID).inserted }
    bundleID = elements.lazy.compactMap(\.bundleID).first
    renewalInfos = try values.decodeIfPresent(OneOrMany<WireRenewalInfo>.self, forKey: .pendingRenewalInfo)?
      .elements.map(\.info)
    let receipt = try values.text(.latestReceipt) ?? values.text(.latestExpiredReceipt)
    latestReceipt = receipt.flatMap { ReceiptData(base64: $0) }
  }

  /// A row, or the empty object that stands for none.
  private struct Element: Decodable {
    let transaction: Transaction?
    let bundleID: BundleID?

    struct Name: CodingKey {
      let stringValue: String
      let intValue: Int? = nil
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Name.self)
      transaction = values.allKeys.isEmpty ? nil : try WireTransaction(from: decoder).transaction
      bundleID = try values.text(Name(stringValue: "bid")).map(BundleID.init)
    }
  }
}
