import FoundationEssentials
import Subscriptions

/// Server notification of version 1 or 2, whose sender has not been verified.
public enum NotificationBody: Sendable {
  case version1(KeptNotification)
  case version2(KeptSignedNotification)

  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    if let signed = try Self.signed(bytes) {
      self = .version2(signed)
    } else {
      self = .version1(try KeptNotification(decoding: bytes))
    }
  }

  private static func signed(_ bytes: [UInt8]) throws(UnreadableAnswer) -> KeptSignedNotification? {
    // Histories have bare signed payloads; lines of files from Windows end with a carriage return.
    let bare = bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    if CompactJWS.isLikely(bare), bare.count <= FieldLimits.signedNotification {
      return try kept(String(decoding: bare, as: UTF8.self), of: nil)
    }
    guard bytes.firstRange(of: Array("\"signedPayload\"".utf8)) != nil else { return nil }
    let body = try StrictJSON.decode(SignedBody.self, from: bytes, as: "the body")
    guard let text = body.signedPayload else { return nil }
    return try kept(text, of: body.appUserID)
  }

  private static func kept(
    _ text: String, of user: AppUserID?
  ) throws(UnreadableAnswer) -> KeptSignedNotification {
    guard CompactJWS(text) != nil else { throw UnreadableAnswer(reason: "\(SignedDataProblem.notSigned)") }
    return KeptSignedNotification(text: text, appUserID: user)
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

/// Version 1 notification: bare, or `{"app_user_id": …, "observed_at_ms": …, "notification": {…}}`.
public struct KeptNotification: Sendable {
  public let notification: ImportedNotification
  /// Password that must match the app's shared secret before the notification may be used.
  public let password: NotificationPassword?

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
      throw UnreadableAnswer(reason: "it contains neither original_transaction_id nor a transaction")
    }
    self.notification = notification
    password = kept.body.password
  }

  /// Returns a digest that ignores the password, which can differ between copies of the same notification.
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

/// JSON value as text for digests, independent of white space and the order of members.
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
      // All numbers outside the range of `Double` get the same text. Apple does not send such numbers.
      text = Self.tagged("d", (try? value.decode(Double.self)).map { String($0) } ?? "")
    }
  }

  static func text(of members: [String: CanonicalJSON]) -> String {
    let sorted = members.sorted { $0.key < $1.key }
    return "{\(sorted.map { Self.tagged("k", $0.key) + $0.value.text }.joined())}"
  }

  /// Prefixes content with its kind and its length, which makes joined texts unambiguous.
  private static func tagged(_ kind: String, _ content: String) -> String {
    "\(kind)\(content.utf8.count):\(content)"
  }
}
