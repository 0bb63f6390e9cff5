import AppStore
import Subscriptions
import Testing

/// Whoever comes with another product's export has the figures of whoever comes with the receipts: both are Apple's.
@Suite("Coming from a hosted product") struct HostedExportProgramTests {
  private static let panels: [Panel] = [.overview, .active, .movement, .refunds]

  /// The data of the panels.
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

  /// The app's own ids of the users who are active; where it gave none, exports have the product's.
  private func users(of subtop: Subtop) async throws -> [Substring] {
    let rows = try await subtop.run("report", "active", "--rows", "--environment", "all")
    let users = rows.output.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("user-") }
    #expect(users.count > 10, "\(rows.errors)")
    return users
  }

  /// A token of the Server API is for one app: whose ids nobody knows, nobody can ask about.
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

  /// As one is that was mistyped.
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

  /// RevenueCat's; of the others IntakeTests' HostedExportTests know that they are read as well.
  @Test func hasTheFiguresOfTheReceipts() async throws {
    // Nothing happens between the two sweeps.
    let scene = try await ServerAPIScene("--clock-speed", "0")
    let options = try scene.options()
    // Without a purchase of the App Store's there is nothing to export.
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
      // Events name the product's customer where the app named none.
      #expect(differences.filter { !$0.hasPrefix("newest_events[") } == [], "\(panel)")
    }
    #expect(figures[1][1]["paid"]?.integer ?? 0 > ServerAPIScene.subscribers / 4)
    #expect(try await users(of: ways[1].subtop) == users(of: ways[0].subtop))
    let again = try await ways[1].subtop.run("import", "ids", files[1])
    #expect(again.errors.contains(", 0 of them new"), "\(again.errors)")
  }

  /// The app named the customer after the first events, or another export has the name: there is one customer, of that name.
  @Test func aCustomerWhomTheAppNamesLaterIsOne() async throws {
    let subtop = try Subtop()
    let header = "profile_id,event_type,event_datetime,original_transaction_id,customer_user_id\n"
    let first = try subtop.file(
      "first.csv", header + "p-1,trial_started,,2000000000000001,\np-2,trial_started,,2000000000000002,\n")
    let second = try subtop.file(
      "second.csv",
      header + "p-1,trial_started,,2000000000000001,\np-1,subscription_renewed,,2000000000000001,u-1\n"
        + "p-1,subscription_renewed,,2000000000000001,\np-3,subscription_renewed,,2000000000000003,u-3\n"
        + "p-3,subscription_renewed,,2000000000000003,\n")
    for files in [[first, second], [second, first], [second]] {
      let outcome = try await subtop.run(["import", "ids"] + files)
      #expect(outcome.ending == .code(0), "\(outcome.errors)")
    }
    #expect(try await subtop.run("status", "--format", "json").json["receipts"]?.integer == 3)
    for (user, isKnown) in [("u-1", true), ("p-1", false), ("p-2", true), ("u-3", true), ("p-3", false)] {
      let nowhere = ["--production-url", "http://127.0.0.1:1/", "--sandbox-url", "http://127.0.0.1:1/"]
      let found = try await subtop.run(["sweep", "--user", user] + nowhere)
      #expect((found.ending != .code(66)) == isKnown, "\(user): \(found.errors)")
    }
  }

  /// What is wrong in the middle leaves the store as it was, and is named with its line and column.
  @Test func aFaultInTheMiddleChangesNothing() async throws {
    let subtop = try Subtop()
    func text(_ middle: String) -> String {
      let rows = (1...2000).map { "u-\($0),app_store,\($0)" } + [middle] + (3000...4000).map { "v,,\($0)" }
      return "rc_original_app_user_id,store,original_store_transaction_id\n" + rows.joined(separator: "\n")
    }
    let good = try subtop.file("good.csv", text("u,app_store,2500"))
    let bad = try subtop.file("bad.csv", text("u,app_store,2.5E+15"))
    #expect(try await subtop.run("import", "ids", good).ending == .code(0))
    let before = try StoreTables(subtop.store)
    let outcome = try await subtop.run("import", "ids", bad)
    #expect(outcome.ending == .code(65))
    #expect(
      outcome.errors.contains(
        "bad.csv, line 2002: original_store_transaction_id (column 3) is a number that"),
      "\(outcome.errors)")
    #expect(try StoreTables(subtop.store) == before)
    let rest = try await subtop.run("import", "ids", "--skip-invalid", bad)
    #expect(rest.ending == .code(0) && rest.errors.contains("imported 3,001 rows"), "\(rest.errors)")
  }
}
