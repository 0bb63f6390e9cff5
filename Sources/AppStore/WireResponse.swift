import Subscriptions

/// The top level of an answer in every style that Apple has had.
struct WireResponse {
  let status: Int
  let isRetryable: Bool?
  private let environment: String?
  private let receipt: WireReceipt?
  private let latest: [Transaction]
  private let latestReceipt: String?
  private let renewalInfos: [RenewalInfo]

  init(_ values: JSONObject) throws(Misread) {
    guard let status = Int(try values.requiredText(.status)) else {
      throw Misread(.misfit(.noNumber)).under(.status)
    }
    self.status = status
    isRetryable = try values.flag(.isRetryable, or: .isRetryableAlternative)
    environment = try values.text(.environment)
    guard VerifyReceiptStatus(rawValue: status).meaning(isRetryable: isRetryable) == .data else {
      // Nothing but the status of an error counts, so nothing else of it can make it unreadable.
      (receipt, latest, latestReceipt, renewalInfos) = (nil, [], nil, [])
      return
    }
    receipt = try values.readIfPresent(.receipt, WireReceipt.init)
    let current = try values.list(.latestReceiptInfo, Transaction.init(wire:)) ?? []
    let expired = try values.list(.latestExpiredReceiptInfo, Transaction.init(wire:)) ?? []
    latest = current + expired
    latestReceipt = try values.text(.latestReceipt)
    if let pending = try values.list(.pendingRenewalInfo, WireRenewalInfo.init) {
      renewalInfos = pending.map(\.info)
    } else {
      let isLegacy = [.autoRenewStatus, .expirationIntent, .isInBillingRetryPeriod].contains(
        where: values.contains)
      renewalInfos = isLegacy ? [Self.legacy(try WireRenewalInfo(values).info, for: latest, receipt)] : []
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
      renewalInfos: renewalInfos, latestReceipt: latestReceipt.flatMap(ReceiptData.init(base64:)))
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
