import AppStore
import Subscriptions
import Testing

/// Imports of other products' exports and of receipts must give equal figures.
@Suite("Coming from a hosted product") struct HostedExportProgramTests {
  private static let panels: [Panel] = [.overview, .active, .movement, .refunds]

  private func figures(of subtop: Subtop) async throws -> [JSON] {
    var figures: [JSON] = []
    for panel in Self.panels {
      let report = try await subtop.run(
        "report", panel.rawValue, "--environment", "all", "--window", "90d", "--format", "json")
      #expect(report.ending == .code(0), "\(report.errors)")
      figures.append(try #require(try report.json["data"]))
    }
    return figures
  }

  /// App users of active lines. Without one, exports contain the other product's customer id.
  private func users(of subtop: Subtop) async throws -> [Substring] {
    let rows = try await subtop.run("report", "active", "--rows", "--environment", "all")
    let users = rows.output.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("user-") }
    #expect(users.count > 10, "\(rows.errors)")
    return users
  }

  /// Server API tokens are per app, so ids without an app cannot be asked about.
  @Test func idsOfSeveralAppsSayWhoseTheyAre() async throws {
    let subtop = try Subtop()
    let file = try subtop.file(
      "rc.csv",
      "original_store_transaction_id,rc_original_app_user_id\n2000000000000001,u\n2000000000000002,v\n")
    #expect(try await subtop.run("import", "ids", file).ending == .code(0))
    let configuration = try subtop.file(
      "c.toml",
      ["a", "b"].map { "[apps.\"com.example.\($0)\"]\nshared_secret_env = \"SECRET_\($0)\"\n" }.joined())
    let refused = try await subtop.run("import", "ids", file, "--config", configuration)
    #expect(refused.ending == .code(65))
    #expect(refused.errors.contains("it names no app, of which 2 are configured"), "\(refused.errors)")
    let named = try await subtop.run(
      "import", "ids", file, "--config", configuration, "--bundle", "com.example.a")
    #expect(named.ending == .code(0), "\(named.errors)")
    let status = try await subtop.run("status", "--format", "json")
    #expect(try status.json["receipts"]?.integer == 2, "those without an app are those with it")
    let receipts = try await subtop.run("import", "catalog", file, "--bundle", "com.example.a")
    #expect(receipts.ending == .code(64) && receipts.errors.contains("--bundle is for receipts and ids"))
  }

  /// A new app next to others may be a typing error.
  @Test func anAppThatIsNewBesideOthersIsNamed() async throws {
    let subtop = try Subtop()
    let file = try subtop.file("ids", "2000000000000001\n")
    let words = "nothing in the store was of the app com.exmaple before, only of others, such as com.example;"
    for (app, isNamed) in [("com.example", false), ("com.exmaple", true), ("com.exmaple", false)] {
      let outcome = try await subtop.run("import", "ids", file, "--bundle", app)
      #expect(outcome.ending == .code(0) && outcome.errors.contains(words) == isNamed, "\(outcome.errors)")
    }
    let configuration = try subtop.file("config.toml", "[apps.\"com.known\"]\n")
    let several = try subtop.file(
      "several", "original_transaction_id,bundle_id\n22,com.known\n33,com.third\n44,com.fourth\n")
    let outcome = try await subtop.run("import", "ids", several, "--config", configuration)
    for (app, isNamed) in [("com.known", false), ("com.third", true), ("com.fourth", true)] {
      #expect(outcome.errors.contains("of the app \(app) before") == isNamed, "\(outcome.errors)")
    }
  }

  /// Uses RevenueCat's export. HostedExportTests cover the formats of others.
  @Test func hasTheFiguresOfTheReceipts() async throws {
    // The clock stops between the two sweeps.
    let scene = try await ServerAPIScene("--clock-speed", "0")
    let options = try scene.options()
    // Customers without App Store purchases are not exported.
    let receipts = try await scene.receipts().split(separator: "\n").filter { line in
      try JSON(Array(line.utf8))["receipt-data"]?.text
        .flatMap { ReceiptContents(ReceiptData(trusted: $0))?.customerID } != nil
    }
    let ways = try ["receipts", "ids"].map { (kind: $0, subtop: try ServerAPIScene.withoutSecret()) }
    let text = try RevenueCatText.of(receipts)
    let files = [
      try ways[0].subtop.file("receipts.jsonl", receipts.joined(separator: "\n") + "\n"),
      try ways[1].subtop.file("export.csv", text.text),
    ]
    var figures: [[JSON]] = []
    for (way, file) in zip(ways, files) {
      let imported = try await way.subtop.run("import", way.kind, file)
      #expect(imported.ending == .code(0), "\(imported.errors)")
      if way.kind == "ids" {
        #expect(
          imported.errors.contains("imported \(text.rows) rows of \(RevenueCatText.says[0])"),
          "\(imported.errors)")
        for words in RevenueCatText.says { #expect(imported.errors.contains(words), "\(imported.errors)") }
        #expect(text.sandbox > 0 && imported.errors.contains("\(text.sandbox) rows of the sandbox"))
      }
      let sweep = try await way.subtop.run(["sweep", "--format", "json"] + options)
      #expect(sweep.ending == .code(0), "\(sweep.errors)")
      figures.append(try await self.figures(of: way.subtop))
    }
    for (panel, (fromReceipts, fromExport)) in zip(Self.panels, zip(figures[0], figures[1])) {
      let differences = fromExport.differences(from: fromReceipts)
      // Events contain the other product's customer id if the app gave none.
      #expect(differences.filter { !$0.hasPrefix("newest_events[") } == [], "\(panel)")
    }
    #expect(figures[1][1]["paid"]?.integer ?? 0 > ServerAPIScene.subscribers / 4)
    #expect(try await users(of: ways[1].subtop) == users(of: ways[0].subtop))
    let again = try await ways[1].subtop.run("import", "ids", files[1])
    #expect(again.errors.contains(", 0 of them new"), "\(again.errors)")
  }
}
