import AppStore
import FakeAppStore
import Subscriptions
import TestSupport

/// Server API client with the fake's key.
struct ServerAPIScene: Sendable {
  let server: FakeAppStoreServer
  let port: Int

  struct Claims: Encodable, Sendable {
    var iss: String?
    var iat: Int64?
    var exp: Int64?
    var aud: String? = "appstoreconnect-v1"
    var bid: String?
  }

  struct Header: Encodable, Sendable {
    var alg = "ES256"
    var kid: String?
    var typ: String? = "JWT"
  }

  init(_ server: FakeAppStoreServer, _ port: Int) {
    (self.server, self.port) = (server, port)
  }

  func token(
    for app: BundleID = FakeCatalog.bundleID, key: ES256Key? = nil,
    _ change: (inout Claims, inout Header) -> Void = { _, _ in }
  ) -> String {
    let now = FakeClock.realNow.rawValue / 1000
    var claims = Claims(iss: server.issuerID, iat: now - 60, exp: now + 600, bid: app.rawValue)
    var header = Header(kid: server.keyID)
    change(&claims, &header)
    let own = Array(server.serverAPIKeyPEM.utf8).withUnsafeBytes { ES256Key(pem: $0) }
    return (key ?? own).flatMap { CompactJWS.sign(header: header, payload: claims, with: $0) } ?? ""
  }

  /// - Parameter path: Path from `/inApps` on, with the query.
  func get(
    _ path: String, _ environment: StoreEnvironment = .production, token: String? = nil,
    for app: BundleID = FakeCatalog.bundleID, method: String = "GET", body: String = ""
  ) async -> HTTPExchange {
    await HTTPExchange.post(
      Array(body.utf8), to: (environment == .sandbox ? "/sandbox" : "") + path, port: port, method: method,
      headers: ["Authorization: Bearer \(token ?? self.token(for: app))"])
  }
}
