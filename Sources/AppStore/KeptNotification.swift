import FoundationEssentials
import Subscriptions

/// A notification of version 1 that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "notification": {…}}`.
public struct KeptNotification: Sendable {
  public let notification: ImportedNotification
  /// To be compared with the shared secret of its app before anything else.
  public let password: NotificationPassword?

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let kept: Kept<WireNotification>
    do throws(UnreadableAnswer) {
      kept = try StrictJSON.decode(from: bytes, as: "the body")
    } catch {
      throw CompactJWS.isLikely(bytes) ? WireNotification.signed : error
    }
    let notification = kept.body.notification(
      for: kept.appUserID, observedAt: kept.observedAt, digest: Self.digest(of: bytes))
    guard let notification else {
      throw UnreadableAnswer(reason: "it holds neither original_transaction_id nor a transaction")
    }
    self.notification = notification
    password = kept.body.password
  }

  /// Digest of everything but the password, which changes while the notification stays the same.
  private static func digest(of bytes: [UInt8]) -> UInt128 {
    struct Members: Decodable {
      let all: [String: CanonicalJSON]

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: WireName.self)
        all =
          values.contains(.notification)
          ? try values.decode([String: CanonicalJSON].self, forKey: .notification)
          : try [String: CanonicalJSON](from: decoder)
      }
    }
    let members = (try? JSONDecoder().decode(Members.self, from: Data(bytes)))?.all ?? [:]
    let others = members.filter { $0.key != WireName.password.rawValue }
    return ImportedNotification.digest(of: CanonicalJSON.text(of: others))
  }
}
