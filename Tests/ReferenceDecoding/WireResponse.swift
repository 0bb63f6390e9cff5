import AppStore
import Subscriptions

/// The top level of an answer in every style that Apple has had.
struct WireResponse: Decodable {
  let status: Int
  let isRetryable: Bool?
  private let environment: String?
  private let receipt: WireReceipt?
  private let latest: [Transaction]
  private let latestReceipt: String?
  private let renewalInfos: [RenewalInfo]

  enum CodingKeys: String, CodingKey {
    case status, environment, receipt
    case isRetryable = "is-retryable"
    case isRetryableAlternative = "is_retryable"
    case latestReceipt = "latest_receipt"
    case latestReceiptInfo = "latest_receipt_info"
    case latestExpiredReceiptInfo = "latest_expired_receipt_info"
    case pendingRenewalInfo = "pending_renewal_info"
    case autoRenewStatus = "auto_renew_status"
    case expirationIntent = "expiration_intent"
    case isInBillingRetryPeriod = "is_in_billing_retry_period"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard let status = Int(try values.requiredText(.status)) else {
      throw values.misfit(.noNumber, .status)
    }
    self.status = status
    isRetryable = try values.flag(.isRetryable) ?? values.flag(.isRetryableAlternative)
    environment = try values.text(.environment)
    guard VerifyReceiptStatus(rawValue: status).meaning(isRetryable: isRetryable) == .data else {
      // Nothing but the status of an error counts, so nothing else of it can make it unreadable.
      (receipt, latest, latestReceipt, renewalInfos) = (nil, [], nil, [])
      return
    }
    receipt = try values.decodeIfPresent(WireReceipt.self, forKey: .receipt)
    latest = try [.latestReceiptInfo, .latestExpiredReceiptInfo].flatMap { (key: CodingKeys) in
      try values.decodeIfPresent(OneOrMany<WireTransaction>.self, forKey: key)?.elements.map(\.transaction)
        ?? []
    }
    latestReceipt = try values.text(.latestReceipt)
    if let pending = try values.decodeIfPresent(OneOrMany<WireRenewalInfo>.self, forKey: .pendingRenewalInfo)
    {
      renewalInfos = pending.elements.map(\.info)
    } else {
      let isLegacy = [.autoRenewStatus, .expirationIntent, .isInBillingRetryPeriod].contains(
        where: values.contains)
      renewalInfos =
        isLegacy ? [Self.legacy(try WireRenewalInfo(from: decoder).info, for: latest, receipt)] : []
    }
  }

  /// An iOS 6 style answer speaks of one chain and does not name it.
  private static func legacy(
    _ info: RenewalInfo, for latest: [Transaction], _ receipt: WireReceipt?
  ) -> RenewalInfo {
    var info = info
    let row = (latest + (receipt?.transactions ?? [])).max(by: Transaction.inOrder)
    info.originalTransactionID = info.originalTransactionID ?? row?.originalTransactionID
    info.productID = info.productID ?? row?.productID
    return info
  }

  /// METRICS §1.2: the union of every place; on conflict `latest_receipt_info` wins.
  func answer(from asked: StoreEnvironment?) -> Answer {
    var places: [TransactionID: Int] = [:]
    var union: [Transaction] = []
    for row in latest + (receipt?.transactions ?? []) where places[row.transactionID] == nil {
      places[row.transactionID] = union.count
      union.append(row)
    }
    let fresh = Set(latest.map(\.transactionID))
    var answer = Answer(
      environment: environment.map(StoreEnvironment.init) ?? asked ?? guessedEnvironment(union),
      bundleID: receipt?.bundleID, requestDate: receipt?.requestDate, transactions: union,
      renewalInfos: renewalInfos, latestReceipt: latestReceipt.flatMap { ReceiptData(base64: $0) })
    answer.lagging = Set(union.lazy.map(\.transactionID).filter { !fresh.contains($0) })
    return answer
  }

  /// Old answers do not name their environment; `receipt_type` does, and so may the ids.
  private func guessedEnvironment(_ rows: [Transaction]) -> StoreEnvironment {
    if let type = receipt?.receiptType { return type.contains("Sandbox") ? .sandbox : .production }
    return StoreEnvironment(guessedFrom: rows)
  }
}

extension StoreEnvironment {
  /// The sandbox numbers its transactions from 1000000….
  init(guessedFrom rows: [Transaction]) {
    let isSandbox = rows.contains {
      $0.transactionID.rawValue.hasPrefix("1000000") && $0.transactionID.rawValue.utf8.count == 16
    }
    self = isSandbox ? .sandbox : .production
  }
}
