import FoundationEssentials
import Subscriptions

/// Stored notification of version 1: bare, or `{"app_user_id": …, "observed_at_ms": …, "notification": {…}}`.
public struct KeptNotification: Sendable {
  public let notification: ImportedNotification
  /// Password to compare with the shared secret of the app before the notification is used.
  public let password: NotificationPassword?

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let kept: Kept<WireNotification>
    do throws(UnreadableAnswer) {
      kept = try StrictJSON.decode(from: bytes, as: "the body")
    } catch {
      throw CompactJWS.isLikely(bytes) ? WireNotification.ofVersion2 : error
    }
    let notification = kept.body.notification(
      for: kept.appUserID, observedAt: kept.observedAt, digest: Self.digest(of: bytes))
    guard let notification else {
      throw UnreadableAnswer(reason: "it holds neither original_transaction_id nor a transaction")
    }
    self.notification = notification
    password = kept.body.password
  }

  /// Digest of all members except the password, which may change while the notification stays the same.
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

/// JSON value in a form that white space and the order of members do not change, for digests.
private struct CanonicalJSON: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let string = try? value.decode(String.self) {
      text = Self.tagged("s", string)
    } else if value.decodeNil() {
      text = "n"
    } else if let members = try? value.decode([String: CanonicalJSON].self) {
      text = Self.text(of: members)
    } else if let elements = try? value.decode([CanonicalJSON].self) {
      text = "[\(elements.map(\.text).joined())]"
    } else if let integer = try? value.decode(Int64.self) {
      text = Self.tagged("i", String(integer))
    } else if let flag = try? value.decode(Bool.self) {
      text = flag ? "t" : "f"
    } else {
      // Numbers beyond the range of `Double` are all alike. Apple sends none.
      text = Self.tagged("d", (try? value.decode(Double.self)).map { String($0) } ?? "")
    }
  }

  static func text(of members: [String: CanonicalJSON]) -> String {
    let sorted = members.sorted { $0.key < $1.key }
    return "{\(sorted.map { Self.tagged("k", $0.key) + $0.value.text }.joined())}"
  }

  /// The length keeps one text from reading like two.
  private static func tagged(_ kind: String, _ content: String) -> String {
    "\(kind)\(content.utf8.count):\(content)"
  }
}
