import Subscriptions

/// A notification of version 1 that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "notification": {…}}`.
public struct KeptNotification: Sendable {
  public let notification: ImportedNotification
  /// To be compared with the shared secret of its app before anything else.
  public let password: NotificationPassword?

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let wire: Wire
    do {
      wire = try StrictJSON.decode(Wire.self, from: bytes)
    } catch let error as DecodingError {
      throw Self.isSigned(bytes) ? Self.version2 : UnreadableAnswer(error, whole: "the body")
    } catch is WireNotification.Version2 {
      throw Self.version2
    } catch {
      throw UnreadableAnswer(reason: "it is not JSON")
    }
    guard let notification = wire.body.notification(for: wire.appUserID, observedAt: wire.observedAt) else {
      throw UnreadableAnswer(reason: "it holds neither original_transaction_id nor a transaction")
    }
    self.notification = notification
    password = wire.body.password
  }

  private static let version2 = UnreadableAnswer(reason: "it is of version 2 (signed), which is not read")

  /// Whether it is no JSON but signed JSON: in base64 that begins so.
  private static func isSigned(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("eyJ".utf8)) }

  private struct Wire: Decodable {
    let appUserID: AppUserID?
    let observedAt: Instant?
    let body: WireNotification

    enum CodingKeys: String, CodingKey {
      case appUserID = "app_user_id"
      case observedAt = "observed_at_ms"
      case notification
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      guard values.contains(.notification) else {
        appUserID = nil
        observedAt = nil
        body = try WireNotification(from: decoder)
        return
      }
      appUserID = try values.text(.appUserID).map(AppUserID.init)
      observedAt = try values.instant(.observedAt, orText: .observedAt)
      body = try values.decode(WireNotification.self, forKey: .notification)
    }
  }
}
