import Subscriptions

/// A notification of version 1 that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "notification": {…}}`.
public struct KeptNotification: Sendable {
  public let notification: ImportedNotification
  /// To be compared with the shared secret of its app before anything else.
  public let password: NotificationPassword?

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let wire: (user: AppUserID?, observedAt: Instant?, body: WireNotification)
    do throws(Misread) {
      wire = try StrictJSON.read(bytes) { (values) throws(Misread) in
        guard values.contains(.notification) else { return (nil, nil, try WireNotification(values)) }
        return (
          try values.text(.appUserID).map(AppUserID.init),
          try values.instant(.observedAtMilliseconds, orText: .observedAtMilliseconds),
          try values.read(.notification, WireNotification.init)
        )
      }
    } catch {
      throw UnreadableAnswer(CompactJWS.isLikely(bytes) ? Misread(.signed) : error, whole: "the body")
    }
    guard let notification = wire.body.notification(for: wire.user, observedAt: wire.observedAt) else {
      throw UnreadableAnswer(reason: "it holds neither original_transaction_id nor a transaction")
    }
    self.notification = notification
    password = wire.body.password
  }
}
