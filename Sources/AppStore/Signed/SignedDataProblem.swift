import Subscriptions

/// Reason why signed data is refused. Of the data, the text quotes only names of apps and environments.
public enum SignedDataProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case notSigned
  case unreadableHeader
  /// Kind of the data, and its maximum size in bytes.
  case tooLong(String, Int)
  /// Part in which an object has two members of the same name.
  case repetition(String)
  case critical
  case algorithm(String)
  case certificates(Int)
  case unreadableCertificate
  case unmarked(CertificatePlace, oid: String)
  /// Reason in OpenSSL's words.
  case untrusted(String)
  case key
  case signature
  case unreadable(String)
  case notification
  case undated
  case expired(at: Instant, valid: ClosedRange<Instant>)
  case local
  case otherApp(BundleID, expected: BundleID)
  case otherAppleID(Int64, expected: Int64)
  case namelessApp
  case unlistedApp(BundleID)
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

  /// Whether the data has no trusted signature, regardless of its content.
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

  /// Whether the data is correctly signed, but another app's.
  public var isOfOtherApp: Bool {
    if case .otherApp = self { true } else { false }
  }

  /// Returns a name that is safe in a message, since the signer may have put anything there.
  private static func plain(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(80).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }

  /// Returns the problem of a header with this `alg`. Unknown names are not quoted.
  static func algorithm(named name: String?) -> Self {
    let known = [
      "none", "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "ES384", "ES512", "EdDSA",
    ]
    return .algorithm(name.flatMap { known.contains($0) ? $0 : nil } ?? "another algorithm")
  }
}

/// Apps that signed data may belong to, with their Apple ids if these are known.
public struct OwnApps: Sendable {
  private let appleIDs: [BundleID: Int64?]

  /// - Parameter appleIDs: Apple ids by bundle id. If it is empty, every app is accepted.
  public init(_ appleIDs: [BundleID: Int64?] = [:]) { self.appleIDs = appleIDs }

  /// Checks a transaction, which has no Apple id. A renewal info is accepted, since it names no app.
  func check(_ answer: Answer) throws(SignedDataProblem) {
    guard !answer.transactions.isEmpty else { return }
    try checkListed(answer.bundleID)
  }

  /// - Throws: if the app is not listed. If the configuration lists none, every app is accepted.
  public func checkListed(_ app: BundleID?) throws(SignedDataProblem) {
    guard !appleIDs.isEmpty else { return }
    guard let app else { throw .namelessApp }
    guard appleIDs.keys.contains(app) else { throw .unlistedApp(app) }
  }

  /// - Parameter appleID: Apple id in the data, which may be absent in the sandbox.
  /// - Throws: the reason why the data is for none of the apps.
  func check(
    _ app: BundleID?, appleID: Int64?, in environment: StoreEnvironment
  ) throws(SignedDataProblem) {
    guard !appleIDs.isEmpty else { return }
    guard let app else { throw .namelessApp }
    guard let known = appleIDs[app] else { throw .unlistedApp(app) }
    guard environment == .production, let expected = known else { return }
    guard let appleID else { throw .missingAppleID(expected: expected) }
    guard appleID == expected else { throw .otherAppleID(appleID, expected: expected) }
  }
}
