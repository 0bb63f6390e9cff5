import AppStore
import FakeAppStore
import FoundationEssentials
import Subscriptions

/// The Server API of an App Store within the tests' own process.
extension ObservedAppStore {
  static let apps = 3

  /// The lines of a configuration that has `subtop` ask here, trust what is signed here, and have the key of every app.
  func configuration(in home: Folder) throws -> String {
    let (root, key) = (home / "root.pem", home / "key.p8")
    try File.write(server.rootCertificatePEM, to: root)
    try File.write(server.serverAPIKeyPEM, to: key)
    let apps = (0..<Self.apps).map { "[apps.\"\(FakeCatalog.bundleID(ofApp: $0))\"]\n" }.joined()
    return """
      root_certificate_file = "\(root)"
      issuer_id = "\(server.issuerID)"
      key_id = "\(server.keyID)"
      private_key_file = "\(key)"
      server_api_url = "\(server.serverAPIURL(.production) ?? "")"
      server_api_sandbox_url = "\(server.serverAPIURL(.sandbox) ?? "")"
      \(apps)
      """
  }

  /// So many receipts, as `subtop import receipts` reads them; half of the customers have histories of several pages.
  func receiptsOfManyPages(_ count: Int) -> String {
    var (long, short) = ([Subscriber](), [Subscriber]())
    for subscriber in server.store.population.subscribers {
      guard long.count < count / 2 || short.count < count - count / 2 else { break }
      // Old receipts may hold no id to ask with.
      guard subscriber.kind != .legacy, subscriber.accountGoneFrom == nil else { continue }
      let history = subscriber.history(until: clock.now)
      guard !history.transactions.isEmpty else { continue }
      if history.transactions.count > 20 { long.append(subscriber) } else { short.append(subscriber) }
    }
    return (long.prefix(count / 2) + short.prefix(count - count / 2)).map {
      server.store.receipt(of: $0, at: clock.now).jsonLine + "\n"
    }.joined()
  }

  /// Bodies as they are posted, the oldest first: what the notification history of each app lists of the last days.
  func notifications(ofDays days: Int64) async throws -> [String] {
    var bodies: [String] = []
    for app in 0..<Self.apps { bodies += try await notifications(FakeCatalog.bundleID(ofApp: app), days) }
    return bodies
  }

  private func notifications(_ app: BundleID, _ days: Int64) async throws -> [String] {
    guard let client = server.port.flatMap({ LoopbackClient(port: $0) }), let token = token(for: app) else {
      throw ProgramError.missing("the Server API")
    }
    let from = (clock.now - days * Milliseconds.day).rawValue
    let body = "{\"startDate\":\(from),\"endDate\":\(clock.now.rawValue)}"
    var (bodies, page) = ([String](), "")
    while true {
      let answer = await client.ask(
        "POST /inApps/v1/notifications/history\(page) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      guard answer.status == 200 else { throw ProgramError.missing("a page of the notification history") }
      let json = try JSON(Array(answer.body.utf8))
      bodies += (json["notificationHistory"]?.list ?? []).compactMap { $0["signedPayload"]?.text }
        .map { "{\"signedPayload\":\"\($0)\"}" }
      guard let next = json["paginationToken"]?.text else { return bodies }
      page = "?paginationToken=\(next)"
    }
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

  private func token(for app: BundleID) -> String? {
    let now = FakeClock.realNow.rawValue / 1000
    let claims = Claims(iss: server.issuerID, iat: now - 60, exp: now + 3000, bid: app.rawValue)
    return Array(server.serverAPIKeyPEM.utf8).withUnsafeBytes { ES256Key(pem: $0) }.flatMap {
      CompactJWS.sign(header: Header(kid: server.keyID), payload: claims, with: $0)
    }
  }
}
