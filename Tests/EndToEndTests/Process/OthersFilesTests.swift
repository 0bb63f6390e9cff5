import FakeAppStore
import Glibc
import TestSupport
import Testing

/// Change that lets others redirect receipts. The sweep must end before any request.
struct OthersFile: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var spoil: @Sendable (Subtop) -> Void
  var code: Int32 = 77
  var says: [String]

  private static func spoiled(
    _ name: String, _ code: Int32 = 77, says: String..., spoil: @escaping @Sendable (Subtop) -> Void
  ) -> OthersFile {
    OthersFile(testDescription: name, spoil: spoil, code: code, says: says)
  }

  static let all: [OthersFile] = [
    spoiled(
      "a configuration that everybody may write", says: "the configuration file is not read", "chmod go-w /"
    ) {
      chmod($0.home / "config/subtop/config.toml", 0o646)
    },
    spoiled(
      "a secret that the group may read", says: "the shared secret of every app is not read", "chmod 600 /"
    ) {
      chmod($0.home / "secret", 0o640)
    },
    spoiled("a secret with a NUL in it", 78, says: "the shared secret of every app holds a NUL; write") {
      _ = try? File.write("0123456789abcdef\0", to: $0.home / "secret")
    },
    spoiled(
      "certificates that everybody may write", says: "sweep.ca_file of the configuration file", "chmod go-w /"
    ) {
      chmod($0.home / "authority.pem", 0o666)
    },
    spoiled(
      "certificates that are none", 78, says: "cannot use sweep.ca_file", "has no PEM certificate that can"
    ) {
      truncate($0.home / "authority.pem", 0)
    },
  ]
}

@Suite("Files that others may change")
struct OthersFilesTests {
  @Test(arguments: OthersFile.all)
  func areNotObeyed(_ file: OthersFile) async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await Self.sound(asking: appStore)
    file.spoil(subtop)
    let outcome = try await subtop.run("sweep", "--all")
    #expect(outcome.ending == .code(file.code), "\(outcome.errors)")
    for words in file.says { #expect(outcome.errors.contains(words), "\(outcome.errors)") }
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(appStore.server.requestCount == 0)
  }

  @Test func areObeyedWhereNobodyElseMay() async throws {
    let appStore = try await ObservedAppStore()
    let outcome = try await Self.sound(asking: appStore).run("sweep", "--all")
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(appStore.server.requestCount > 0)
  }

  /// The command runs without a log, and reports that once.
  @Test func areNotLoggedInto() async throws {
    let subtop = try Subtop()
    mkdir(subtop.home / "state", 0o700)
    mkdir(subtop.home / "state/subtop", 0o700)
    chmod(subtop.home / "state/subtop", 0o777)
    let outcome = try await subtop.run("sweep")
    #expect(outcome.ending == .code(66))
    let said = outcome.errors.split(separator: "\n").filter {
      $0.contains("no log is written: users other than")
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
    for folder in ["config", "config/subtop"] { mkdir(subtop.home / folder, 0o700) }
    let secret = try subtop.file("secret", FakeStore.defaultSharedSecret + "\n")
    let authority = try subtop.file("authority.pem", SampleCertificate.pem, mode: 0o644)
    let urls = appStore.options
    _ = try subtop.file(
      "config/subtop/config.toml",
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
