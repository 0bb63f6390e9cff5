import Subscriptions

/// Notification of version 2, not verified: `{"signedPayload": …}`, bare, or `{"app_user_id": …,
/// "notification": …}`.
public struct KeptSignedNotification: Sendable {
  public let appUserID: AppUserID?
  private let text: String

  init(text: String, appUserID: AppUserID?) {
    (self.text, self.appUserID) = (text, appUserID)
  }

  /// Reason why the text is not signed JSON; `nil` if it has the form of signed JSON.
  var problem: SignedDataProblem? { CompactJWS(text) == nil ? CompactJWS.problem(of: text) : nil }

  /// Verifies the notification and all signed data in it, and returns the content.
  ///
  /// - Parameter apps: apps that the notification may belong to.
  /// - Throws: the reason why the notification is refused.
  public func verified(
    by verifier: SignatureVerifier, for apps: OwnApps
  ) throws(SignedDataProblem) -> SignedNotification {
    let payload = try verifier.read(text, as: SignedNotificationPayload.self)
    try payload.check()
    guard let signedAt = payload.signedAt else { throw .undated }
    let bundle = payload.content?.bundleId.unlessEmpty.map(BundleID.init)
    let environment = try StoreEnvironment(signed: payload.signedEnvironment)
    let rows = try rows(of: payload, in: environment, verifier)
    try apps.check(bundle, appleID: payload.content?.appAppleId, in: environment)
    for row in rows { try check(row.answer, environment, bundle) }
    if let text = payload.content?.signedAppTransactionInfo.unlessEmpty {
      let app = try verifier.read(text, as: SignedAppTransaction.self)
      if let other = app.bundleId.unlessEmpty.map(BundleID.init), let bundle, other != bundle {
        throw .otherApp(other, expected: bundle)
      }
      let own = try StoreEnvironment(signed: app.receiptType.unlessEmpty, within: environment)
      guard own == environment else { throw .otherEnvironment(own, expected: environment) }
    }
    return SignedNotification(
      uuid: payload.notificationUUID, type: NotificationType(payload.notificationType),
      subtype: payload.subtype.unlessEmpty, signedAt: signedAt,
      environment: environment, bundleID: bundle, facts: facts(payload, rows, environment), rows: rows)
  }

  private func rows(
    of payload: SignedNotificationPayload, in environment: StoreEnvironment, _ verifier: SignatureVerifier
  ) throws(SignedDataProblem) -> [ImportedAnswer] {
    var rows: [ImportedAnswer] = []
    for text in [payload.content?.signedTransactionInfo, payload.content?.signedRenewalInfo] {
      guard let text = text.unlessEmpty else { continue }
      guard let jws = CompactJWS(text) else { throw CompactJWS.problem(of: text) }
      rows.append(
        try KeptSignedData(jws: jws, appUserID: appUserID).verified(by: verifier, within: environment))
    }
    return rows
  }

  /// Refuses a row of another app or environment, which Apple does not put into a notification.
  private func check(
    _ row: Answer, _ environment: StoreEnvironment, _ bundle: BundleID?
  ) throws(SignedDataProblem) {
    guard row.environment == environment else {
      throw .otherEnvironment(row.environment, expected: environment)
    }
    if let app = row.bundleID, let bundle, app != bundle { throw .otherApp(app, expected: bundle) }
  }

  private func facts(
    _ payload: SignedNotificationPayload, _ rows: [ImportedAnswer], _ environment: StoreEnvironment
  ) -> ServerNotification? {
    let transaction = rows.lazy.compactMap(\.answer.transactions.first).first
    let renewal = rows.lazy.compactMap(\.answer.renewalInfos.first).first
    guard let chain = transaction?.originalTransactionID ?? renewal?.originalTransactionID,
      // The rows were signed a moment before the notification and are its evidence.
      let observedAt = rows.compactMap(\.observedAt).max()
    else { return nil }
    var facts = ServerNotification(
      type: NotificationType(payload.notificationType), environment: environment,
      originalTransactionID: chain, observedAt: observedAt)
    facts.subtype = payload.subtype.unlessEmpty
    facts.isSigned = true
    facts.transactionID = transaction?.transactionID
    facts.productID = transaction?.productID ?? renewal?.productID
    facts.autoRenewProductID = renewal?.autoRenewProductID
    facts.autoRenewStatus = renewal?.autoRenewStatus
    if facts.type.isTakenBack { facts.cancellationDate = transaction?.cancellationDate }
    return facts
  }
}
