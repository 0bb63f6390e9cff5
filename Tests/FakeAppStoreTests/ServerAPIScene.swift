import AppStore
import FakeAppStore
import Subscriptions
import TestSupport

/// Server API client with the fake's key. It decodes signed data with the production readers.
struct ServerAPIScene: Sendable {
  let server: FakeAppStoreServer
  let port: Int
  let verifier: SignatureVerifier

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

  struct Missing: Error {}

  init(_ server: FakeAppStoreServer, _ port: Int) throws {
    (self.server, self.port) = (server, port)
    guard let root = server.rootCertificate else { throw Missing() }
    verifier = SignatureVerifier(root: root)
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

  func history(_ subscriber: Subscriber) async -> HTTPExchange {
    await get("/inApps/v2/history/\(subscriber.anyID)", subscriber.environment, for: subscriber.bundleID)
  }

  static func span(_ from: Instant, _ until: Instant, _ more: String = "") -> String {
    "{\"startDate\":\(from.rawValue),\"endDate\":\(until.rawValue)\(more)}"
  }

  func notificationPage(
    _ body: String, _ environment: StoreEnvironment = .production, token: String? = nil
  ) async -> HTTPExchange {
    let path = "/inApps/v1/notifications/history" + (token.map { "?paginationToken=\($0)" } ?? "")
    return await get(path, environment, method: "POST", body: body)
  }

  /// Fetches all pages of a notification history, with the results of the send attempts.
  func notifications(
    _ body: String, _ environment: StoreEnvironment = .production
  ) async throws -> [(notification: PostedNotification, results: [String])] {
    var all: [(PostedNotification, [String])] = []
    var token: String?
    repeat {
      let exchange = await notificationPage(body, environment, token: token)
      guard exchange.status == 200, let answer = exchange.answer else { throw Missing() }
      all += try (answer["notificationHistory"]?.list ?? []).map { item in
        let results = (item["sendAttempts"]?.list ?? []).compactMap { $0["sendAttemptResult"]?.text }
        return (try notification(item), results)
      }
      token = answer["paginationToken"]?.text
      guard (token != nil) == (answer["hasMore"] == .flag(true)) else { throw Missing() }
    } while token != nil
    return all
  }

  func notification(_ object: AnyJSON) throws -> PostedNotification {
    guard let text = object["signedPayload"]?.text else { throw Missing() }
    return try verifier.read(text, as: PostedNotification.self)
  }
}

/// Verified payload of a version 2 notification.
struct PostedNotification: SignedPayload {
  let signedDate: Int64
  var signedAt: Instant? { Instant(milliseconds: signedDate) }
}
