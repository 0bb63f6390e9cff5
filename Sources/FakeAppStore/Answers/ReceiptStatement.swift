import FoundationEssentials
import Subscriptions

/// Successful answer, with status 0 or 21006: *App Store Receipts › responseBody*.
struct ReceiptStatement {
  var subscriber: Subscriber
  var life: Life
  let now: Instant
  let excludingOld: Bool
  /// Value for `request_date` that a fault has set; `nil` for `now`.
  var requestDate: Instant?
  /// Purchases of another customer that a fault adds to the answer.
  var strangers = Life.empty

  var answer: FakeAnswer {
    // An iOS 6 style receipt without purchases gets an answer in the modern format.
    if subscriber.kind == .legacy, !life.lines.isEmpty { return legacy }
    let rows = lines.flatMap { $0.transactions(at: now) }
    let hasRows = !rows.isEmpty
    let infos = lines.compactMap { $0.renewalInfo(at: now) }
    return FakeAnswer(
      status: 0,
      [
        "environment": JSON(subscriber.environment.rawValue), "receipt": receipt,
        "latest_receipt_info": hasRows ? .list(shown(rows).map(JSON.latestReceiptInfo)) : nil,
        "latest_receipt": hasRows ? latestReceipt : nil,
        "pending_renewal_info": hasRows ? .list(infos.map(JSON.pendingRenewalInfo)) : nil,
      ])
  }

  private var lines: [LineLife] { life.lines + strangers.lines }

  private var latestReceipt: JSON {
    .text(Data(subscriber.receipt(of: life, at: now)).base64EncodedString())
  }

  private var receipt: JSON {
    let isSandbox = subscriber.isSandbox
    let created = subscriber.deviceReceiptDate(life, at: now)
    let oneTime = (life.oneTime + strangers.oneTime).compactMap { $0.transaction(at: now) }
    let inApp = oneTime + lines.flatMap { $0.transactions(at: created) }
    let appleID = JSON.number(isSandbox ? 0 : FakeCatalog.appleID(of: subscriber.bundleID))
    let members: JSON.Members = [
      ("receipt_type", JSON(subscriber.receiptType)), ("adam_id", appleID),
      ("app_item_id", appleID),
      ("bundle_id", JSON(subscriber.bundleID.rawValue)), ("application_version", "431"),
      ("download_id", .number(isSandbox ? 0 : 500_000_000_000_000_000 + Int64(subscriber.index))),
      ("version_external_identifier", .number(isSandbox ? 0 : 858_114_207)),
      ("original_application_version", isSandbox ? "1.0" : "212"),
      ("in_app", .list(inApp.map { JSON.inApp($0) })),
    ]
    let installed = isSandbox ? Self.sandboxPurchase : min(subscriber.starts, subscriber.founded)
    return .object(
      members + JSON.date("receipt_creation_date", created) + JSON.date("request_date", requestDate ?? now)
        + JSON.date("original_purchase_date", installed))
  }

  /// Original purchase date of every app in the sandbox: 2013-08-01.
  private static let sandboxPurchase = Instant(milliseconds: 1_375_340_400_000)

  /// Returns all rows, newest first or, for a tenth of the subscribers, oldest first.
  ///
  /// If `excludingOld`, returns only the newest row of each subscription.
  private func shown(_ rows: [Transaction]) -> [Transaction] {
    if excludingOld { return newest(of: rows) }
    let sorted = rows.sorted(by: Transaction.inOrder)
    return subscriber.sorting < 10 ? sorted : sorted.reversed()
  }

  private func newest(of rows: [Transaction]) -> [Transaction] {
    lines.compactMap { line in
      rows.filter { $0.originalTransactionID == line.customer.originalTransactionID }
        .max { ($0.expiresDate ?? .distantPast) < ($1.expiresDate ?? .distantPast) }
    }
  }

  /// Answer to an iOS 6 style receipt, with objects instead of arrays, and status 21006 after the expiry.
  private var legacy: FakeAnswer {
    let rows = life.lines.flatMap { $0.transactions(at: now) }
    guard let first = rows.first, let latest = rows.max(by: Transaction.inOrder) else {
      return .refusal(21003)
    }
    let isExpired = (latest.expiresDate ?? .distantPast) <= now
    let info = life.lines.first?.renewalInfo(at: now)
    let newest = JSON.legacyTransaction(latest, of: subscriber.bundleID)
    return FakeAnswer(
      status: isExpired ? 21006 : 0,
      [
        "auto_renew_product_id": JSON(info?.autoRenewProductID?.rawValue),
        "auto_renew_status": .number(info?.autoRenewStatus == true ? 1 : 0),
        "expiration_intent": isExpired ? JSON(info?.expirationIntent?.rawValue) : nil,
        "is_in_billing_retry_period": isExpired ? JSON.digit(info?.isInBillingRetryPeriod == true) : nil,
        "latest_receipt": isExpired ? nil : latestReceipt,
        "latest_receipt_info": isExpired ? nil : newest,
        "latest_expired_receipt_info": isExpired ? newest : nil,
        "receipt": JSON.legacyTransaction(first, of: subscriber.bundleID),
      ])
  }
}

extension JSON {
  /// Encodes a date in Apple's three forms: UTC text, milliseconds as a string, and text in Pacific time.
  fileprivate static func date(_ key: String, _ instant: Instant?) -> Members {
    guard let instant else { return [] }
    return [
      (key, dateText(instant, zone: "Etc/GMT")), (key + "_ms", .text(String(instant.rawValue))),
      (key + "_pst", dateText(instant + PacificTime.offset(at: instant), zone: "America/Los_Angeles")),
    ]
  }

  private static func dateText(_ local: Instant, zone: String) -> JSON {
    .text("\(local.dateText) \(local.clockText) \(zone)")
  }

  fileprivate static func digit(_ flag: Bool) -> JSON { .text(flag ? "1" : "0") }

  private static func word(_ flag: Bool) -> JSON { .text(flag ? "true" : "false") }

  fileprivate static func latestReceiptInfo(_ row: Transaction) -> JSON {
    inApp(
      row,
      [
        ("subscription_group_identifier", JSON(row.subscriptionGroupIdentifier?.rawValue)),
        ("is_upgraded", row.isUpgraded ? "true" : nil), ("offer_code_ref_name", JSON(row.offerCodeRefName)),
      ])
  }

  /// Encodes a *responseBody.Receipt.In_app*, without the group and other fields that only the server knows.
  fileprivate static func inApp(_ row: Transaction, _ more: Members = []) -> JSON {
    let members: Members = [
      ("promotional_offer_id", JSON(row.promotionalOfferID)),
      ("app_account_token", JSON(row.appAccountToken)),
    ]
    return .object(members + common(row) + date("expires_date", row.expiresDate) + more)
  }

  private static func common(_ row: Transaction) -> Members {
    let members: Members = [
      ("quantity", "1"), ("original_transaction_id", JSON(row.originalTransactionID.rawValue)),
      ("is_in_intro_offer_period", row.expiresDate == nil ? nil : word(row.isInIntroOfferPeriod)),
      ("product_id", JSON(row.productID.rawValue)), ("transaction_id", JSON(row.transactionID.rawValue)),
      ("web_order_line_item_id", JSON(row.webOrderLineItemID?.rawValue)),
      ("is_trial_period", word(row.isTrialPeriod)), ("cancellation_reason", JSON(row.cancellationReason)),
      ("in_app_ownership_type", JSON(row.inAppOwnershipType.rawValue)),
    ]
    return members + date("purchase_date", row.purchaseDate)
      + date("original_purchase_date", row.originalPurchaseDate)
      + date("cancellation_date", row.cancellationDate)
  }

  /// Encodes a transaction of an iOS 6 style answer, whose `expires_date` is milliseconds.
  fileprivate static func legacyTransaction(_ row: Transaction, of app: BundleID) -> JSON {
    let expires = row.expiresDate
    let local = expires.map { $0 + PacificTime.offset(at: $0) }
    let members: Members = [
      ("bvrs", "431"), ("item_id", "1450000002"), ("app_item_id", "1450000001"), ("bid", JSON(app.rawValue)),
      ("subscription_group_identifier", JSON(row.subscriptionGroupIdentifier?.rawValue)),
      ("expires_date", JSON((expires?.rawValue).map { String($0) })),
      ("expires_date_formatted", expires.map { dateText($0, zone: "Etc/GMT") }),
      ("expires_date_formatted_pst", local.map { dateText($0, zone: "America/Los_Angeles") }),
    ]
    return .object(members + common(row))
  }

  /// Encodes a *responseBody.Pending_renewal_info*, whose flags are "0" and "1".
  fileprivate static func pendingRenewalInfo(_ info: RenewalInfo) -> JSON {
    let members: Members = [
      ("expiration_intent", JSON(info.expirationIntent?.rawValue)),
      ("auto_renew_product_id", JSON(info.autoRenewProductID?.rawValue)),
      ("original_transaction_id", JSON(info.originalTransactionID?.rawValue)),
      ("is_in_billing_retry_period", info.isInBillingRetryPeriod.map(digit)),
      ("product_id", JSON(info.productID?.rawValue)), ("auto_renew_status", info.autoRenewStatus.map(digit)),
      ("price_consent_status", JSON(info.priceConsentStatus)),
      ("price_increase_status", JSON(info.priceIncreaseStatus)),
      ("promotional_offer_id", JSON(info.promotionalOfferID)),
      ("offer_code_ref_name", JSON(info.offerCodeRefName)),
    ]
    return .object(members + date("grace_period_expires_date", info.gracePeriodExpiresDate))
  }
}

/// Answer to a verifyReceipt request, with Apple's `status`; the HTTP status is always 200.
public struct FakeAnswer: Sendable, Hashable {
  public var status: Int
  public var body: [UInt8]

  fileprivate init(status: Int, _ members: KeyValuePairs<String, JSON?>) {
    self.status = status
    body = JSON.object(members.map { ($0.key, $0.value) } + [("status", .number(Int64(status)))]).bytes
  }

  /// Returns an answer without data; Apple sends the environment only for some statuses.
  static func refusal(_ status: Int, environment: String? = nil, isRetryable: Bool? = nil) -> FakeAnswer {
    FakeAnswer(
      status: status,
      ["environment": JSON(environment), "is-retryable": isRetryable.map { .number($0 ? 1 : 0) }])
  }
}

/// Paths of verifyReceipt.
public enum FakeEndpoint: String, Sendable, CaseIterable {
  case production = "/verifyReceipt"
  case sandbox = "/sandbox/verifyReceipt"
}

extension Subscriber {
  /// Returns the receipt at an instant; it changes only when the purchases change.
  func receipt(of life: Life, at t: Instant) -> [UInt8] {
    let issued = life.lastChange(upTo: t) ?? founded
    let renewals = life.lines.flatMap { $0.transactions(at: issued) }
    if kind == .legacy { return FakeReceipt.legacy(of: self, renewals.max(by: Transaction.inOrder)) }
    let rows = renewals + life.oneTime.compactMap { $0.transaction(at: issued) }
    // Apple's receipts have every row. These have only the newest row of each chain and the last eight rows.
    var chains: Set<OriginalTransactionID> = []
    let newest = Set(
      rows.indices.sorted { Transaction.inOrder(rows[$1], rows[$0]) }
        .filter { chains.insert(rows[$0].originalTransactionID).inserted })
    let held = rows.indices.filter { newest.contains($0) || $0 >= rows.count - 8 }.map { rows[$0] }
    return FakeReceipt.container(of: self, rows: held)
  }

  /// Returns the date of the device's receipt: at least `lag` old, but not before the first purchase.
  func deviceReceiptDate(_ life: Life, at t: Instant) -> Instant {
    let first = (life.lines.compactMap { $0.rows.first?.visibleFrom } + life.oneTime.map(\.visibleFrom))
      .filter { $0 <= t }.min()
    let step = max(lag, Milliseconds.day)
    let lagging = Instant(milliseconds: t.rawValue - (t.rawValue - founded.rawValue) % step - lag)
    return max(first ?? lagging, lagging).wholeSecond
  }
}
