import AppStore
import FakeAppStore
import Glibc
import Subscriptions
import Testing

/// The ten commands of `subtop help operating`. Tests/Package runs them as they stand there, where systemd does; here they are held
/// against the units, and those of the program run over a fake App Store.
@Suite("Operating") struct OperatingTests {
  private static let units = UnitFilesTests.folder + "/system"
  /// Both programs make up the same lives by it.
  private static let population = [
    "--subscribers", "30", "--start",
    Instant(milliseconds: FakeClock.realNow.rawValue - Milliseconds.day).iso8601,
  ]

  private var subtop: Subtop

  init() throws {
    subtop = try Subtop()
    subtop.secret = nil
    // As subtop-service sets them.
    for folder in ["etc", "etc/subtop", "etc/subtop/credentials", "lib"] {
      mkdir(subtop.home / folder, 0o700)
    }
    subtop.variables = [
      "XDG_CONFIG_HOME": subtop.home / "etc", "XDG_DATA_HOME": subtop.home / "lib",
      "XDG_STATE_HOME": subtop.home / "lib", "SUBTOP_STORE": Subtop.unset,
      "CREDENTIALS_DIRECTORY": subtop.home / "etc/subtop/credentials",
    ]
  }

  private func commands() async throws -> [String] {
    let lines = try await subtop.run("help", "operating").output.split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.hasPrefix("  apt install") }.prefix { !$0.isEmpty }.map {
      String($0.dropFirst(2))
    }
  }

  @Test func theCommandsNameWhatIsThere() async throws {
    let commands = try await commands()
    #expect(commands.count == 10)
    let names = File.names(in: Self.units)
    for command in commands where command.hasPrefix("systemctl") {
      let words = command.split(separator: " ")
      #expect(words.dropLast() == ["systemctl", "enable", "--now"])
      let unit = String(words.last ?? "")
      #expect(names.contains(unit), "\(command)")
      #expect(try File.text("\(Self.units)/\(unit)").contains("[Install]"), "\(command)")
      if unit.hasSuffix(".timer") {
        #expect(names.contains(unit.replacing(".timer", with: ".service")), "\(command)")
      }
    }
    let sandbox = try File.text("\(Self.units)/subtop-.service.d/sandbox.conf")
    for command in commands where command.contains("/credentials/") {
      let path = String(command.split(separator: " ").last ?? "")
      #expect(sandbox.contains("LoadCredential=\(path.split(separator: "/").last ?? ""):\(path)\n"))
    }
  }

  @Test func theCommandsDoWhatTheySay() async throws {
    let (root, key) = (
      subtop.home / "etc/subtop/root.pem", subtop.home / "etc/subtop/credentials/private-key"
    )
    let appStore = try await FakeAppStoreChild(
      Self.population + [
        "--write-root", root, "--write-key", key, "--issuer-id", "57246542-96fe-1a63-e053-0824d011072a",
        "--key-id", "2X9R4HXF34",
      ])
    let topic = try await subtop.run("help", "operating").output
    let begun = topic.split(separator: "\n", omittingEmptySubsequences: false).drop {
      !$0.hasPrefix("  issuer_id")
    }
    let printed = begun.prefix { $0.isEmpty || $0.hasPrefix("  ") }.joined(separator: "\n")
    let configuration = """
      root_certificate_file = "\(root)"
      server_api_url = "\(appStore.url)"
      server_api_sandbox_url = "\(appStore.url)/sandbox"

      """
      + printed.replacing("com.example.app", with: FakeCatalog.bundleID(ofApp: 0).rawValue)
      .replacing("https://hooks.example.com/subtop", with: "\(appStore.url)/nowhere")
      .replacing("churn_rate > 6%", with: "paid > 0")
    _ = try subtop.file("etc/subtop/config.toml", configuration)
    let customers = try subtop.file("customers.csv", try await ids())
    for command in try await commands() where command.hasPrefix("subtop-service ") {
      let words = command.split(separator: " ").dropFirst().map(String.init)
      let arguments = words.filter { !$0.hasPrefix("<") }
      let outcome = try await subtop.run(arguments, input: arguments == words ? "/dev/null" : customers)
      let isRaised = command.hasSuffix("--alerts")
      #expect(outcome.ending == .code(isRaised ? 1 : 0), "\(command): \(outcome.output)\(outcome.errors)")
      if isRaised { #expect(outcome.output.contains("churn")) }
    }
    #expect(File.mode(subtop.home / "lib/subtop/subtop.sqlite") == 0o600)
    let active = try await subtop.run("report", "active", "--format", "json").json
    #expect(active["data.paid"]?.integer ?? 0 > 5)
  }

  /// The population's ids, as a customer's CSV has them.
  private func ids() async throws -> String {
    let made = try Child(.built("fake-app-store"), ["receipts"] + Self.population)
    _ = try await made.ending()
    var rows = ["original_transaction_id,app_user_id"]
    for line in made.output.split(separator: "\n") {
      guard let json = try? JSON(Array(line.utf8)), let data = json["receipt-data"]?.text,
        let id = ReceiptContents(ReceiptData(trusted: data))?.customerID
      else { continue }
      rows.append("\(id),\(json["app_user_id"]?.text ?? "")")
    }
    return rows.joined(separator: "\n") + "\n"
  }
}
