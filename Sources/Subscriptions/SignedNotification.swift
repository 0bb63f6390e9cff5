/// A server notification of version 2, which Apple signed: *App Store Server Notifications › responseBodyV2DecodedPayload*.
///
/// Whoever makes one has verified it, and everything signed within it.
public struct SignedNotification: Sendable {
  /// The same however often Apple sends it: `notificationUUID`.
  public var uuid: String
  public var type: NotificationType
  public var subtype: String?
  /// Apple's clock when it signed it.
  public var signedAt: Instant
  public var environment: StoreEnvironment
  public var bundleID: BundleID?
  /// What it tells of its chain; nil where it speaks of none, as `TEST` and the summaries of extensions do.
  public var facts: ServerNotification?
  /// The signed transaction and renewal info in it.
  public var rows: [ImportedAnswer]

  public init(
    uuid: String, type: NotificationType, subtype: String? = nil, signedAt: Instant,
    environment: StoreEnvironment, bundleID: BundleID? = nil, facts: ServerNotification? = nil,
    rows: [ImportedAnswer] = []
  ) {
    (self.uuid, self.type, self.subtype, self.signedAt) = (uuid, type, subtype, signedAt)
    (self.environment, self.bundleID, self.facts, self.rows) = (environment, bundleID, facts, rows)
  }

  /// Tells one notification from another.
  public var digest: UInt128 { Self.digest(of: uuid) }

  /// The number that a UUID is; of any other text its hash.
  public static func digest(of uuid: String) -> UInt128 {
    let digits = uuid.utf8.filter { $0 != UInt8(ascii: "-") }
    if digits.count == 32, let number = UInt128(String(decoding: digits, as: UTF8.self), radix: 16) {
      return number
    }
    return ImportedNotification.digest(of: uuid)
  }

  /// Whether there is a customer, who is to be asked about at once: what came along is of one chain, and of its newest transaction.
  public var asksForValidation: Bool { facts != nil }
}

extension SignedNotification {
  /// Why it is not taken yet: it, or something signed within it, is dated more than a day ahead of this machine's clock, so that is behind.
  /// Nil where it may be taken.
  public func lead(over now: Instant) -> String? {
    ImportedAnswer.lead(ofSigned: (rows.compactMap(\.observedAt) + [signedAt]).max() ?? signedAt, over: now)
  }
}

extension ImportedAnswer {
  /// The same of what Apple signed at an instant.
  public static func lead(ofSigned signedAt: Instant, over now: Instant) -> String? {
    guard signedAt > now + Milliseconds.day else { return nil }
    let days = (signedAt - now) / Milliseconds.day
    // Without the date: a thousand that come while the clock is behind have one reason.
    let lead = days == 1 ? "a day" : "\(days) days"
    return "Apple signed it \(lead) ahead of this machine's clock; set the clock right and try again"
  }
}

/// A server notification of either version.
public enum ReceivedNotification: Sendable {
  case ofVersion1(ImportedNotification)
  case signed(SignedNotification)

  /// Tells one notification from another.
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
