import FakeAppStore
import Glibc
import TestSupport
import Testing

@Suite("What the environment may do to the wire") struct KeyLogTests {
  @Test func noKeysAreWritten() async throws {
    let scene = try await SecureScene()
    let keys = scene.subtop.home / "keys"
    var subtop = scene.subtop
    subtop.variables = ["SSLKEYLOGFILE": keys, "QLOGDIR": subtop.home.path]
    try await subtop.run(scene.sweep, code: 0)
    #expect(!File.exists(keys))
  }

  @Test(arguments: [
    (ServerCertificate.Kind.ofAnotherHost, "no alternative certificate subject name matches"),
    (.selfSigned, "self-signed certificate"),
  ])
  func aBadCertificateStopsTheSweep(_ kind: ServerCertificate.Kind, _ says: String) async throws {
    let scene = try await SecureScene(kind)
    try await scene.subtop.run(
      scene.sweep, code: 69, says: ["the App Store could not be reached at all (SSL", says])
    let doctor = try await scene.subtop.run(
      ["doctor", "--online", "--config", scene.configuration] + scene.addresses)
    let words = doctor.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(doctor.ending == .code(69) && words.contains(says), "\(words)")
    let after = try await scene.subtop.run("status", "--format", "json")
    #expect(try after.json["transactions"]?.integer == 0)
  }
}

private struct SecureScene {
  let subtop: Subtop
  let configuration: String
  private let appStore: FakeAppStoreChild
  private let nginx: Nginx
  private let folder = TemporaryFolder()

  init(_ kind: ServerCertificate.Kind = .good) async throws {
    (subtop, nginx) = (try Subtop(), try Nginx())
    let certificate = try ServerCertificate(kind, in: folder)
    appStore = try await FakeAppStoreChild(["--subscribers", "20", "--seed", "1"])
    guard let port = appStore.url.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw ProgramError.missing(appStore.url)
    }
    try nginx.start(before: port, showing: certificate, http2: true)
    let receipts = try Child(.built("fake-app-store"), ["receipts", "--subscribers", "20", "--seed", "1"])
    guard try await receipts.ending() == .code(0) else { throw ProgramError.missing(receipts.errors) }
    let file = try subtop.file("receipts.jsonl", receipts.output)
    _ = try await subtop.run("import", "receipts", file)
    configuration = try subtop.file("config.toml", "[sweep]\nca_file = \"\(certificate.authority)\"\n")
  }

  var addresses: [String] {
    let url = "https://127.0.0.1:\(nginx.port)"
    return ["--production-url", "\(url)/verifyReceipt", "--sandbox-url", "\(url)/sandbox/verifyReceipt"]
  }
  var sweep: [String] { ["sweep", "--all", "--config", configuration] + addresses }
}
