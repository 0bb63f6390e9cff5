import AppStore
import FakeAppStore
import Subscriptions

/// A client of the fake's Server API that has its key, and reads what it signs with the real readers.
struct ServerAPIScene: Sendable {
  let server: FakeAppStoreServer
  let port: Int
  let verifier: SignatureVerifier

  /// Of a JWT.
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

  init(_ server: FakeAppStoreServer, _ port: Int) throws {
    (self.server, self.port) = (server, port)
    guard let root = server.rootCertificate else { throw Missing() }
    verifier = SignatureVerifier(root: root)
  }

  struct Missing: Error {}

  func token(
    for app: BundleID = FakeCatalog.bundleID, _ change: (inout Claims, inout Header) -> Void = { _, _ in },
    key: ES256Key? = nil
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
    for app: BundleID? = nil,
    method: String = "GET", body: String = "", headers: [String] = []
  ) async -> HTTPExchange {
    let token = token ?? self.token(for: app ?? FakeCatalog.bundleID)
    return await HTTPExchange.post(
      Array(body.utf8), to: (environment == .sandbox ? "/sandbox" : "") + path, port: port, method: method,
      headers: ["Authorization: Bearer \(token)"] + headers)
  }

  func history(_ subscriber: Subscriber, _ query: String = "") async -> HTTPExchange {
    await get(
      "/inApps/v2/history/\(subscriber.anyID)\(query)", subscriber.environment, for: subscriber.bundleID)
  }

  func statuses(_ subscriber: Subscriber, _ query: String = "") async -> HTTPExchange {
    await get(
      "/inApps/v1/subscriptions/\(subscriber.anyID)\(query)", subscriber.environment, for: subscriber.bundleID
    )
  }

  /// All pages from a revision on.
  func pages(
    of subscriber: Subscriber, from revision: String? = nil, _ query: String = ""
  ) async throws -> [Page] {
    var pages: [Page] = []
    var revision = revision
    while pages.last?.hasMore ?? true, pages.count < 100 {
      let parts = [query, revision.map { "revision=\($0)" } ?? ""].filter { !$0.isEmpty }
      let text = parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
      let page = try page(await history(subscriber, text))
      pages.append(page)
      revision = page.revision
    }
    return pages
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

  struct Page: Sendable {
    let revision: String
    let hasMore: Bool
    let bundleID: String?
    let environment: String?
    let signed: [String]
  }

  func transaction(_ text: String) throws -> Transaction {
    try verifier.read(text, as: SignedTransaction.self).transaction()
  }

  func renewalInfo(_ text: String) throws -> RenewalInfo {
    try verifier.read(text, as: SignedRenewalInfo.self).renewalInfo()
  }
}

extension Subscriber {
  /// An id by which the customer can be asked about: of the first purchase ever.
  var anyID: String {
    let history = history(until: founded)
    let first = (history.transactions + history.oneTime).min { $0.purchaseDate < $1.purchaseDate }
    return first?.transactionID.rawValue ?? "0"
  }
}

extension HTTPExchange {
  /// The Server API's; nil where there is none.
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
