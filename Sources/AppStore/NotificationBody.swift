import Subscriptions

/// The body of a server notification of either version. Nobody has checked whose it is.
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

  /// Nil where it is not of version 2, or nothing at all.
  private static func signed(_ bytes: [UInt8]) throws(UnreadableAnswer) -> KeptSignedNotification? {
    // As notification histories list them; a line of a file from Windows ends with a carriage return.
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
    let kept: KeptSignedNotification?
    do throws(Misread) {
      kept = try StrictJSON.read(bytes) { (values) throws(Misread) in
        let user = try values.text(.appUserID).map(AppUserID.init)
        let text =
          values.contains(.notification)
          ? try values.read(.notification) { (inner) throws(Misread) in try inner.string(.signedPayload) }
          : try values.string(.signedPayload)
        return text.map { KeptSignedNotification(text: $0, appUserID: user) }
      }
    } catch {
      throw UnreadableAnswer(error, whole: "the body")
    }
    if let problem = kept?.problem { throw UnreadableAnswer(reason: "\(problem)") }
    return kept
  }
}
