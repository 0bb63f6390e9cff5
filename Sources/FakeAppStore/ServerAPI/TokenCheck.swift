import AppStore
import Subscriptions
import Synchronization

/// Whether a request's token is believed: *App Store Server API › Generating JSON Web Tokens for API requests*.
final class TokenCheck: Sendable {
  let key: ES256Key
  let keyID: String
  let issuerID: String
  private let apps: Set<BundleID>
  /// Those whose signature was right: a client bears one for many requests.
  private let known = Mutex<[String: Claims]>([:])

  /// Apple's clock and a client's are not the same to the second.
  static let tolerance: Double = 5
  static let longestLife: Double = 3600

  private struct Header: Decodable {
    let alg: String
    let kid: String
    let typ: String?
  }

  private struct Claims: Decodable {
    let iss: String
    /// Apple's own libraries leave it out.
    let iat: Double?
    let exp: Double
    let aud: String
    let bid: String
  }

  init(key: ES256Key, keyID: String, issuerID: String, apps: [BundleID]) {
    (self.key, self.keyID, self.issuerID, self.apps) = (key, keyID, issuerID, Set(apps))
  }

  /// The app that the bearer asks for; nil where he is not believed.
  ///
  /// - Parameter now: of the machine's own clock, which the `Date` of answers shows as well.
  func app(bearing authorization: String?, at now: Instant) -> BundleID? {
    guard let authorization, authorization.hasPrefix("Bearer ") else { return nil }
    guard let claims = claims(in: String(authorization.dropFirst(7))) else { return nil }
    let seconds = Double(now.rawValue) / 1000
    let issued = claims.iat ?? min(seconds, claims.exp)
    guard claims.iss == issuerID, claims.aud == "appstoreconnect-v1", issued <= seconds + Self.tolerance,
      claims.exp > seconds, claims.exp - issued <= Self.longestLife, claims.exp > issued
    else { return nil }
    let app = BundleID(claims.bid)
    return apps.contains(app) ? app : nil
  }

  private func claims(in token: String) -> Claims? {
    if let claims = known.withLock({ $0[token] }) { return claims }
    guard let jws = CompactJWS(token),
      let header = CompactJWS.unverified(jws.header, as: Header.self), header.alg == "ES256",
      header.kid == keyID, header.typ ?? "JWT" == "JWT",
      let signature = CompactJWS.bytes(of: jws.signature), key.verifies(signature, of: jws.signed),
      let claims = CompactJWS.unverified(jws.payload, as: Claims.self)
    else { return nil }
    known.withLock { known in
      if known.count >= 64 { known.removeAll() }
      known[token] = claims
    }
    return claims
  }
}
