/// Verified notification of version 2: *App Store Server Notifications › responseBodyV2DecodedPayload*.
public struct SignedNotification: Sendable {
  /// `notificationUUID`, which is equal in every attempt of Apple to send the notification.
  public var uuid: String
  public var type: NotificationType
  public var subtype: String?
  public var signedAt: Instant
  public var environment: StoreEnvironment
  public var bundleID: BundleID?
  /// Content about one chain; `nil` for types without a chain, such as `TEST` and summaries of extensions.
  public var facts: ServerNotification?
  public var rows: [ImportedAnswer]

  public init(
    uuid: String, type: NotificationType, subtype: String? = nil, signedAt: Instant,
    environment: StoreEnvironment, bundleID: BundleID? = nil, facts: ServerNotification? = nil,
    rows: [ImportedAnswer] = []
  ) {
    (self.uuid, self.type, self.subtype, self.signedAt) = (uuid, type, subtype, signedAt)
    (self.environment, self.bundleID, self.facts, self.rows) = (environment, bundleID, facts, rows)
  }

  public var digest: UInt128 { Self.digest(of: uuid) }

  public static func digest(of uuid: String) -> UInt128 {
    let digits = uuid.utf8.filter { $0 != UInt8(ascii: "-") }
    if digits.count == 32, let number = UInt128(String(decoding: digits, as: UTF8.self), radix: 16) {
      return number
    }
    return ImportedNotification.digest(of: uuid)
  }

  /// Whether a validation is needed: a notification about a chain contains only its newest transaction.
  public var asksForValidation: Bool { facts != nil }

  /// Returns a message if Apple's newest signature is dated more than a day ahead of this machine's clock.
  public func lead(over now: Instant) -> String? {
    ImportedAnswer.lead(ofSigned: (rows.compactMap(\.observedAt) + [signedAt]).max() ?? signedAt, over: now)
  }
}

public enum ReceivedNotification: Sendable {
  case ofVersion1(ImportedNotification)
  case signed(SignedNotification)

  public var digest: UInt128 {
    switch self {
    case .ofVersion1(let notification): notification.digest
    case .signed(let notification): notification.digest
    }
  }

  public var type: NotificationType {
    switch self {
    case .ofVersion1(let notification): notification.facts.type
    case .signed(let notification): notification.type
    }
  }
}

/// Attempt of Apple to send a notification: *App Store Server API › sendAttemptItem*.
public struct SendAttempt: Hashable, Sendable, Encodable {
  public var atMs: Instant
  public var result: String

  public init(atMs: Instant, result: String) { (self.atMs, self.result) = (atMs, result) }

  public var succeeded: Bool { result == "SUCCESS" }

  /// Returns the text for the store, with a line such as `1767225600000 SUCCESS` for each attempt.
  package static func text(of attempts: [SendAttempt]) -> String {
    attempts.sorted { $0.atMs < $1.atMs }.map { "\($0.atMs.rawValue) \($0.result)" }.joined(separator: "\n")
  }

  package static func attempts(in text: String) -> [SendAttempt] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let at = Int64(parts[0]) else { return nil }
      return SendAttempt(atMs: Instant(milliseconds: at), result: String(parts[1]))
    }
  }
}
