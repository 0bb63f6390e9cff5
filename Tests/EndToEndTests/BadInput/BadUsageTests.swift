import Testing

extension BadInput {
  private static func usage(_ arguments: String, _ says: String...) -> BadInput {
    BadInput(name: arguments, arguments: arguments, code: 64, says: says)
  }

  static let usages: [BadInput] = [
    usage("nonsense", "Unexpected argument 'nonsense'", "There is no command nonsense. `subtop help`"),
    usage("sweps", "There is no command sweps; near it there is sweeps. `subtop help` lists all."),
    usage("--readonly report active", "Options stand behind the command: begin with `subtop report`."),
    usage("--nonsense", "Unknown option '--nonsense'"),
    usage("report", "Missing expected argument '<panel>'"),
    usage("report everything", "The value 'everything' is invalid for '<panel>'", "billing-retry"),
    usage("report active --environment moon", "production", "sandbox"),
    usage("report active --time-zone Mars/Olympus", "there is no time zone Mars/Olympus", "Europe/Berlin"),
    usage("chain x --time-zone ../../etc/passwd", "there is no time zone"),
    usage("report cohorts --offer trial", "Nobody is first paid in a trial"),
    usage("report cohorts --offer cheap", "--offer"), usage("report active --offer intro", "cohorts alone"),
    usage("report refunds --storefront USA", "--storefront is for"),
    usage("report active --storefront Texas", "--storefront"),
    usage("report cohorts --figure rows.2026-13.1", "rows.*.*.lost"),
    usage("report active --limit -1", "number from 0"), usage("sweeps --limit -1", "number from 1"),
    usage("sweep --limit -1", "number from 1"), usage("sweep --rate -1", "0.01 to 100000"),
    usage("sweep --concurrency -1", "1 to 1000"), usage("backfill --days -1", "1 to 180"),
    usage("listen --port -1", "0 to 65535"), usage("demo --subscribers -1", "1 to 1000000"),
    usage("demo --seed -1", "'-1' is invalid for '--seed"), usage("report active --format xml", "csv"),
    usage("import receipts", "Missing expected argument '<file> ...'"), usage("import bills x", "receipts"),
    usage("import receipts x --bundle com.example.\u{1b}[31mred", "--bundle is no bundle id"),
    usage("sweep --all --due", "--chain and --panel with --where."),
    usage("sweep --limit 0", "from 1"),
    usage("sweep --limit 99999999999999999999", "a whole number from 1 to 9223372036854775807"),
    usage("sweep --concurrency 0", "1 to 1000"),
    usage("report active --limit abc", "'abc' is invalid for '--limit", "write a whole number from 0"),
    usage("sweeps --limit 1.5", "a whole number from 1"), usage("sweep --limit abc", "a whole number from 1"),
    usage("sweep --concurrency many", "a whole number from 1 to 1000"), usage("sweep --rate fast", "as 2.5"),
    usage("backfill --days week", "a whole number from 1 to 180"),
    usage("demo --seed x", "a whole number from 0"),
    usage("listen --port http", "a whole number from 0 to 65535"),
    usage("sweep --receipt first", "a whole number from 1"),
    usage("report active --product -x", "Missing value for '--product", "write --product=-x"),
    usage("sweep --user -x", "write --user=-x"),
    usage("chain -x", "If -x is meant as the argument, write --"),
    usage("chain", "Missing expected argument '<id>'"), usage("demo --subscribers 0", "1 to 1000000"),
    usage("sweep --production-url http://example.com/verifyReceipt", "would send receipts unencrypted"),
    usage("sweep --sandbox-url http://192.0.2.1/verifyReceipt", "would send receipts unencrypted"),
    usage("sweep --production-url http://localhost.example.com/", "would send receipts unencrypted"),
    usage("sweep --production-url ftp://127.0.0.1/", "neither https nor http"),
    usage("sweep --production-url https://user:word@127.0.0.1/", "user name or password"),
    usage("status --store ~/x.sqlite", "the store's path ~/x.sqlite begins with ~"),
    usage("status --store ~", "the store's path ~ begins with ~"),
    usage("report active --config ~/x.toml", "the configuration's path ~/x.toml begins with ~"),
    usage("import receipts - -", "standard input is named twice"),
    usage("backup ~x", "the path of the copy ~x begins with ~"),
    usage("restore ~/x", "the path of the copy ~/x begins with ~"),
    usage("import receipts ~/x.jsonl", "the file's path ~/x.jsonl begins with ~"),
    usage("dashboard", "standard input is not a terminal", "subtop report overview"),
    usage("demo", "is not a terminal", "subtop demo --headless"),
  ]
}

@Suite("Wrong usage")
struct BadUsageTests {
  /// What is no instant, and what no window, is told with what one looks like.
  @Test(arguments: [
    (
      "--at", "2026-11-21T09:05:00Z",
      [
        "", "-5", "yesterday", "2026-02-29", "2026-13-01", "10000-01-01", "9223372036854775807",
        "-9223372036854775000",
        "2026-03-29T24:30", "2026-03-29T02:30:00+99:00", "--format",
      ]
    ),
    (
      "--window", "a number of days from 1 to 36500",
      ["", "-3d", "0d", "36501", "99999999999999999999", "soon", "28h", "--rows"]
    ),
  ])
  func anInstantAndAWindowHaveAForm(_ option: String, _ form: String, _ values: [String]) async throws {
    let subtop = try Subtop()
    for value in values {
      // Of nothing behind the sign the parser says itself that a value is missing.
      for arguments in [[option, value]] + (value.isEmpty ? [] : [["\(option)=\(value)"]]) {
        let outcome = try await subtop.run(["report", "active"] + arguments)
        #expect(outcome.ending == .code(64) && outcome.output.isEmpty, "\(value)")
        #expect(
          outcome.errors.contains("The value '\(value)' is invalid for '\(option)"), "\(outcome.errors)")
        #expect(outcome.errors.contains(form), "\(outcome.errors)")
      }
    }
  }

  /// The value comes last.
  @Test(arguments: [
    "status --store", "sweep --store", "backup x --store", "dashboard --store", "status --config",
    "import receipts", "chain", "sweep --user", "sweep --chain", "report active --product",
    "report active --figure", "chain x --time-zone", "sweep --where", "sweep --panel active --figure",
    "listen --bind", "backup", "restore", "import receipts x --bundle",
  ])
  func anEmptyOrBlankValueIsNamed(_ command: String) async throws {
    let subtop = try Subtop()
    for (value, words) in [
      ("", "is empty; "), (" ", "is blank; "), ("\t \n", "is blank; "), ("\u{200B}", "is blank; "),
    ] {
      let outcome = try await subtop.run(command.split(separator: " ").map(String.init) + [value])
      #expect(outcome.ending == .code(64) && outcome.output.isEmpty, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  /// As a script leaves the variable whose own value is not set; what the command line names comes before it.
  @Test(arguments: ["status", "sweep", "import catalog x", "backup x", "doctor", "dashboard"])
  func anEmptyOrBlankStoreOfTheEnvironmentIsNamed(_ command: String) async throws {
    var subtop = try Subtop()
    for (value, words) in [("", "is empty; "), (" ", "is blank; "), ("\t", "is blank; ")] {
      subtop.variables = ["SUBTOP_STORE": value]
      let arguments = command.split(separator: " ").map(String.init)
      let outcome = try await subtop.run(arguments)
      #expect(outcome.ending == .code(64) && outcome.output.isEmpty, "\(outcome.errors)")
      #expect(outcome.errors.contains("the variable SUBTOP_STORE \(words)set it to the store's file"))
      let named = try await subtop.run(arguments + ["--store", subtop.home / "named.sqlite"])
      #expect(named.ending != .code(64) || command == "dashboard", "\(named.errors)")
      #expect(!named.errors.contains("SUBTOP_STORE"), "\(named.errors)")
    }
  }

  @Test(arguments: [
    ("SUBTOP_STORE", "status", true), ("SUBTOP_STORE", "status --store x", false),
    ("SUBTOP_STORE", "help alerts", false), ("SUBTOP_STORE", "--version", false),
    ("XDG_DATA_HOME", "status", true), ("XDG_DATA_HOME", "status --store x", false),
    ("XDG_CONFIG_HOME", "status", true), ("XDG_CONFIG_HOME", "status --config x", false),
    ("XDG_CONFIG_HOME", "config --print", false), ("XDG_CONFIG_HOME", "config --effective", true),
  ])
  func aVariableInOtherBytesThanUTF8IsNamed(
    _ variable: String, _ command: String, _ asksForIt: Bool
  ) async throws {
    var subtop = try Subtop()
    if variable == "XDG_DATA_HOME" { subtop.variables = ["SUBTOP_STORE": Subtop.unset] }
    let shell = try #require(Program.installed("sh"))
    let setting = "\(variable)=\(subtop.home.path)/$(printf 'a\\377b')"
    let child = try Child(
      shell, ["-c", "\(setting) exec \"$0\" \(command)", Program.built("subtop").path],
      environment: subtop.environment)
    let ending = try await child.ending()
    let words = "the variable \(variable) is not UTF-8"
    #expect(child.errors.contains(words) == asksForIt, "\(child.errors)")
    #expect((ending == .code(64)) == asksForIt, "\(child.errors)")
  }

  /// What a shell makes of the value that is advised is the value.
  @Test(arguments: ["-a b", "-x;$HOME", "-it's", "-*", "-\"q\"", "-plain_1"])
  func aValueWithADashIsAdvisedAsAShellTakesIt(_ value: String) async throws {
    let outcome = try await Subtop().run("sweep", "--user", value)
    #expect(outcome.ending == .code(64))
    let line = try #require(outcome.errors.split(separator: "\n").first { $0.hasPrefix("If ") })
    let advice = try #require(line.split(separator: "write ").last)
    let shell = try #require(Program.installed("sh"))
    let echoed = try Child(shell, ["-c", "printf %s \(advice)"])
    #expect(try await echoed.ending() == .code(0), "\(echoed.errors)")
    #expect(echoed.output == "--user=\(value)", "\(advice)")
  }

  @Test(arguments: [
    "report active --product BYTES", "chain BYTES", "import catalog BYTES", "backup BYTES",
    "status --store BYTES",
    "--BYTES", "help BYTES",
  ])
  func otherBytesThanUTF8AreRefused(_ command: String) async throws {
    let subtop = try Subtop()
    let shell = try #require(Program.installed("sh"))
    let words = command.replacing("BYTES", with: "\"$(printf 'a\\377b')\"")
    let child = try Child(
      shell, ["-c", "exec \"$0\" \(words)", Program.built("subtop").path], environment: subtop.environment)
    #expect(try await child.ending() == .code(64), "\(child.errors)")
    #expect(child.errors.contains("is not UTF-8, which paths, ids and names have to be"), "\(child.errors)")
    #expect(child.output.isEmpty && !File.exists(subtop.store))
  }

  @Test(arguments: ["receipts BYTES", "serve --port 0 --write-root BYTES", "help BYTES"])
  func theFakeAppStoreRefusesOtherBytesThanUTF8(_ command: String) async throws {
    let shell = try #require(Program.installed("sh"))
    let words = command.replacing("BYTES", with: "\"$(printf 'a\\377b')\"")
    let child = try Child(shell, ["-c", "exec \"$0\" \(words)", Program.built("fake-app-store").path])
    #expect(try await child.ending() == .code(64), "\(child.errors)")
    #expect(
      child.errors.contains("a?b is not UTF-8, which paths, ids and names have to be"), "\(child.errors)")
  }

  /// Those that begin with two are options, and what is not printed as it is would be another.
  @Test(arguments: ["--rows", "-a\nb", "-\u{1B}[2J", "-\u{E9}\u{301}\u{202E}"])
  func onlyWhatMayBeAValueIsAdvised(_ value: String) async throws {
    let outcome = try await Subtop().run("report", "active", "--product", value)
    #expect(outcome.ending == .code(64) && outcome.errors.contains("Missing value for '--product"))
    #expect(!outcome.errors.contains("If "), "\(outcome.errors)")
  }

  @Test(arguments: [[], ["dashboard"]])
  func aDashboardWithoutATerminalMakesNoStore(_ arguments: [String]) async throws {
    let subtop = try Subtop()
    let outcome = try await subtop.run(arguments)
    #expect(outcome.ending == .code(64) && outcome.errors.contains("standard input is not a terminal"))
    #expect(!File.exists(subtop.store))
  }

  @Test(arguments: ["CET-1", "Mars/Olympus"])
  func aLocalTimeZoneThatIsNoneIsNamed(_ zone: String) async throws {
    var subtop = try await SmallStore.copy()
    subtop.variables["TZ"] = zone
    let outcome = try await subtop.run("report", "active", "--time-zone", "local")
    #expect(outcome.ending == .code(64) && outcome.output.isEmpty)
    #expect(outcome.errors.contains("the local time zone is not known: TZ, or else"), "\(outcome.errors)")
  }

  @Test(arguments: BadInput.usages)
  func isExplained(_ input: BadInput) async throws {
    let subtop = try await SmallStore.copy()
    let before = try StoreTables(subtop.store)
    let outcome = try await input.run(on: subtop)
    #expect(outcome.ending == .code(64), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    for words in input.says { #expect(outcome.errors.contains(words)) }
    let after = try StoreTables(subtop.store)
    #expect(after == before)
  }
}
