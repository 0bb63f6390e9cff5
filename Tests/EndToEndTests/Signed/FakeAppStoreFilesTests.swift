import AppStore
import Testing

@Suite("Files of fake-app-store")
struct FakeAppStoreFilesTests {
  @Test func writesTheRootAndTheKey() async throws {
    let folder = try Folder()
    // An existing file must be replaced, with restricted permissions.
    try File.write(
      "an old key that is longer than the new one" + String(repeating: ".", count: 2000),
      to: folder / "key.p8", mode: 0o644)
    let server = try await FakeAppStoreChild([
      "--subscribers", "3", "--write-root", folder / "root.pem", "--write-key", folder / "key.p8",
    ])
    #expect(server.url.hasPrefix("http://127.0.0.1:"))
    let root = try File.bytes(folder / "root.pem")
    #expect(Certificate(file: root) != nil)
    let key = try File.bytes(folder / "key.p8")
    #expect(key.withUnsafeBytes { ES256Key(pem: $0) }?.pem == String(decoding: key, as: UTF8.self))
    #expect(File.mode(folder / "key.p8") == 0o600)
    #expect(!server.child.output.contains("PRIVATE") && !server.child.errors.contains("PRIVATE"))
  }

  @Test(
    "What it refuses",
    arguments: [
      ("--notify http://example.com/", "only to 127.0.0.1, localhost and [::1]"),
      ("--port 70000", "write a whole number from 0 to 65535"),
      ("--seed -1", "write a whole number from 0\n"),
      ("--start 9223372036854775807", "'--start <instant>': write a date such as 2026-11-21"),
      ("--clock-speed fast", "write a number from 0 to 1000000000, such as 2.5"),
      ("--fault reset=2", "pass KIND=RATE, such as reset=0.1, rate 0 to 1"),
      ("--fault nonsense=0.1", "fake-app-store help serve` lists the kinds"),
      ("apple-reports --output /tmp --days 0", "write a whole number from 1 to 1100"),
      ("apple-reports", "Missing expected argument '--output <output>'"),
    ])
  func refuses(_ arguments: String, _ words: String) async throws {
    let child = try Child(.built("fake-app-store"), arguments.split(separator: " ").map(String.init))
    #expect(try await child.ending() == .code(64) && child.output.isEmpty)
    #expect(child.errors.contains(words), "\(child.errors)")
  }

  @Test(arguments: ["help", "help receipts", "--help catalog"])
  func helpPrintsTheUsage(_ arguments: String) async throws {
    let child = try Child(.built("fake-app-store"), arguments.split(separator: " ").map(String.init))
    #expect(try await child.ending() == .code(0))
    #expect(child.output.contains("USAGE: fake-app-store"), "\(child.output)")
  }

  @Test func aFileThatCannotBeWrittenIsAFailure() async throws {
    let child = try Child(
      .built("fake-app-store"), ["--port", "0", "--subscribers", "3", "--write-key", "/nonexistent/key.p8"])
    #expect(try await child.ending() == .code(1))
    #expect(child.errors.contains("cannot write /nonexistent/key.p8: No such file or directory"))
  }

  @Test func writesAppleReports() async throws {
    let folder = try Folder()
    let arguments = ["--days", "3", "--subscribers", "40", "--start", "2026-06-15T12:00:00Z"]
    // The directory exists the second time.
    for output in [folder / "reports", folder / "reports", "/nonexistent/reports"] {
      let child = try Child(.built("fake-app-store"), ["apple-reports", "--output", output] + arguments)
      let isThere = output.hasPrefix(folder / "")
      #expect(try await child.ending() == .code(isThere ? 0 : 1))
      #expect(child.errors.contains("cannot create /nonexistent/reports: No such file") != isThere)
    }
    let first = try File.bytes(folder / "reports/Subscription_85000000_20260611_V1_3.txt")
    #expect(String(decoding: first, as: UTF8.self).hasPrefix("App Name\tApp Apple ID\t"))
    #expect(!File.exists(folder / "reports/S_D_85000000_20260614.txt"))
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
