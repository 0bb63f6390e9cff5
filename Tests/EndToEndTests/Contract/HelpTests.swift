import AppStore
import Dashboard
import GRDB
import Screen
import Subscriptions
import Testing

@Suite("Help") struct HelpTests {
  static let commands = [
    "dashboard", "demo", "import", "sweep", "sweeps", "listen", "backfill", "fetch", "publish", "report",
    "reconcile", "chain", "status", "backup", "restore", "doctor", "config",
  ]

  static let topics = [
    "commands", "keys", "lists", "terminal", "figures", "windows", "compare", "reconcile", "alerts",
    "formats", "revenuecat", "adapty", "qonversion", "limits", "secrets", "configuration",
    "sweeping", "operating", "store", "team", "views", "environment", "files", "exit-status",
  ]

  private func words(of topic: String) async throws -> String {
    let outcome = try await Subtop().run("help", topic)
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
    return outcome.output.joinedLines
  }

  @Test func listsCommandsAndTopics() async throws {
    let outcome = try await Subtop().run("help")
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
    let parts = outcome.output.split(separator: "\nTOPICS:\n")
    try #require(parts.count == 2)
    for command in Self.commands { #expect(parts[0].contains("\n  \(command) "), "\(command)") }
    let listed = parts[1].split(separator: "\n").compactMap { line -> String? in
      let isName = line.hasPrefix("  ") && line.dropFirst(2).first != " "
      return isName ? line.split(separator: " ").first.map(String.init) : nil
    }
    #expect(listed.filter { $0 != "See" } == Self.topics)
  }

  @Test(arguments: topics) func prints(_ topic: String) async throws {
    let subtop = try Subtop()
    let outcome = try await subtop.run("help", topic)
    #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 8)
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.filter { $0.last == " " || $0.contains("{{") } == [])
    #expect(outcome.output.hasSuffix("\n") && !outcome.output.hasSuffix("\n\n"))
    #expect(!File.exists(subtop.store), "help opens no store")
    #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 }, "letters that not every terminal has")
  }

  @Test(arguments: ["dashboard", "import", "sweep"]) func explainsCommandsAsTheirOwnOptionDoes(
    _ command: String
  ) async throws {
    let subtop = try Subtop()
    let asked = try await subtop.run("help", command)
    let own = try await subtop.run(command, "--help")
    #expect(asked.ending == .code(0) && asked.errors.isEmpty)
    #expect(asked.output == own.output && own.output.contains("USAGE: subtop \(command)"))
    #expect(try await subtop.run("--help", command).output == own.output, "not the dashboard's")
  }

  @Test(arguments: [
    ("Limits", "similar: limits"), ("sweping", "sweeping"),
    ("xylophone", "xylophone; `subtop help` lists both"), ("keys limits", "Unexpected argument 'limits'"),
    ("\u{1B}[31m", "there is no command or topic ?[31m;"),
  ])
  func suggestsSimilarTopics(_ word: String, _ says: String) async throws {
    let outcome = try await Subtop().run(
      ["help"] + (word.isEmpty ? [""] : word.split(separator: " ").map(String.init)))
    #expect(outcome.ending == .code(64) && outcome.output.isEmpty)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test func listsEveryKey() async throws {
    let text = try await words(of: "keys")
    for binding in KeyMap.standard.bindings {
      let keys = binding.keys.map(\.name).joined(separator: " ")
      #expect(text.contains("\(keys) \(binding.title)"), "\(binding.title)")
    }
  }

  @Test func listsEveryStopReason() async throws {
    let text = try await words(of: "sweeping")
    for stop in SweepSummary.Stop.allCases {
      #expect(text.contains("- \(stop.rawValue): "), "\(stop)")
    }
  }

  @Test func listsEveryExitCode() async throws {
    let text = try await words(of: "exit-status")
    for code in [0, 1, 64, 65, 66, 69, 74, 75, 77, 78] { #expect(text.contains(" \(code) "), "\(code)") }
  }

  @Test func listsEveryLimit() async throws {
    let text = try await words(of: "limits")
    for (what, limit) in Self.limits { #expect(text.contains("\(limit) \(what)"), "\(what)") }
  }

  private static var limits: [(what: String, limit: String)] {
    func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
    let (quantity, level, digits) = (FieldLimits.quantity, FieldLimits.level, FieldLimits.priceDigits)
    let price = Int(FieldLimits.signedPrice.upperBound / 1000)
    return [
      ("ids of transactions, orders and subscription groups, app account tokens", "\(FieldLimits.id) bytes"),
      ("product ids, bundle ids", "\(FieldLimits.name) bytes"),
      ("app_user_id", "\(FieldLimits.appUserID) bytes"),
      ("ids and reference names of offers", "\(FieldLimits.offer) bytes"),
      ("any other text in an answer", "\(FieldLimits.text) bytes"),
      ("a receipt in base64", mebibytes(FieldLimits.receipt)),
      ("a signed transaction or renewal info", "\(FieldLimits.signedRow >> 10) KiB"),
      ("a signed notification", "\(FieldLimits.signedNotification >> 10) KiB"),
      ("an answer from the App Store", mebibytes(FieldLimits.answer)),
      ("a line of a file, or one JSON value over many lines", mebibytes(FieldLimits.line)),
      ("a line of one of Apple's reports", "\(FieldLimits.reportLine >> 10) KiB"),
      ("dates", "2008-07-10 to 2099-12-31"),
      ("a signed price, for the whole quantity", "\(price.grouped) units of its currency"),
      ("quantity", "\(quantity.lowerBound) to \(quantity.upperBound.grouped)"),
      ("rows in each list of an answer", FieldLimits.transactionsPerAnswer.grouped),
      ("pending_renewal_info in an answer", FieldLimits.renewalInfosPerAnswer.grouped),
      ("prices in a catalogue", FieldLimits.prices.grouped),
      ("rates in an import", FieldLimits.rates.grouped),
      ("digits of a price before and after the point", "\(digits.whole) and \(digits.fraction)"),
      ("level in a catalogue", "\(level.lowerBound) to \(level.upperBound.grouped)"),
      ("bad lines in an import, also with --skip-invalid", FieldLimits.badLines.grouped),
    ]
  }

  @Test func listsEveryFigure() async throws {
    let text = try await words(of: "figures")
    for panel in Panel.allCases where !panel.figureNames.isEmpty {
      let heading = panel.rawValue + " " + String(repeating: "-", count: panel.rawValue.count)
      #expect(text.contains(heading))
      for figure in panel.figures {
        let words = figure.words.map { words in
          words.hasPrefix("MRR") ? " (\(words))" : " (\(words.prefix(1).lowercased() + words.dropFirst()))"
        }
        #expect(text.contains(figure.path + (words ?? "")), "\(figure.path)")
      }
    }
    #expect(text.contains("mrr (MRR)") && !text.contains("mRR"))
  }

  @Test func listsEveryColumnOfEveryView() async throws {
    let text = try await words(of: "views")
    let subtop = try await SmallStore.copy()
    let views = try await DatabaseQueue(path: subtop.store).read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'view' AND name LIKE 'v!_%' ESCAPE '!'"
      )
      .map { ($0, try db.columns(in: $0).map(\.name)) }
    }
    #expect(views.count == 8)
    for (view, columns) in views {
      #expect(text.contains(" \(view) ---") && text.contains(columns.joined(separator: ", ")), "\(view)")
    }
  }

  @Test func listsEveryOption() async throws {
    let text = try await words(of: "commands")
    for command in Self.commands {
      let outcome = try await Subtop().run(command, "--help")
      #expect(outcome.ending == .code(0) && outcome.errors.isEmpty)
      let help = outcome.output
      #expect(help.contains("OVERVIEW:") && help.contains("USAGE: subtop"), "\(command)")
      let options = help.split { !($0.isLetter || $0 == "-") }.filter { $0.hasPrefix("--") && $0.count > 2 }
      for option in options where !["--help", "--version"].contains(option) {
        #expect(text.contains(" \(option) "), "\(command) \(option)")
      }
    }
  }

  @Test func containsTheWholeConfiguration() async throws {
    let subtop = try Subtop()
    let printed = try await subtop.run("config", "--print").output
    let indented = printed.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.isEmpty ? "" : "  \($0)"
    }
    let text = try await subtop.run("help", "configuration").output
    #expect(text.contains(indented.joined(separator: "\n")))
  }
}

extension String {
  fileprivate var joinedLines: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
