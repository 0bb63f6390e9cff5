import AppStore
import Testing

/// What `fake-app-store` hands to the clients of its Server API.
@Suite("Files of fake-app-store")
struct FakeAppStoreFilesTests {
  @Test func writesTheRootAndTheKey() async throws {
    let folder = try Folder()
    // What was there before is neither kept nor left to be read by others.
    try File.write(
      "an old key that is longer than the new one" + String(repeating: ".", count: 2000),
      to: folder / "key.p8", mode: 0o644)
    let server = try await FakeAppStoreChild([
      "--subscribers", "3", "--write-root", folder / "root.pem", "--write-key", folder / "key.p8",
    ])
    #expect(server.url.hasPrefix("http://127.0.0.1:"))
    let root = try File.bytes(folder / "root.pem")
    #expect(Certificate(file: root) != nil && PEMCertificates.problem(in: root) == nil)
    let key = try File.bytes(folder / "key.p8")
    #expect(key.withUnsafeBytes { ES256Key(pem: $0) }?.pem == String(decoding: key, as: UTF8.self))
    #expect(File.mode(folder / "key.p8") == 0o600)
    #expect(!server.child.output.contains("PRIVATE") && !server.child.errors.contains("PRIVATE"))
  }

  @Test(
    "What it refuses",
    arguments: [
      (["--notify", "http://example.com/"], "127.0.0.1, localhost and [::1] alone"),
      (["--notify", "https://127.0.0.1/"], "has to begin with http://"),
      (["--server-api-rate", "0"], "'--server-api-rate <n>': write a whole number from 1 to 1000000"),
      (["--port", "abc"], "'abc' is invalid for '--port <n>': write a whole number from 0 to 65535"),
      (["--port", "70000"], "write a whole number from 0 to 65535"),
      (["--subscribers", "99999999999999999999"], "write a whole number from 0 to "),
      (["--seed", "-1"], "write a whole number from 0\n"),
      (["--start", "9223372036854775807"], "'--start <instant>': give a day, as 2026-11-21"),
      (["--start", "-1"], "the last year is 9999"), (["--start", " "], "give a day, as 2026-11-21"),
      (["--clock-speed", "fast"], "write a number from 0 to 1000000000, as 2.5"),
      (["--latency", "1.5"], "write a whole number from 0 to 600000"),
      (["--key-id", ""], "the id of --key-id is empty; "),
      (["--shared-secret", ""], "'--shared-secret <secret>': write a secret, or BUNDLE-ID=SECRET"),
      (["--shared-secret", " "], "write a secret, or "),
      (["--shared-secret", "com.a= "], "write a secret, or "),
      (["--shared-secret", " =x"], "write a secret, or "),
      (["--issuer-id", " "], "the id of --issuer-id is blank; "),
      (["--write-root", " "], "the path of --write-root is blank; pass the file to be made"),
      (["--write-key", ""], "the path of --write-key is empty; "),
      (["--redirect-target", "\t"], "write an address that begins with http:// or https://"),
      (["--redirect-target", "nonsense"], "write an address that begins with http:// or https://"),
      (["--redirect-target", "ftp://127.0.0.1/"], "write an address that begins with http:// or https://"),
      (
        ["--redirect-target", "http:///verifyReceipt"],
        "write an address that begins with http:// or https://"
      ),
      (["--redirect-target", "http://a/\r\nX: y"], "write an address that begins with http:// or https://"),
      (["--fault", ""], "write KIND=RATE, as reset=0.1, with a rate from 0 to 1"),
      (["--fault", "reset"], "write KIND=RATE, "), (["--fault", "reset=2"], "write KIND=RATE, "),
      (["--fault", "all="], "write KIND=RATE, "), (["--fault", "nonsense=0.1"], "lists the kinds"),
      (["--unreleased", "com.example.app", "--unreleased", ""], "the app of --unreleased is empty; "),
    ] as [([String], String)])
  func refuses(_ options: [String], _ words: String) async throws {
    let child = try Child(.built("fake-app-store"), ["--port", "0"] + options)
    #expect(try await child.ending() == .code(64))
    #expect(child.errors.contains(words), "\(child.errors)")
  }

  @Test(arguments: [
    (["help", "nope"], "there is no command nope; give one of serve, receipts, catalog"),
    (["help", " "], "the name is blank; give one of serve"), (["help", ""], "the name is empty; "),
    (["help", "serve", "nope"], "help explains one command at a time; give one of serve"),
    (["help", "serve", ""], "help explains one command at a time; give one of serve"),
    (["--help", "nope"], "there is no command nope; "),
    (["help", "\u{1B}[31m"], "there is no command ?[31m; "),
  ])
  func helpNamesWhatThereIs(_ arguments: [String], _ words: String) async throws {
    let child = try Child(.built("fake-app-store"), arguments)
    #expect(try await child.ending() == .code(64) && child.output.isEmpty)
    #expect(child.errors.contains(words), "\(child.errors)")
  }

  @Test(arguments: [[], ["serve"], ["receipts"], ["catalog"], ["--help"]])
  func helpExplainsWhatThereIs(_ arguments: [String]) async throws {
    let child = try Child(.built("fake-app-store"), ["help"] + arguments)
    #expect(try await child.ending() == .code(0))
    #expect(child.output.contains("USAGE: fake-app-store"), "\(child.output)")
  }

  @Test func theOptionBeforeACommandExplainsThatCommand() async throws {
    let child = try Child(.built("fake-app-store"), ["--help", "receipts"])
    #expect(try await child.ending() == .code(0))
    #expect(child.output.contains("USAGE: fake-app-store receipts"), "\(child.output)")
  }

  @Test func aFileThatCannotBeWrittenIsAFailure() async throws {
    let child = try Child(
      .built("fake-app-store"), ["--port", "0", "--subscribers", "3", "--write-key", "/nonexistent/key.p8"])
    #expect(try await child.ending() == .code(1))
    #expect(child.errors.contains("cannot write /nonexistent/key.p8: No such file or directory"))
  }

  @Test func aPortThatIsTakenIsNamed() async throws {
    let first = try await FakeAppStoreChild(["--subscribers", "3"])
    let port = try #require(first.url.split(separator: ":").last.map(String.init))
    let second = try Child(.built("fake-app-store"), ["--port", port, "--subscribers", "3"])
    #expect(try await second.ending() == .code(1))
    #expect(
      second.errors.contains("127.0.0.1 port \(port): Address already in use; choose another port"),
      "\(second.errors)")
  }
}
