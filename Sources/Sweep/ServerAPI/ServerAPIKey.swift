import AppStore
import Subscriptions
import Synchronization

/// Key of App Store Connect and the tokens that it signs: an In-App Purchase key for the Server API, or a
/// team key for reports (*App Store Server API › Generating JSON Web Tokens*).
public final class ServerAPIKey: Sendable, CustomStringConvertible, CustomReflectable {
  public let issuerID: String
  public let keyID: String
  private let pem: SharedSecret
  private let tokens = Mutex<[BundleID?: Token]>([:])
  /// Real time of this machine, even if a demonstration uses a different clock.
  private let clock: @Sendable () -> Instant

  private struct Token {
    var bytes: SecretBytes
    var renewedAfter: Instant
  }

  /// Lifetime of an app's token in milliseconds; Apple accepts at most an hour.
  private static let lifetime = 55 * Milliseconds.minute
  /// Lifetime of a team's token in milliseconds; Apple accepts at most 20 minutes.
  private static let teamLifetime = 19 * Milliseconds.minute
  /// Milliseconds that tokens are backdated, because Apple refuses a token from the future.
  static let backdating = Milliseconds.minute

  public init?(issuerID: String, keyID: String, pem: SharedSecret, clock: @escaping @Sendable () -> Instant) {
    guard pem.bytes.withBytes({ ES256Key(pem: $0) }) != nil else { return nil }
    (self.issuerID, self.keyID, self.pem, self.clock) = (issuerID, keyID, pem, clock)
  }

  public var description: String { "key \(keyID)" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Returns a token for an app, or for the team if `app` is `nil`; `nil` if the token cannot be signed.
  ///
  /// A token is reused until four minutes before its end.
  func token(for app: BundleID?) -> SecretBytes? {
    let (now, lifetime) = (clock(), app == nil ? Self.teamLifetime : Self.lifetime)
    return tokens.withLock { tokens in
      if let token = tokens[app], now < token.renewedAfter, token.renewedAfter - now <= lifetime {
        return token.bytes
      }
      guard let bytes = sign(for: app, at: now, lifetime) else { return nil }
      tokens[app] = Token(bytes: bytes, renewedAfter: now + lifetime - 5 * Milliseconds.minute)
      return bytes
    }
  }

  func forgetToken(for app: BundleID?) { tokens.withLock { $0[app] = nil } }

  func ahead(of other: Instant) -> Int64 { clock() - other }

  private struct Header: Encodable {
    var alg = "ES256"
    var kid: String
    var typ = "JWT"
  }

  private struct Claims: Encodable {
    var iss: String
    var iat: Int64
    var exp: Int64
    var aud = "appstoreconnect-v1"
    var bid: String?
  }

  private func sign(for app: BundleID?, at now: Instant, _ lifetime: Int64) -> SecretBytes? {
    let issued = (now - Self.backdating).rawValue / Milliseconds.second
    let claims = Claims(
      iss: issuerID, iat: issued, exp: issued + lifetime / Milliseconds.second, bid: app?.rawValue)
    guard let key = pem.bytes.withBytes({ ES256Key(pem: $0) }),
      let token = CompactJWS.sign(header: Header(kid: keyID), payload: claims, with: key)
    else { return nil }
    // libcurl reads the token up to the NUL byte.
    return SecretBytes(Array(token.utf8) + [0])
  }
}

/// Keys for the Server API, and the verifier of the signed data.
public struct ServerAPIAccess: Sendable {
  let way: @Sendable (BundleID?) -> Way
  let verifier: SignatureVerifier

  /// Way in which the receipts and customers of an app are validated.
  public enum Way: Sendable {
    /// Server API if the customer's id is known, otherwise verifyReceipt if `mayUseReceipts`.
    ///
    /// `app` is the receipt's app or, if that is unknown, the only configured app.
    case key(ServerAPIKey, app: BundleID, mayUseReceipts: Bool)
    case receipts
    /// No validation: the configuration requires the Server API, but has no key.
    case noKey
  }

  /// - Parameter way: Returns how the receipts and customers of an app are validated. Its argument is `nil`
  ///   for a receipt whose app is unknown.
  public init(verifier: SignatureVerifier, _ way: @escaping @Sendable (BundleID?) -> Way) {
    (self.verifier, self.way) = (verifier, way)
  }

  public func key(for app: BundleID) -> ServerAPIKey? {
    if case .key(let key, _, _) = way(app) { key } else { nil }
  }
}

/// Request for the data of one customer; see Apple's *App Store Server API*.
enum ServerAPICall: Hashable, Sendable {
  /// *Get Transaction History*, version 2, which includes finished consumables.
  case history(revision: String?)
  case statuses

  var isHistory: Bool { if case .history = self { true } else { false } }

  func path(of customer: CustomerID) -> String {
    let id = PercentEncoding.of(customer.rawValue)
    switch self {
    case .history(let revision):
      let from = revision.map { "?revision=" + PercentEncoding.of($0) } ?? ""
      return "/inApps/v2/history/\(id)\(from)"
    case .statuses: return "/inApps/v1/subscriptions/\(id)"
    }
  }
}
