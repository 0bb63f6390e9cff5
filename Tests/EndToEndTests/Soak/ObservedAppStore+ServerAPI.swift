import AppStore
import FakeAppStore
import FoundationEssentials
import Subscriptions

extension ObservedAppStore {
  static let apps = 3

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

  /// Returns receipts of customers, half of them with histories of several pages.
  func receiptsOfManyPages(_ count: Int) -> String {
    var (long, short) = ([Subscriber](), [Subscriber]())
    for subscriber in server.store.population.subscribers {
      guard long.count < count / 2 || short.count < count - count / 2 else { break }
      // Legacy receipts may contain no id for requests.
      guard subscriber.kind != .legacy, subscriber.accountGoneFrom == nil else { continue }
      let history = subscriber.history(until: clock.now)
      guard !history.transactions.isEmpty else { continue }
      if history.transactions.count > 20 { long.append(subscriber) } else { short.append(subscriber) }
    }
    return (long.prefix(count / 2) + short.prefix(count - count / 2)).map {
      server.store.receipt(of: $0, at: clock.now).jsonLine + "\n"
    }.joined()
  }
}
