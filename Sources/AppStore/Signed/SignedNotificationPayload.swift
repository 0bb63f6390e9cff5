import Subscriptions

/// Payload of a notification: *App Store Server Notifications › responseBodyV2DecodedPayload*.
struct SignedNotificationPayload: SignedPayload {
  let notificationType: String
  let subtype: String?
  let notificationUUID: String
  let signedDate: Int64?
  let data: Content?
  let summary: Content?
  let externalPurchaseToken: Content?
  let appData: Content?

  /// Common type of the four optional objects; a notification has only one of them.
  struct Content: Decodable {
    let appAppleId: Int64?
    let bundleId: String?
    let environment: String?
    let signedTransactionInfo: String?
    let signedRenewalInfo: String?
    let signedAppTransactionInfo: String?
    let externalPurchaseId: String?
  }

  static var limit: (what: String, bytes: Int) { ("a signed notification", FieldLimits.signedNotification) }

  var content: Content? { data ?? summary ?? externalPurchaseToken ?? appData }

  /// Signing date of the notification or, before 2022, of its transaction, which is verified separately.
  var signedAt: Instant? {
    (signedDate ?? content?.signedTransactionInfo.flatMap(Self.signedDate)).map(Instant.init(milliseconds:))
  }

  var signedEnvironment: String? {
    if let environment = content?.environment.unlessEmpty { return environment }
    // The prefix of the id shows the environment: *externalPurchaseId*.
    return content?.externalPurchaseId.unlessEmpty.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
  }

  private static func signedDate(of text: String) -> Int64? {
    struct Dated: Decodable { var signedDate: Int64? }
    return CompactJWS(text).flatMap { CompactJWS.unverified($0.payload, as: Dated.self)?.signedDate }
  }
}

/// App transaction in a notification: verified, but not stored.
struct SignedAppTransaction: SignedPayload {
  let bundleId: String?
  let receiptCreationDate: Int64?
  let receiptType: String?

  var signedAt: Instant? { receiptCreationDate.map(Instant.init(milliseconds:)) }
}

/// Unverified version 2 notification: a bare JWS, `{"signedPayload": …}`, or that object as `notification`.
public struct KeptSignedNotification: Sendable {
  public let appUserID: AppUserID?
  private let text: String

  init(text: String, appUserID: AppUserID?) { (self.text, self.appUserID) = (text, appUserID) }

  /// Verifies the notification and all signed data in it, and returns the content.
  public func verified(
    by verifier: SignatureVerifier, for apps: OwnApps
  ) throws(SignedDataProblem) -> SignedNotification {
    let payload = try verifier.read(text, as: SignedNotificationPayload.self)
    try SignedLimits.check(payload)
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
      guard let jws = CompactJWS(text) else { throw .notSigned }
      rows.append(
        try KeptSignedData(jws: jws, appUserID: appUserID).verified(by: verifier, within: environment))
    }
    return rows
  }

  /// Throws if a row of the notification is for another app or environment; Apple sends no such rows.
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
      // The facts come from the rows, which were signed a moment before the notification.
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
