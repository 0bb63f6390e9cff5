import FakeAppStore
import Glibc
import Testing

/// The wire, as whoever set the environment or stands between may see it.
@Suite(
  "What the environment may do to the wire",
  .enabled(if: Program.installed("openssl") != nil, "there is no openssl"))
struct KeyLogTests {
  @Test func noKeysAreWritten() async throws {
    let scene = try await SecureScene()
    let keys = scene.subtop.home / "keys"
    var subtop = scene.subtop
    subtop.variables = ["SSLKEYLOGFILE": keys, "QLOGDIR": subtop.home.path]
    let outcome = try await subtop.run(scene.sweep)
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(!File.exists(keys))
  }

  /// It takes the connection for Apple's host, and has a certificate of its own.
  @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
  func aProxyThatAnswersForAppleIsToldNothing(_ variable: String) async throws {
    let scene = try await SecureScene()
    let proxy = try AnsweringProxy(leadingTo: scene.port)
    var subtop = scene.subtop
    subtop.variables = [variable: "http://127.0.0.1:\(proxy.port)"]
    // Even where the proxy's authority is trusted, its certificate is for another host than Apple's.
    let outcome = try await subtop.run("sweep", "--all", "--config", scene.configuration)
    #expect(proxy.asked.contains { $0.hasPrefix("CONNECT buy.itunes.apple.com:443") }, "\(outcome.errors)")
    #expect(outcome.ending == .code(69), "\(outcome.errors)")
    #expect(!proxy.asked.joined().contains(FakeStore.defaultSharedSecret))
    let after = try await subtop.run("status", "--format", "json")
    #expect(try after.json["transactions"]?.integer == 0)
  }
}

/// An App Store over TLS, with receipts to be asked about, and a configuration that trusts its authority.
private struct SecureScene {
  let subtop: Subtop
  let appStore: FakeAppStoreChild
  let configuration: String

  init() async throws {
    subtop = try Subtop()
    let certificates = subtop.home / "certificates"
    mkdir(certificates, 0o700)
    appStore = try await FakeAppStoreChild(["--tls", certificates, "--subscribers", "20", "--seed", "1"])
    let receipts = try Child(.built("fake-app-store"), ["receipts", "--subscribers", "20", "--seed", "1"])
    guard try await receipts.ending() == .code(0) else { throw ProgramError.missing(receipts.errors) }
    let file = try subtop.file("receipts.jsonl", receipts.output)
    _ = try await subtop.run("import", "receipts", file)
    configuration = try subtop.file("config.toml", "[sweep]\nca_file = \"\(certificates)/authority.pem\"\n")
  }

  var port: UInt16 { appStore.url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }
  var sweep: [String] { ["sweep", "--all", "--config", configuration] + appStore.options }
}
