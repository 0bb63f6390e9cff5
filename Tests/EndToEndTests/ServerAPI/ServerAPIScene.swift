import FakeAppStore
import Subscriptions

/// Fake App Store with a Server API, and `subtop` with a key but no shared secret.
struct ServerAPIScene: Sendable {
  static let subscribers = 60
  /// Start that every run of the fake App Store is given, so that all have the same population.
  static let start = Instant(milliseconds: FakeClock.realNow.rawValue - Milliseconds.day).iso8601

  let subtop: Subtop
  let appStore: FakeAppStoreChild
  let (root, key): (String, String)

  init(_ more: String...) async throws {
    subtop = try Self.withoutSecret()
    (root, key) = (subtop.home / "root.pem", subtop.home / "key.p8")
    appStore = try await FakeAppStoreChild(
      [
        "--subscribers", "\(Self.subscribers)", "--start", Self.start, "--write-root", root, "--write-key",
        key,
      ] + more)
  }

  static func withoutSecret() throws -> Subtop {
    var subtop = try Subtop()
    subtop.secret = nil
    return subtop
  }

  func options(
    issuer: String = FakeStore.defaultIssuerID, keyID: String = FakeStore.defaultKeyID, key: String? = nil,
    root: String? = nil
  ) throws -> [String] {
    let configuration = try subtop.file(
      "config.toml",
      """
      root_certificate_file = "\(root ?? self.root)"
      issuer_id = "\(issuer)"
      key_id = "\(keyID)"
      private_key_file = "\(key ?? self.key)"
      server_api_url = "\(appStore.url)"
      server_api_sandbox_url = "\(appStore.url)/sandbox"
      [apps."\(FakeCatalog.bundleID(ofApp: 0))"]
      """)
    return ["--config", configuration] + appStore.options
  }

  func receipts() async throws -> String {
    let made = try Child(
      .built("fake-app-store"), ["receipts", "--subscribers", "\(Self.subscribers)", "--start", Self.start])
    _ = try await made.ending()
    return made.output
  }
}
