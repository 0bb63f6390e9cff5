import Subscriptions

/// Body of a server notification of either version, whose sender is not verified.
public enum NotificationBody: Sendable {
  case version1(KeptNotification)
  case version2(KeptSignedNotification)

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    if let signed = try Self.signed(bytes) {
      self = .version2(signed)
    } else {
      self = .version1(try KeptNotification(decoding: bytes))
    }
  }

  /// Returns the notification of version 2, or `nil` if the body is not one.
  private static func signed(_ bytes: [UInt8]) throws(UnreadableAnswer) -> KeptSignedNotification? {
    // Notification histories list bare payloads. Lines of files from Windows end with a carriage return.
    let bare = bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    if CompactJWS.isLikely(bare), bare.count <= FieldLimits.signedNotification {
      let text = String(decoding: bare, as: UTF8.self)
      let kept = KeptSignedNotification(text: text, appUserID: nil)
      switch kept.problem {
      case nil: return kept
      case .notSigned: return nil
      case let problem?: throw UnreadableAnswer(reason: "\(problem)")
      }
    }
    guard bytes.firstRange(of: Array("\"signedPayload\"".utf8)) != nil else { return nil }
    let body = try StrictJSON.decode(SignedBody.self, from: bytes, as: "the body")
    guard let text = body.signedPayload else { return nil }
    let kept = KeptSignedNotification(text: text, appUserID: body.appUserID)
    if let problem = kept.problem { throw UnreadableAnswer(reason: "\(problem)") }
    return kept
  }
}

private struct SignedBody: Decodable {
  let appUserID: AppUserID?
  let signedPayload: String?

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    appUserID = try values.text(.appUserID).map(AppUserID.init)
    let body =
      values.contains(.notification)
      ? try values.nestedContainer(keyedBy: WireName.self, forKey: .notification) : values
    signedPayload = try body.string(.signedPayload)
  }
}
