import Subscriptions

/// Payload of a signed notification, in Apple's names: *App Store Server Notifications ›
/// responseBodyV2DecodedPayload*.
///
/// Unknown members are ignored. Unknown types and subtypes are kept.
struct SignedNotificationPayload: SignedPayload {
  let notificationType: String
  let subtype: String?
  let notificationUUID: String
  let signedDate: Int64?
  let data: Content?
  let summary: Content?
  let externalPurchaseToken: Content?
  let appData: Content?

  /// Any of the four objects; a notification has one. They share most of the members that matter here.
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

  /// Before 2022 only the transaction inside has a date; its signature is verified separately.
  var signedAt: Instant? {
    (signedDate ?? content?.signedTransactionInfo.flatMap(Self.signedDate)).map(Instant.init(milliseconds:))
  }

  var signedEnvironment: String? {
    if let environment = content?.environment.unlessEmpty { return environment }
    // The id of a token shows its environment: *externalPurchaseId*.
    return content?.externalPurchaseId.unlessEmpty.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
  }

  private static func signedDate(of text: String) -> Int64? {
    struct Dated: Decodable { var signedDate: Int64? }
    return CompactJWS(text).flatMap { CompactJWS.unverified($0.payload, as: Dated.self)?.signedDate }
  }

  func check() throws(SignedDataProblem) {
    var fields = SignedFields()
    fields.check("notificationType", id: notificationType, FieldLimits.text, isRequired: true)
    fields.check("notificationUUID", id: notificationUUID, isRequired: true)
    fields.check("subtype", subtype, FieldLimits.text)
    fields.check("bundleId", id: content?.bundleId, FieldLimits.name)
    fields.check("environment", content?.environment, FieldLimits.text)
    fields.check("signedDate", date: signedDate)
    if let problem = fields.problem { throw problem }
  }
}

/// An app transaction in a notification. It is verified but not stored.
struct SignedAppTransaction: SignedPayload {
  let bundleId: String?
  let receiptCreationDate: Int64?
  let receiptType: String?

  var signedAt: Instant? { receiptCreationDate.map(Instant.init(milliseconds:)) }
}
