import Subscriptions

/// Top level of an answer, in every format that Apple has used.
struct WireResponse: Decodable {
  let status: Int
  let isRetryable: Bool?
  private let receipt: WireReceipt?
  private let latest: WireUnifiedReceipt
  private let latestReceipt: ReceiptData?
  private let renewalInfos: [RenewalInfo]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    guard let status = Int(try values.requiredText(.status)) else {
      throw values.refusal(.status, "cannot be read: it is not a number")
    }
    self.status = status
    isRetryable = try values.flag(.isRetryable) ?? values.flag(.isRetryableAlternative)
    latest = try WireUnifiedReceipt(from: decoder)
    guard latest.hasData else {
      // Only the status of an error is read, because a bad field elsewhere would hide the status.
      (receipt, latestReceipt, renewalInfos) = (nil, nil, [])
      return
    }
    receipt = try values.decodeIfPresent(WireReceipt.self, forKey: .receipt)
    latestReceipt = try values.text(.latestReceipt).flatMap(ReceiptData.init(base64:))
    if let pending = latest.renewalInfos {
      renewalInfos = pending
    } else {
      let isLegacy = [.autoRenewStatus, .expirationIntent, .isInBillingRetryPeriod].contains(
        where: values.contains)
      renewalInfos =
        isLegacy ? [Self.legacy(try WireRenewalInfo(from: decoder).info, for: latest.rows, receipt)] : []
    }
  }

  /// Returns a renewal info with the newest row's chain and product, which an iOS 6 style answer omits.
  private static func legacy(
    _ info: RenewalInfo, for latest: [Transaction], _ receipt: WireReceipt?
  ) -> RenewalInfo {
    var info = info
    let row = (latest + (receipt?.transactions ?? [])).max(by: Transaction.inOrder)
    info.originalTransactionID = info.originalTransactionID ?? row?.originalTransactionID
    info.productID = info.productID ?? row?.productID
    return info
  }

  /// Returns the answer with the rows of all lists; `latest_receipt_info` wins over `receipt` (METRICS §1.2).
  func answer(from asked: StoreEnvironment?) -> Answer {
    var seen: Set<TransactionID> = []
    let union = (latest.rows + (receipt?.transactions ?? [])).filter {
      seen.insert($0.transactionID).inserted
    }
    let fresh = Set(latest.rows.map(\.transactionID))
    var answer = Answer(
      environment: latest.environment.map(StoreEnvironment.init) ?? asked ?? guessedEnvironment(union),
      bundleID: receipt?.bundleID, requestDate: receipt?.requestDate, transactions: union,
      renewalInfos: renewalInfos, latestReceipt: latestReceipt)
    answer.lagging = Set(union.lazy.map(\.transactionID).filter { !fresh.contains($0) })
    return answer
  }

  private func guessedEnvironment(_ rows: [Transaction]) -> StoreEnvironment {
    if let type = receipt?.receiptType { return type.contains("Sandbox") ? .sandbox : .production }
    return StoreEnvironment(guessedFrom: rows)
  }
}

/// `receipt` object, in iOS 6 style answers a transaction: *App Store Receipts › responseBody.Receipt*.
struct WireReceipt: Decodable {
  let receiptType: String?
  let bundleID: BundleID?
  let requestDate: Instant?
  let transactions: [Transaction]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    receiptType = try values.text(.receiptType)
    bundleID = (try values.text(.bundleID) ?? values.text(.legacyBundleID)).map(BundleID.init)
    requestDate = try values.instant(.requestDateMilliseconds, orText: .requestDate)
    let list: [WireTransaction]? = try values.list(.inApp)
    let isTransactionItself = list == nil && values.contains(.transactionID)
    let own = isTransactionItself ? [try WireTransaction(from: decoder)] : []
    transactions = (list ?? own).map(\.transaction)
  }
}

/// Element of `latest_receipt_info` or `in_app`: *App Store Receipts › responseBody.Latest_receipt_info*.
struct WireTransaction: Decodable {
  let transaction: Transaction

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    let id = try values.requiredText(.transactionID)
    guard let purchase = try values.instant(.purchaseDateMilliseconds, orText: .purchaseDate) else {
      throw values.refusal(.purchaseDateMilliseconds, "is missing")
    }
    var row = Transaction(
      transactionID: TransactionID(id),
      originalTransactionID: OriginalTransactionID(try values.text(.originalTransactionID) ?? id),
      productID: ProductID(try values.requiredText(.productID)), purchaseDate: purchase,
      expiresDate: try values.instant(.expiresDateMilliseconds, orText: .expiresDate))
    row.webOrderLineItemID = try values.text(.webOrderLineItemID).map(WebOrderLineItemID.init)
    row.subscriptionGroupIdentifier = try values.text(.subscriptionGroupIdentifier).map(
      SubscriptionGroupID.init)
    if let text = try values.text(.quantity) {
      let limits = FieldLimits.quantity
      guard let quantity = Int64(text), limits.contains(quantity) else {
        throw values.refusal(
          .quantity, "is not a whole number from \(limits.lowerBound) to \(limits.upperBound)")
      }
      row.quantity = quantity
    }
    row.originalPurchaseDate = try values.instant(
      .originalPurchaseDateMilliseconds, orText: .originalPurchaseDate)
    row.cancellationDate = try values.instant(.cancellationDateMilliseconds, orText: .cancellationDate)
    row.cancellationReason = try values.text(.cancellationReason)
    row.isTrialPeriod = try values.flag(.isTrialPeriod) ?? false
    row.isInIntroOfferPeriod = try values.flag(.isInIntroOfferPeriod) ?? false
    row.isUpgraded = try values.flag(.isUpgraded) ?? false
    row.inAppOwnershipType = OwnershipType(try values.text(.inAppOwnershipType))
    row.promotionalOfferID = try values.text(.promotionalOfferID)
    row.offerCodeRefName = try values.text(.offerCodeRefName)
    row.appAccountToken = try values.text(.appAccountToken)
    transaction = row
  }
}

/// Element of `pending_renewal_info`, or the top level of an iOS 6 style answer or of a notification.
struct WireRenewalInfo: Decodable {
  let info: RenewalInfo

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    var info = RenewalInfo()
    info.originalTransactionID = try values.text(.originalTransactionID).map(OriginalTransactionID.init)
    info.productID = try values.text(.productID).map(ProductID.init)
    info.autoRenewProductID = try values.text(.autoRenewProductID).map(ProductID.init)
    info.autoRenewStatus = try values.flag(.autoRenewStatus)
    info.expirationIntent = try values.text(.expirationIntent).map(ExpirationIntent.init)
    info.isInBillingRetryPeriod = try values.flag(.isInBillingRetryPeriod)
    info.gracePeriodExpiresDate = try values.instant(
      .gracePeriodExpiresDateMilliseconds, orText: .gracePeriodExpiresDate)
    info.priceConsentStatus = try values.text(.priceConsentStatus)
    info.priceIncreaseStatus = try values.text(.priceIncreaseStatus)
    info.promotionalOfferID = try values.text(.promotionalOfferID)
    info.offerCodeRefName = try values.text(.offerCodeRefName)
    self.info = info
  }
}

/// Newest rows of an answer, or of a notification: *App Store Server Notifications › unified_receipt*.
///
/// The fields are at the top level of an answer, and of a notification before 2020, which contains only the
/// newest transaction, in iOS 6 style. An expired transaction may be in `latest_expired_receipt_info`.
struct WireUnifiedReceipt: Decodable {
  let environment: String?
  let rows: [Transaction]
  let renewalInfos: [RenewalInfo]?
  let latestReceipt: ReceiptData?
  /// Bundle id from the rows; `nil` unless they are in iOS 6 style.
  let bundleID: BundleID?

  let hasData: Bool

  var isEmpty: Bool { rows.isEmpty && latestReceipt == nil }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    environment = try values.text(.environment)
    let status = try values.text(.status)
    let number = status.flatMap { Int($0) }
    guard status == nil || number != nil else {
      throw values.refusal(.status, "cannot be read: it is not a number")
    }
    hasData = number.map { VerifyReceiptStatus(rawValue: $0).meaning(isRetryable: nil) == .data } ?? true
    guard hasData else {
      (rows, renewalInfos, latestReceipt, bundleID) = ([], nil, nil, nil)
      return
    }
    let current: [Element] = try values.list(.latestReceiptInfo) ?? []
    let expired: [Element] = try values.list(.latestExpiredReceiptInfo) ?? []
    let elements = current + expired
    var seen: Set<TransactionID> = []
    rows = elements.compactMap(\.transaction).filter { seen.insert($0.transactionID).inserted }
    bundleID = elements.lazy.compactMap(\.bundleID).first
    let pending: [WireRenewalInfo]? = try values.list(.pendingRenewalInfo)
    renewalInfos = pending?.map(\.info)
    let receipt = try values.text(.latestReceipt) ?? values.text(.latestExpiredReceipt)
    latestReceipt = receipt.flatMap(ReceiptData.init(base64:))
  }

  /// Element of a list of rows; an empty object, which Apple also sends, has no transaction.
  private struct Element: Decodable {
    let transaction: Transaction?
    let bundleID: BundleID?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: WireName.self)
      transaction = values.allKeys.isEmpty ? nil : try WireTransaction(from: decoder).transaction
      bundleID = try values.text(.legacyBundleID).map(BundleID.init)
    }
  }
}

extension StoreEnvironment {
  /// Guesses the environment: transaction ids in the sandbox begin with 1000000 and have 16 digits.
  init(guessedFrom rows: [Transaction]) {
    let isSandbox = rows.contains {
      $0.transactionID.rawValue.hasPrefix("1000000") && $0.transactionID.rawValue.utf8.count == 16
    }
    self = isSandbox ? .sandbox : .production
  }
}
