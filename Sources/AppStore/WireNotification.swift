import Subscriptions

/// Body of a notification of version 1: *App Store Server Notifications › responseBodyV1*.
struct WireNotification: Decodable {
  let type: NotificationType
  let password: NotificationPassword?
  private let environment: String?
  private let bundleID: BundleID?
  private let webOrderLineItemID: WebOrderLineItemID?
  private let autoRenewStatusChangeDate: Instant?
  private let cancellationDate: Instant?
  /// Renewal info from the fields at the top level; `nil` if there are no such fields.
  private let renewal: RenewalInfo?
  private let originalTransactionID: OriginalTransactionID?
  private let receipt: WireUnifiedReceipt
  private let isUnified: Bool

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    guard !values.contains(.signedPayload), !values.contains(.notificationUUID) else { throw Self.ofVersion2 }
    type = NotificationType(try values.requiredText(.notificationType))
    // Accepts only text, because a number would lose its leading zeros.
    password = try values.string(.password).map(NotificationPassword.init)
    bundleID = try values.text(.legacyBundleID).map(BundleID.init)
    environment = try values.text(.environment)
    webOrderLineItemID = try values.text(.webOrderLineItemID).map(WebOrderLineItemID.init)
    autoRenewStatusChangeDate = try values.instant(
      .autoRenewStatusChangeDateMilliseconds, orText: .autoRenewStatusChangeDate)
    cancellationDate = try values.instant(.cancellationDateMilliseconds, orText: .cancellationDate)
    let top = try WireRenewalInfo(from: decoder).info
    originalTransactionID = top.originalTransactionID
    let renewalNames: [WireName] = [
      .autoRenewProductID, .autoRenewStatus, .expirationIntent, .isInBillingRetryPeriod,
    ]
    renewal = renewalNames.contains(where: values.contains) ? top : nil
    let unified = try values.decodeIfPresent(WireUnifiedReceipt.self, forKey: .unifiedReceipt)
    isUnified = unified?.rows.isEmpty == false
    receipt = try unified.flatMap { $0.isEmpty ? nil : $0 } ?? WireUnifiedReceipt(from: decoder)
  }

  /// Error for a version 2 notification that was decoded before its import and has lost its signature.
  static let ofVersion2 = UnreadableAnswer(
    reason: "it is a decoded version 2 notification; import the original body with signedPayload")

  /// Returns the notification; `nil` if it does not identify its chain.
  func notification(for user: AppUserID?, observedAt: Instant?, digest: UInt128) -> ImportedNotification? {
    let named = originalTransactionID ?? (type.isTakenBack ? nil : chainOfNextProduct)
    let row = subject(among: receipt.rows.filter { named == nil || $0.originalTransactionID == named })
    guard
      let chain = named ?? row?.originalTransactionID
        ?? pending.lazy.compactMap(\.originalTransactionID).first
    else { return nil }
    var answer = Answer(
      environment: (receipt.environment ?? environment).map(StoreEnvironment.init)
        ?? StoreEnvironment(guessedFrom: receipt.rows),
      bundleID: bundleID ?? receipt.bundleID, transactions: receipt.rows,
      renewalInfos: receipt.renewalInfos ?? renewal.map { [top($0, of: chain, row)] } ?? [],
      latestReceipt: receipt.latestReceipt)
    if observedAt == nil { answer.lagging = Set(receipt.rows.map(\.transactionID)) }
    let shown = answer.chainsOfLatestReceipt
    if let shown, !shown.contains(chain) { answer.latestReceipt = nil }
    return ImportedNotification(
      facts: facts(chain, row, answer, observedAt: observedAt), answer: answer, isUnified: isUnified,
      appUserID: user, observedAt: observedAt, digest: digest,
      chainsOfReceipt: answer.latestReceipt == nil ? [] : shown ?? [])
  }

  private func facts(
    _ chain: OriginalTransactionID, _ row: Transaction?, _ answer: Answer, observedAt: Instant?
  ) -> ServerNotification {
    var facts = ServerNotification(
      type: type, environment: answer.environment, originalTransactionID: chain,
      observedAt: observedAt ?? .distantPast)
    let pending =
      answer.renewalInfos.first { $0.originalTransactionID == chain }
      ?? answer.renewalInfos.first { $0.originalTransactionID == nil && $0.productID == row?.productID }
    facts.transactionID = row?.transactionID
    facts.productID = row?.productID
    facts.autoRenewProductID = renewal?.autoRenewProductID ?? pending?.autoRenewProductID
    facts.autoRenewStatus = renewal?.autoRenewStatus ?? pending?.autoRenewStatus
    facts.autoRenewStatusChangeDate = autoRenewStatusChangeDate
    facts.cancellationDate = cancellationDate ?? (type.isTakenBack ? row?.cancellationDate : nil)
    return facts
  }

  /// Adds the chain and the product to a top-level renewal info; bodies before 2021 lack the chain.
  private func top(_ info: RenewalInfo, of chain: OriginalTransactionID, _ row: Transaction?) -> RenewalInfo {
    var info = info
    info.originalTransactionID = chain
    info.productID = info.productID ?? row?.productID
    return info
  }

  private var pending: [RenewalInfo] { receipt.renewalInfos ?? [] }

  /// Chain of the pending info for the top-level next product, because notifications of 2020 name no chain.
  private var chainOfNextProduct: OriginalTransactionID? {
    guard let product = renewal?.autoRenewProductID, webOrderLineItemID == nil else { return nil }
    return pending.first { $0.autoRenewProductID == product }?.originalTransactionID
  }

  /// Returns the row that the notification is about, which is the first of these that exists.
  ///
  /// - The row with the notification's `web_order_line_item_id`.
  /// - For a refund or revocation: the last row with the notification's cancellation date, or else the last
  ///   cancelled row.
  /// - The newest row of a subscription, unless the notification is a consumption request.
  /// - The newest row.
  private func subject(among rows: [Transaction]) -> Transaction? {
    if let id = webOrderLineItemID, let named = rows.first(where: { $0.webOrderLineItemID == id }) {
      return named
    }
    if type.isTakenBack {
      let cancelled = rows.filter { $0.cancellationDate != nil }
      let dated = cancelled.filter { $0.cancellationDate == cancellationDate }
      let last = (dated.isEmpty ? cancelled : dated).max { left, right in
        (left.cancellationDate ?? .distantPast, left.purchaseDate, left.transactionID)
          < (right.cancellationDate ?? .distantPast, right.purchaseDate, right.transactionID)
      }
      if let last { return last }
    }
    let subscriptions = type == .consumptionRequest ? [] : rows.filter { $0.expiresDate != nil }
    return (subscriptions.isEmpty ? rows : subscriptions).max(by: Transaction.inOrder)
  }
}

/// Shared secret in clear text from a notification; it is compared, but never printed.
public struct NotificationPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package let text: String

  package init(_ text: String) { self.text = text }

  public var description: String { "password" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
