import AppStore
import Subscriptions
import Synchronization

/// An In-App Purchase key of App Store Connect, and the tokens that it signs: *App Store Server API › Generating JSON Web Tokens*.
///
/// The key is read anew for each token, of which an app needs one an hour.
public final class ServerAPIKey: Sendable, CustomStringConvertible, CustomReflectable {
  public let issuerID: String
  public let keyID: String
  private let pem: SharedSecret
  private let tokens = Mutex<[BundleID: Token]>([:])
  /// Apple's clock as this machine has it: tokens are dated by real time, whatever time a demonstration shows.
  private let clock: @Sendable () -> Instant

  private struct Token {
    var bytes: SecretBytes
    var renewedAfter: Instant
  }

  /// Apple takes no token for longer than an hour.
  static let lifetime = 55 * Milliseconds.minute
  /// Tokens are dated back, since a clock that is a little ahead has them refused.
  static let backdating = Milliseconds.minute

  /// Nil where the text is no private key on the curve P-256 in PEM.
  public init?(issuerID: String, keyID: String, pem: SharedSecret, clock: @escaping @Sendable () -> Instant) {
    guard pem.bytes.withBytes({ ES256Key(pem: $0) }) != nil else { return nil }
    (self.issuerID, self.keyID, self.pem, self.clock) = (issuerID, keyID, pem, clock)
  }

  public var description: String { "Server API key \(keyID)" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What a request about an app bears; nil where it cannot be signed. It is used again until its last minutes.
  func token(for app: BundleID) -> SecretBytes? {
    let now = clock()
    return tokens.withLock { tokens in
      if let token = tokens[app], now < token.renewedAfter, token.renewedAfter - now <= Self.lifetime {
        return token.bytes
      }
      guard let bytes = sign(for: app, at: now) else { return nil }
      tokens[app] = Token(bytes: bytes, renewedAfter: now + Self.lifetime - 5 * Milliseconds.minute)
      return bytes
    }
  }

  /// Forgets what was signed for an app, which was refused.
  func forgetToken(for app: BundleID) { tokens.withLock { $0[app] = nil } }

  /// How far this machine's clock is ahead of another's.
  func ahead(of other: Instant) -> Int64 { clock() - other }

  /// Milliseconds that Apple wants to be left alone, by its own clock where it tells it; nil where it does not ask for that.
  func wait(for answer: HTTPAnswer) -> Int64? {
    guard let instant = answer.retryAt else {
      return answer.retryAfter.map { Int64($0) * Milliseconds.second }
    }
    return max(answer.date.map { instant - $0 } ?? -ahead(of: instant), 0)
  }

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
    var bid: String
  }

  private func sign(for app: BundleID, at now: Instant) -> SecretBytes? {
    let issued = (now - Self.backdating).rawValue / Milliseconds.second
    let claims = Claims(
      iss: issuerID, iat: issued, exp: issued + Self.lifetime / Milliseconds.second, bid: app.rawValue)
    guard let key = pem.bytes.withBytes({ ES256Key(pem: $0) }),
      let token = CompactJWS.sign(header: Header(kid: keyID), payload: claims, with: key)
    else { return nil }
    // libcurl reads up to a NUL.
    return SecretBytes(Array(token.utf8) + [0])
  }
}
