import AppStore
import FakeAppStore
import Subscriptions
import TestSupport

/// A client of the fake's Server API that has its key, and reads what it signs with the real readers.
struct ServerAPIScene: Sendable {
  let server: FakeAppStoreServer
  let port: Int
  let verifier: SignatureVerifier

  /// Claims of a JSON Web Token.
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

  /// - Parameter path: from `/inApps` on, with the query.
  func get(
    _ path: String, _ environment: StoreEnvironment = .production, token: String? = nil,
    for app: BundleID = FakeCatalog.bundleID, method: String = "GET", body: String = "",
    headers: [String] = []
  ) async -> HTTPExchange {
    await HTTPExchange.post(
      Array(body.utf8), to: (environment == .sandbox ? "/sandbox" : "") + path, port: port, method: method,
      headers: ["Authorization: Bearer \(token ?? self.token(for: app))"] + headers)
  }

  func history(_ subscriber: Subscriber, id: String? = nil, _ query: String = "") async -> HTTPExchange {
    await get(
      "/inApps/v2/history/\(id ?? subscriber.anyID)\(query)", subscriber.environment, for: subscriber.bundleID
    )
  }

  func statuses(_ subscriber: Subscriber) async -> HTTPExchange {
    await get(
      "/inApps/v1/subscriptions/\(subscriber.anyID)", subscriber.environment, for: subscriber.bundleID)
  }

  struct Page: Sendable {
    let revision: String
    let hasMore: Bool
    let bundleID: String?
    let environment: String?
    let signed: [String]
  }

  func page(_ exchange: HTTPExchange) throws -> Page {
    guard exchange.status == 200, let answer = exchange.answer, let revision = answer["revision"]?.text,
      case .flag(let hasMore) = answer["hasMore"]
    else { throw Missing() }
    return Page(
      revision: revision, hasMore: hasMore, bundleID: answer["bundleId"]?.text,
      environment: answer["environment"]?.text,
      signed: (answer["signedTransactions"]?.list ?? []).compactMap(\.text))
  }

  /// All pages from a revision on.
  func pages(
    of subscriber: Subscriber, id: String? = nil, from revision: String? = nil, _ query: String = ""
  ) async throws -> [Page] {
    var pages: [Page] = []
    var revision = revision
    while pages.last?.hasMore ?? true, pages.count < 100 {
      let parts = [query, revision.map { "revision=\($0)" } ?? ""].filter { !$0.isEmpty }
      let text = parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
      let page = try page(await history(subscriber, id: id, text))
      pages.append(page)
      revision = page.revision
    }
    return pages
  }

  /// All rows from a revision on, with their signatures verified.
  func rows(
    of subscriber: Subscriber, id: String? = nil, from revision: String? = nil, _ query: String = ""
  ) async throws -> [Transaction] {
    try await pages(of: subscriber, id: id, from: revision, query).flatMap(\.signed).map(transaction)
  }

  func transaction(_ text: String) throws -> Transaction {
    try verifier.read(text, as: SignedTransaction.self).transaction()
  }

  func renewalInfo(_ text: String) throws -> RenewalInfo {
    try verifier.read(text, as: SignedRenewalInfo.self).renewalInfo()
  }

  /// The last so many days, as a request for the notification history names them.
  static func span(_ days: Int64, _ more: String = "") -> String {
    span(Town.now - days * Milliseconds.day, Town.now, more)
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

  /// Every page of a notification history, with the results of the attempts.
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

  /// The notification in an object with a `signedPayload`.
  func notification(_ object: AnyJSON) throws -> PostedNotification {
    guard let text = object["signedPayload"]?.text else { throw Missing() }
    return try verifier.read(text, as: PostedNotification.self)
  }
}

/// A notification of version 2 whose signature has been verified.
struct PostedNotification: SignedPayload, Hashable {
  let notificationType: String
  let subtype: String?
  let notificationUUID: String
  let version: String
  let signedDate: Int64
  let data: Content

  struct Content: Decodable, Sendable, Hashable {
    let appAppleId: Int64?
    let bundleId: String
    let environment: String
    let signedTransactionInfo: String?
  }

  var signedAt: Instant? { Instant(milliseconds: signedDate) }
  var kind: String { subtype.map { "\(notificationType) \($0)" } ?? notificationType }

  // Two signatures of one notification differ.
  static func == (left: Self, right: Self) -> Bool { left.notificationUUID == right.notificationUUID }
  func hash(into hasher: inout Hasher) { hasher.combine(notificationUUID) }
}

extension HTTPExchange {
  /// Error code of the Server API; `nil` if the answer is no error.
  var errorCode: Int64? { if case .number(let code) = answer?["errorCode"] { code } else { nil } }
}

extension Transaction {
  /// Without what only signed data has, and without what it says otherwise.
  var asReceiptsTell: Transaction {
    var row = self
    row.terms = nil
    // The code's own id among the promotional offers.
    if row.offerCodeRefName != nil { row.promotionalOfferID = nil }
    return row
  }
}
