import Subscriptions

/// Unverified signed transaction or renewal info: bare, `signedTransactionInfo` or `signedRenewalInfo`.
public struct KeptSignedData: Sendable {
  public let appUserID: AppUserID?
  public let jws: CompactJWS

  init(jws: CompactJWS, appUserID: AppUserID?) { (self.jws, self.appUserID) = (jws, appUserID) }

  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    // Lines of files from Windows end with a carriage return.
    let bare = bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    var (text, user): (String, AppUserID?) = (String(decoding: bare, as: UTF8.self), nil)
    if !CompactJWS.isLikely(bare) {
      let line = try StrictJSON.decode(Line.self, from: bytes, as: "the line")
      (text, user) = (line.text, line.appUserID)
    }
    guard let jws = CompactJWS(text) else { throw UnreadableAnswer(reason: "\(SignedDataProblem.notSigned)") }
    (appUserID, self.jws) = (user, jws)
  }

  /// Verifies the data and returns its content.
  ///
  /// - Parameter outer: Environment of the enclosing payload, used if the data does not name one.
  public func verified(
    by verifier: SignatureVerifier, for apps: OwnApps = OwnApps(), within outer: StoreEnvironment? = nil
  ) throws(SignedDataProblem) -> ImportedAnswer {
    let row = try verifier.read(jws.text, as: SignedRow.self)
    guard let signedAt = row.signedAt else { throw .undated }
    var answer = Answer(
      environment: try StoreEnvironment(signed: row.signedEnvironment, within: outer), requestDate: signedAt)
    if let signed = row.transaction {
      answer.bundleID = signed.bundleID
      answer.transactions = [try signed.transaction()]
    }
    if let signed = row.renewal {
      answer.renewalInfos = [try signed.renewalInfo()]
      answer.renewalTerms = [signed.terms].compactMap(\.self)
    }
    try apps.check(answer)
    return ImportedAnswer(
      answer: answer, status: 0, appUserID: appUserID, observedAt: signedAt,
      signed: SignedText(
        header: String(jws.header), payload: String(jws.payload), signature: String(jws.signature)))
  }
}

extension StoreEnvironment {
  init(signed name: String?, within outer: StoreEnvironment? = nil) throws(SignedDataProblem) {
    switch name {
    case Self.production.rawValue: self = .production
    case Self.sandbox.rawValue: self = .sandbox
    case nil:
      guard let outer else { throw .refused("it does not contain its environment, Production or Sandbox") }
      self = outer
    case "Xcode", "LocalTesting": throw .local
    case let name?:
      throw .refused("its environment is \(printable(name)), neither Production nor Sandbox")
    }
  }
}

private struct Line: Decodable {
  let text: String
  let appUserID: AppUserID?

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    guard let text = try values.string(.signedTransactionInfo) ?? values.string(.signedRenewalInfo) else {
      let isNotification = values.contains(.signedPayload) || values.contains(.notification)
      throw isNotification
        ? UnreadableAnswer(reason: "\(SignedDataProblem.notification)")
        : values.refusal(.signedTransactionInfo, "is missing")
    }
    self.text = text
    appUserID = try values.text(.appUserID).map(AppUserID.init)
  }
}

private struct SignedRow: SignedPayload {
  let transaction: SignedTransaction?
  let renewal: SignedRenewalInfo?

  private enum CodingKeys: CodingKey { case transactionId, notificationType }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    // A renewal info has no required member, so a notification would be decoded as an empty renewal info.
    guard !members.contains(.notificationType) else { throw SignedDataProblem.notification }
    let isTransaction = members.contains(.transactionId)
    transaction = isTransaction ? try SignedTransaction(from: decoder) : nil
    renewal = isTransaction ? nil : try SignedRenewalInfo(from: decoder)
  }

  var signedAt: Instant? { transaction?.signedAt ?? renewal?.signedAt }
  var signedEnvironment: String? { transaction?.signedEnvironment ?? renewal?.signedEnvironment }
}
