import AppStore
import FoundationEssentials
import HTTPServer
import NIOHTTP1
import Subscriptions

struct ServerAPIRequest: Sendable {
  enum Endpoint: Sendable { case history, statuses, transaction, notificationHistory }

  let endpoint: Endpoint
  /// Transaction id or `appTransactionId`; empty if the endpoint takes none.
  let id: String
  let isSandbox: Bool
  private let http: HTTPRequest

  init?(_ http: HTTPRequest, at path: String) {
    self.http = http
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    isSandbox = parts.first == "sandbox"
    let words = Array(isSandbox ? parts.dropFirst() : parts)
    guard words.first == "inApps", words.count >= 4 else { return nil }
    let place = words[1...].joined(separator: "/")
    let (folder, last) = (words[1..<words.count - 1].joined(separator: "/"), String(words.last ?? ""))
    switch (http.method, folder, place) {
    case (.GET, "v2/history", _): (endpoint, id) = (.history, last)
    case (.GET, "v1/subscriptions", _): (endpoint, id) = (.statuses, last)
    case (.GET, "v1/transactions", _): (endpoint, id) = (.transaction, last)
    case (.POST, _, "v1/notifications/history"): (endpoint, id) = (.notificationHistory, "")
    default: return nil
    }
  }

  static let sandbox = "/sandbox"

  /// Whether a path is below the Server API's root, even if no endpoint has this path.
  static func isBelow(_ path: String) -> Bool {
    ["/inApps", sandbox + "/inApps"].contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  var authorization: String? { http.headers.first(name: "Authorization") }
  var body: [UInt8] { http.body }

  func value(_ name: String) -> String? {
    URLComponents(string: "/?" + http.query)?.queryItems?.last { $0.name == name }.map { $0.value ?? "" }
  }
}

/// Verifier of request tokens: *App Store Server API › Generating JSON Web Tokens for API requests*.
struct TokenCheck: Sendable {
  let key: ES256Key
  private let keyID: String
  private let issuerID: String
  private let apps: Set<BundleID>

  /// Seconds that a client's clock may be ahead.
  private static let tolerance: Double = 5
  private static let longestLife: Double = 3600

  private struct Header: Decodable {
    let alg: String
    let kid: String
    let typ: String?
  }

  private struct Claims: Decodable {
    let iss: String
    /// Optional, because Apple's own libraries omit it.
    let iat: Double?
    let exp: Double
    let aud: String
    /// Bundle id of the app; only tokens for the Server API have it.
    let bid: String?
  }

  init(key: ES256Key, keyID: String, issuerID: String, apps: [BundleID]) {
    (self.key, self.keyID, self.issuerID, self.apps) = (key, keyID, issuerID, Set(apps))
  }

  /// Returns the app that a token was issued for; `nil` if the token is not valid at the real time `now`.
  func app(bearing authorization: String?, at now: Instant) -> BundleID? {
    guard let app = claims(bearing: authorization, at: now, Self.longestLife)?.bid.map(BundleID.init) else {
      return nil
    }
    return apps.contains(app) ? app : nil
  }

  /// Whether a token is valid for the App Store Connect API, which permits a lifetime of 20 minutes.
  func isOfTeam(bearing authorization: String?, at now: Instant) -> Bool {
    claims(bearing: authorization, at: now, 1200) != nil
  }

  private func claims(bearing authorization: String?, at now: Instant, _ longestLife: Double) -> Claims? {
    guard let authorization, authorization.hasPrefix("Bearer "),
      let claims = claims(in: String(authorization.dropFirst(7)))
    else { return nil }
    let seconds = Double(now.rawValue) / 1000
    let issued = claims.iat ?? min(seconds, claims.exp)
    guard claims.iss == issuerID, claims.aud == "appstoreconnect-v1", issued <= seconds + Self.tolerance,
      claims.exp > seconds, claims.exp - issued <= longestLife, claims.exp > issued
    else { return nil }
    return claims
  }

  private func claims(in token: String) -> Claims? {
    guard let jws = CompactJWS(token),
      let header = CompactJWS.unverified(jws.header, as: Header.self), header.alg == "ES256",
      header.kid == keyID, header.typ ?? "JWT" == "JWT",
      let signature = CompactJWS.bytes(of: jws.signature), key.verifies(signature, of: jws.signed)
    else { return nil }
    return CompactJWS.unverified(jws.payload, as: Claims.self)
  }
}
