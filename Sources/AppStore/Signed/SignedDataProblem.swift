import Subscriptions

/// Why signed data is refused. It never quotes what it was made of, but for names of apps and environments, and of these no character that
/// would move a terminal.
public enum SignedDataProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has no three parts in base64url.
  case notSigned
  /// Its header is no JSON.
  case unreadableHeader
  /// It is longer than what it is may be, in bytes.
  case tooLong(String, Int)
  /// An object in its header or in its payload has two members of one name.
  case repetition(String)
  /// Its header has `crit`.
  case critical
  /// Its `alg` is not ES256.
  case algorithm(String)
  /// It has so many certificates instead of three.
  case certificates(Int)
  case unreadableCertificate
  /// It lacks an extension by which Apple marks it.
  case unmarked(CertificatePlace, oid: String)
  /// Its certificates do not lead to the root; OpenSSL's words.
  case untrusted(String)
  /// It is signed with a key on another curve.
  case key
  case signature
  /// What it says cannot be read, with the reason.
  case unreadable(String)
  /// It is a whole notification, where a row is wanted.
  case notification
  /// It does not say when it was signed.
  case undated
  /// It was signed when its certificates were not valid.
  case expired(at: Instant, valid: ClosedRange<Instant>)
  /// Xcode or a local test signed it.
  case local
  case otherApp(BundleID, expected: BundleID)
  case otherAppleID(Int64, expected: Int64)
  /// It does not say which app it is for, though only some will do.
  case namelessApp
  /// It is for an app that is none of ours.
  case unlistedApp(BundleID)
  /// It is of production and does not say its app's Apple id.
  case missingAppleID(expected: Int64)
  case otherEnvironment(StoreEnvironment, expected: StoreEnvironment)
  /// The environment is neither Production nor Sandbox; `nil` if the data names none.
  case environment(String?)

  public enum CertificatePlace: String, Hashable, Sendable { case leaf, intermediate }

  public var description: String {
    switch self {
    case .notSigned: "it is no signed JSON, which has three parts in base64url with a dot between them"
    case .unreadableHeader: "its header is no JSON that can be read"
    case .tooLong(let what, let bytes):
      "\(what) \(FieldLimits.breach(byBytes: .max, over: bytes) ?? "is too long")"
    case .repetition(let part): "its \(part) has two members of one name"
    case .critical: "its header has crit, which names rules that subtop does not know"
    case .algorithm(let name): "it is signed with \(name) instead of ES256"
    case .certificates(let count): "it has \(count) certificates instead of 3"
    case .unreadableCertificate: "one of its certificates cannot be read"
    case .unmarked(let place, let oid):
      "its \(place.rawValue) certificate lacks the extension \(oid), by which Apple marks those of the App Store"
    case .untrusted(let reason):
      "its certificates do not lead to the root certificate that is trusted: \(reason)"
    case .key: "its certificate's key is not on the curve P-256"
    case .signature: "its signature is not of what it says: it was changed or cut"
    case .unreadable(let reason): "it was signed as it should be, but cannot be read: \(reason)"
    case .notification: "it is a server notification, which `subtop import notifications` reads"
    case .undated: "it does not say when it was signed"
    case .expired(let at, let valid):
      "it was signed at \(at.iso8601), and its certificates are valid from \(valid.lowerBound.iso8601) to \(valid.upperBound.iso8601)"
    case .local: "Xcode or a local test signed it, not the App Store"
    case .otherApp(let app, let expected):
      "it is for another app (bundle id \(Self.plain(app.rawValue))) than \(Self.plain(expected.rawValue))"
    case .otherAppleID(let id, let expected): "it is for another app (Apple id \(id)) than \(expected)"
    case .namelessApp: "it does not say which app it is for, and the configuration lists some"
    case .unlistedApp(let app):
      "it is for an app that the configuration does not list (bundle id \(Self.plain(app.rawValue))); if it is yours, "
        + "add [apps.\"\(Self.plain(app.rawValue))\"]"
    case .missingAppleID(let expected): "it does not say its app's Apple id, which is to be \(expected)"
    case .otherEnvironment(let environment, let expected):
      "it is of \(Self.plain(environment.rawValue)) instead of \(Self.plain(expected.rawValue))"
    case .environment(let name?): "its environment is \(Self.plain(name)), neither Production nor Sandbox"
    case .environment(nil): "it does not say its environment, which is to be Production or Sandbox"
    }
  }

  /// Whether nobody who is trusted has signed it as it came, whatever it says.
  public var isOfUntrustedSigner: Bool {
    switch self {
    case .notSigned, .unreadableHeader, .tooLong, .critical, .repetition("header"), .algorithm, .key,
      .signature, .certificates, .unreadableCertificate,
      .unmarked, .untrusted, .local:
      true
    case .expired, .unreadable, .notification, .undated, .otherApp, .otherAppleID, .namelessApp,
      .unlistedApp, .missingAppleID, .otherEnvironment, .environment, .repetition:
      false
    }
  }

  /// Whether it was signed as it should be, for another app.
  public var isOfOtherApp: Bool {
    if case .otherApp = self { true } else { false }
  }

  /// A name as a sentence can hold it: whoever signed it may have put anything there.
  private static func plain(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }

  /// For a header that names it. Another name may be anything.
  static func algorithm(named name: String?) -> Self {
    let known = [
      "none", "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "ES384", "ES512", "EdDSA",
    ]
    return .algorithm(name.flatMap { known.contains($0) ? $0 : nil } ?? "another algorithm")
  }
}
