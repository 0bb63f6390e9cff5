import FakeAppStore
import Glibc
import TestSupport
import Testing

/// The sweep must end before any request.
@Suite("Files that others may change") struct OthersFilesTests {
  @Test(
    arguments: [
      ("config/subtop/config.toml", 0o646, ["the configuration file was not read", "chmod go-w /"]),
      ("secret", 0o640, ["the shared secret of every app was not read", "chmod 600 /"]),
      ("authority.pem", 0o666, ["sweep.ca_file of the configuration file", "chmod go-w /"]),
    ] as [(String, mode_t, [String])])
  func areRefusedIfUnsafe(_ file: String, _ mode: mode_t, _ says: [String]) async throws {
    try await isRefused(77, says) { chmod($0.home / file, mode) }
  }

  @Test(arguments: [
    ("secret", "0123456789abcdef\0", ["the shared secret of every app: /", "contains a NUL byte; rewrite"]),
    ("authority.pem", "", ["cannot use sweep.ca_file", "contains no readable PEM certificate"]),
  ])
  func areRefusedIfInvalid(_ file: String, _ text: String, _ says: [String]) async throws {
    try await isRefused(78, says) { try File.write(text, to: $0.home / file) }
  }

  private func isRefused(
    _ code: Int32, _ says: [String], spoil: (Subtop) throws -> Void
  ) async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await Self.sound(asking: appStore)
    try spoil(subtop)
    let outcome = try await subtop.run("sweep", "--all", code: code, says: says)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(appStore.server.traffic.requests == 0)
  }

  @Test func areUsedIfPrivate() async throws {
    let appStore = try await ObservedAppStore()
    let outcome = try await Self.sound(asking: appStore).run("sweep", "--all")
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(appStore.server.traffic.requests > 0)
  }

  /// The command runs without a log, and reports that once.
  @Test func areNotUsedForLogging() async throws {
    let subtop = try Subtop()
    mkdir(subtop.home / "state", 0o700)
    mkdir(subtop.home / "state/subtop", 0o700)
    chmod(subtop.home / "state/subtop", 0o777)
    let outcome = try await subtop.run("sweep", code: 66)
    let said = outcome.errors.split(separator: "\n").filter {
      $0.contains("cannot write the log: users other than")
    }
    #expect(said.count == 1, "\(outcome.errors)")
    #expect(File.names(in: subtop.home / "state/subtop") == [])
    chmod(subtop.home / "state/subtop", 0o700)
    _ = try await subtop.run("sweep")
    #expect(try File.text(subtop.log).contains("there is no store at"))
  }

  private static func sound(asking appStore: ObservedAppStore) async throws -> Subtop {
    var subtop = try Subtop()
    subtop.secret = nil
    let secret = try subtop.file("secret", FakeStore.defaultSharedSecret + "\n")
    let authority = try subtop.file("authority.pem", SampleCertificate.pem, mode: 0o644)
    let urls = appStore.options
    try subtop.configure(
      """
      production_url = "\(urls[1])"
      sandbox_url = "\(urls[3])"
      shared_secret_file = "\(secret)"
      [sweep]
      ca_file = "\(authority)"
      """)
    let file = try subtop.file("receipts.jsonl", appStore.receipts(5))
    try #require(try await subtop.run("import", "receipts", file).ending == .code(0))
    return subtop
  }
}
