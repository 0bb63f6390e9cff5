import Glibc
import TestSupport
import Testing

/// What tests of TLS take.
private enum TLSTools {
  static let openssl = Program.installed("openssl")
  static let curl = Program.installed("curl")

  /// Whether all of it is there, and the program was built with TLS, as `make test` builds it.
  static func areThere() async throws -> Bool {
    guard openssl != nil, curl != nil else {
      print("SKIPPED: the tests of listening over TLS, since openssl or curl is not installed")
      return false
    }
    let subtop = try Subtop()
    let file = try subtop.file(
      "config.toml", "[listen]\ntls_certificate_file = \"/nowhere\"\ntls_key_file = \"/nowhere\"\n")
    let outcome = try await subtop.run("listen", "--config", file)
    guard outcome.errors.contains("this subtop was built without") else { return true }
    #expect(outcome.ending == .code(78) && outcome.errors.contains("swift build --traits TLS"))
    print(
      "SKIPPED: the tests of listening over TLS, since subtop was built without; make test builds it with")
    return false
  }
}

/// `subtop listen` with a certificate of its own, asked by curl as Apple would ask it.
@Suite(
  "Listening over TLS", .serialized,
  .enabled("it takes TLS, openssl and curl") { try await TLSTools.areThere() })
struct ListenOverTLSTests {
  private typealias Fields = SignedNotificationFields
  private let scene: ListeningScene

  init() throws { scene = try ListeningScene() }

  /// Makes a key and a certificate for 127.0.0.1 that it signs itself.
  private func identity(_ name: String) async throws -> (certificate: String, key: String) {
    let files = (scene.subtop.home / "\(name).pem", scene.subtop.home / "\(name).key")
    let openssl = try #require(TLSTools.openssl)
    let child = try Child(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=listener", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", files.1, "-out",
        files.0,
      ], environment: scene.subtop.environment)
    #expect(try await child.ending() == .code(0), "\(child.errors)")
    chmod(files.1, 0o600)
    return files
  }

  private func settings(_ certificate: String, _ key: String) -> String {
    "tls_certificate_file = \"\(certificate)\"\ntls_key_file = \"\(key)\""
  }

  /// - Returns: what curl printed of the answer, and how it ended.
  private func curl(_ arguments: String...) async throws -> (output: String, ending: Ending) {
    let child = try Child(
      try #require(TLSTools.curl), ["--silent", "--max-time", "30"] + arguments,
      environment: scene.subtop.environment)
    let ending = try await child.ending()
    return (child.output, ending)
  }

  @Test func takesNotifications() async throws {
    let (certificate, key) = try await identity("listener")
    let file = try scene.configuration(settings(certificate, key))
    let child = try scene.subtop.start(["listen", "--port", "0", "--config", file])
    let url = try await soon("it listens: \(child.errors)") {
      child.output.split(separator: "\n").first.map(String.init)
    }
    #expect(url.hasPrefix("https://127.0.0.1:"))
    let body = try scene.subtop.file("body", scene.purchase(1))
    let answer = try await curl(
      "--cacert", certificate, "--data-binary", "@\(body)", "--write-out", "%{http_code} %{http_version}",
      url + "/notifications")
    #expect(answer.output == "200 1.1" && answer.ending == .code(0), "\(answer)")
    #expect(try await curl("--cacert", certificate, url + "/healthz").output == "ok\n")
    // curl's code for a certificate that it does not trust.
    #expect(try await curl(url + "/healthz").ending == .code(60))
    let plain = try #require(url.split(separator: ":").last.flatMap { LoopbackClient(port: Int($0) ?? 0) })
    #expect(await plain.get("/healthz").status == 0, "without TLS nothing is answered")
    kill(child.pid, SIGTERM)
    #expect(try await child.ending() == .code(0), "\(child.errors)")
    #expect(try scene.uuids() == [Fields.uuid(1)])
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: Int32
    let says: String
    /// Makes the files wrong, or names others.
    let spoil: @Sendable (inout (certificate: String, key: String), _ other: String) throws -> Void
  }

  static let refusals = [
    Refusal(testDescription: "another's key", code: 78, says: "the key is not that of the first certificate")
    {
      $0.key = $1
    },
    Refusal(testDescription: "no certificate", code: 78, says: "the first holds no certificate in PEM") {
      files, _ in try File.write("hello\n", to: files.certificate)
    },
    Refusal(testDescription: "no key", code: 78, says: "the second holds no private key in PEM") { files, _ in
      try File.write("hello\n", to: files.key)
    },
    Refusal(testDescription: "a key that others may read", code: 77, says: "listen.tls_key_file") {
      files, _ in
      chmod(files.key, 0o644)
    },
    Refusal(testDescription: "a certificate that others may write", code: 77, says: "tls_certificate_file") {
      files, _ in chmod(files.certificate, 0o666)
    },
    Refusal(testDescription: "a certificate that is not there", code: 78, says: "tls_certificate_file") {
      files, _ in unlink(files.certificate)
    },
  ]

  @Test(arguments: refusals) func isRefusedInOneSentence(_ refusal: Refusal) async throws {
    var files = try await identity("listener")
    try refusal.spoil(&files, try await identity("other").key)
    let file = try scene.configuration(settings(files.certificate, files.key))
    let outcome = try await scene.subtop.run("listen", "--port", "0", "--config", file)
    #expect(outcome.ending == .code(refusal.code) && outcome.output.isEmpty)
    #expect(outcome.errors.contains(refusal.says), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1 && !outcome.errors.contains("PRIVATE"))
  }
}
