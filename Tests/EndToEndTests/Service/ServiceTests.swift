import FakeAppStore
import Glibc
import TestSupport
import Testing

@Suite("As a service") struct ServiceTests {
  private let scene: ListeningScene

  init() throws { scene = try ListeningScene() }

  private func listen(_ variables: [String: String]) async throws -> Child {
    var subtop = scene.subtop
    subtop.variables = variables
    let child = try subtop.start(["listen", "--port", "0", "--config", try scene.configuration()])
    try await soon("it listens: \(child.errors)") { child.output.hasSuffix("\n") ? true : nil }
    return child
  }

  @Test(arguments: [false, true])
  func aListenerSaysWhenItIsUpAndWhenItEnds(_ isAbstract: Bool) async throws {
    let name = isAbstract ? "@subtop-test-\(getpid())" : scene.subtop.home / "notify"
    let manager = try DatagramSocket(name)
    let child = try await listen(["NOTIFY_SOCKET": name])
    let url = child.output.split(separator: "\n").first.map(String.init) ?? ""
    let first = try await soon("it is ready") { manager.messages().first }
    #expect(first == "READY=1\nSTATUS=listening on \(url)")
    try await child.stop()
    #expect(manager.messages() == ["STOPPING=1"], "no watchdog was asked for")
  }

  @Test func aListenerSendsWatchdogSignals() async throws {
    let name = scene.subtop.home / "notify"
    let manager = try DatagramSocket(name)
    let child = try await listen(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "100000"])
    var signs = 0
    try await soon("signs of life: \(signs)") {
      signs += manager.messages().count { $0 == "WATCHDOG=1" }
      return signs >= 5 ? true : nil
    }
    kill(child.pid, SIGTERM)
    // A full socket would block the listener.
    try await soon("it ends") {
      _ = manager.messages()
      return child.hasEnded ? true : nil
    }
    #expect(try await child.ending() == .code(0))
  }

  @Test(arguments: [["WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"], ["WATCHDOG_USEC": "0"]])
  func ignoresAForeignOrDisabledWatchdog(_ variables: [String: String]) async throws {
    let name = scene.subtop.home / "notify"
    let manager = try DatagramSocket(name)
    let child = try await listen(variables.merging(["NOTIFY_SOCKET": name]) { $1 })
    let port = child.output.split(separator: "\n").first.flatMap { Int($0.split(separator: ":").last ?? "") }
    #expect(await LoopbackClient(port: port ?? 0)?.post(scene.purchase(1)).status == 200)
    try await child.stop()
    #expect(manager.messages().filter { $0.hasPrefix("WATCHDOG") } == [])
  }

  @Test(arguments: ["@", "/nowhere/notify", "/" + String(repeating: "x", count: 300)])
  func anInvalidSocketIsIgnored(_ name: String) async throws {
    let child = try await listen(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "2000"])
    try await child.stop()
    #expect(child.errors == "")
  }

  /// Runs a command whose JOURNAL_STREAM does or does not match its standard error.
  private func errors(_ isJournal: Bool) async throws -> (String, hasLog: Bool) {
    var subtop = scene.subtop
    let file = try subtop.file("journal", "")
    subtop.variables = ["JOURNAL_STREAM": Self.stream(file, offBy: isJournal ? 0 : 1)]
    #expect(try await subtop.shell("exec \"$0\" sweep 2>'\(file)'").ending == .code(66))
    return (try File.text(file), File.exists(subtop.log))
  }

  @Test func theJournalGetsPrioritiesAndNoOtherLogIsWritten() async throws {
    let (journal, hasLog) = try await errors(true)
    #expect(journal.hasPrefix("<3>subtop: there is no store at ") && !hasLog)
    #expect(journal.split(separator: "\n").count == 1, "said once, though it would be logged as well")
    let (plain, hasFile) = try await errors(false)
    #expect(plain.hasPrefix("subtop: there is no store at ") && hasFile)
  }

  @Test func writesTheLogToTheJournal() async throws {
    var subtop = scene.subtop
    let file = try subtop.file("journal", "")
    subtop.variables = ["JOURNAL_STREAM": Self.stream(file)]
    let listen = "listen --port 0 --config '\(try scene.configuration())'"
    let child = try subtop.startShell("exec \"$0\" \(listen) 2>'\(file)'")
    try await soon("it listens") { child.output.hasSuffix("\n") ? true : nil }
    try await child.stop()
    let lines = try File.text(file).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("<6>") }, "\(lines)")
    #expect(lines.first?.hasPrefix("<6>listening url=http://127.0.0.1:") == true)
  }

  private static func stream(_ file: String, offBy inodes: UInt = 0) -> String {
    var status = stat()
    stat(file, &status)
    return "\(status.st_dev):\(status.st_ino + inodes)"
  }

  @Test func secretsAreReadFromTheFolderThatSystemdMakes() async throws {
    let appStore = try await ObservedAppStore()
    var subtop = try Subtop()
    subtop.secret = nil
    mkdir(subtop.home / "credentials", 0o700)
    try File.write(
      FakeStore.defaultSharedSecret + "\n", to: subtop.home / "credentials/shared-secret", mode: 0o400)
    let configuration = try subtop.file(
      "config.toml", "shared_secret_file = \"$CREDENTIALS_DIRECTORY/shared-secret\"\n")
    _ = try await subtop.run(
      ["import", "receipts", try subtop.file("receipts.jsonl", appStore.receipts(3))])
    let arguments = ["sweep", "--all", "--config", configuration] + appStore.options
    try await subtop.run(
      arguments, code: 78, says: ["$CREDENTIALS_DIRECTORY/shared-secret: CREDENTIALS_DIRECTORY is not set"])
    subtop.variables = ["CREDENTIALS_DIRECTORY": subtop.home / "credentials"]
    try await subtop.run(arguments, code: 0)
    let printed = try await subtop.run("config", "--effective", "--config", configuration)
    #expect(printed.output.contains("shared_secret_file = \"$CREDENTIALS_DIRECTORY/shared-secret\""))
    let other = try subtop.file("other.toml", "shared_secret_file = \"$HOME/secret\"\n")
    try await subtop.run(["sweep", "--config", other], code: 78, says: ["$HOME/secret: No such file"])
  }

  /// The units supply a publicly known placeholder for a missing credential.
  @Test(arguments: ["shared_secret_file", "private_key_file"])
  func aPlaceholderCredentialIsNotUsed(_ key: String) async throws {
    var subtop = try await SmallStore.copy()
    subtop.secret = nil
    mkdir(subtop.home / "credentials", 0o700)
    try File.write("absent", to: subtop.home / "credentials/x", mode: 0o400)
    subtop.variables = ["CREDENTIALS_DIRECTORY": subtop.home / "credentials"]
    let place = "\(key) = \"$CREDENTIALS_DIRECTORY/x\"\n"
    let text =
      key == "private_key_file"
      ? "issuer_id = \"57246542-96fe-1a63-e053-0824d011072a\"\nkey_id = \"2X9R4HXF34\"\n" + place : place
    let configuration = ["--config", try subtop.file("config.toml", text)]
    // `listen` does not use the private key.
    let commands = ["shared_secret_file": ["sweep", "listen"], "private_key_file": ["sweep"]]
    for command in (commands[key] ?? []) + ["doctor"] {
      let outcome = try await subtop.run([command] + configuration)
      #expect(outcome.ending == .code(78), "\(command): \(outcome)")
      #expect(
        (outcome.output + outcome.errors).contains("systemd found no file for the credential x"), "\(outcome)"
      )
    }
  }
}
