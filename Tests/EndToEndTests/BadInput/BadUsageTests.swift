import Testing

extension BadInput {
  private static func usage(_ arguments: String, _ says: String...) -> BadInput {
    BadInput(arguments, arguments, code: 64, says: says)
  }

  /// One value of each kind with each mistake; `WrittenInstantTests` cover the rest.
  static let usages: [BadInput] = [
    usage("nonsense", "Unexpected argument 'nonsense'", "There is no command nonsense. `subtop help`"),
    usage("sweps", "There is no command sweps; similar: sweeps. `subtop help` lists all."),
    usage("--readonly report active", "Options go after the command: start with `subtop report`."),
    usage("--nonsense", "Unknown option '--nonsense'"),
    usage("report", "Missing expected argument '<panel>'"),
    usage("report everything", "The value 'everything' is invalid for '<panel>'", "billing-retry"),
    usage("report active --environment moon", "production", "sandbox"),
    usage("report active --format xml", "csv"), usage("import bills x", "receipts"),
    usage("report active --time-zone Mars/Olympus", "has no time zone Mars/Olympus", "Europe/Berlin"),
    usage("chain x --time-zone ../../etc/passwd", "this machine has no time zone"),
    usage("report cohorts --offer trial", "A trial is not paid"),
    usage("report active --offer intro", "--offer is only for cohorts"),
    usage("report churn --by week", "--by is only for movement"),
    usage("report refunds --storefront USA", "--storefront is for"),
    usage("report active --storefront Texas", "--storefront"),
    usage("report cohorts --figure rows.2026-13.1", "rows.*.*.lost"),
    usage("report active --limit -1", "number from 0"),
    usage("report active --limit abc", "'abc' is invalid for '--limit", "write a whole number from 0"),
    usage("sweep --limit 99999999999999999999", "a whole number from 1 to 9223372036854775807"),
    usage("sweep --concurrency 0", "1 to 1000"), usage("sweep --rate fast", "such as 2.5"),
    usage("backfill --days week", "a whole number from 1 to 180"), usage("fetch", "<kind>"),
    usage("fetch apple-reports --days 366", "a whole number from 1 to 365"),
    usage("fetch x", "apple-reports"),
    usage("listen --port http", "0 to 65535"), usage("demo --subscribers 0", "1 to 1000000"),
    usage("report active --at 2026-02-29", "The value '2026-02-29' is invalid", "2026-11-21T09:05:00Z"),
    usage("report active --at yesterday", "The value 'yesterday' is invalid for '--at"),
    usage("report active --window 28h", "'28h' is invalid", "a number of days from 1 to 36500"),
    usage("report active --window 0d", "a number of days from 1 to 36500"),
    usage("report active --window 2026-13", "a number of days from 1 to 36500", "2026-Q3"),
    usage("import receipts", "Missing expected argument '<file> ...'"),
    usage("import receipts - -", "standard input can be read only once"),
    usage("import receipts x --bundle com.example.\u{1b}[31mred", "--bundle is not a bundle id"),
    usage("sweep --all --due", "--chain and --panel with --where."),
    usage("report active --product -x", "Missing value for '--product"),
    usage("chain", "Missing expected argument '<id>'"),
    usage("sweep --production-url http://example.com/verifyReceipt", "would send receipts unencrypted"),
    usage("sweep --sandbox-url http://localhost.example.com/", "would send receipts unencrypted"),
    usage("sweep --production-url ftp://127.0.0.1/", "neither https nor http"),
    usage("sweep --production-url https://user:word@127.0.0.1/", "user name or password"),
    usage("dashboard", "standard input is not a terminal", "subtop report overview"),
    usage("demo", "is not a terminal", "subtop demo --headless"),
  ]
}

@Suite("Wrong usage") struct BadUsageTests {
  @Test(arguments: BadInput.usages)
  func isExplained(_ input: BadInput) async throws {
    #expect(try await input.run(on: SmallStore.copy()).output.isEmpty)
  }

  /// The XDG Base Directory Specification has the same rule for its variables.
  @Test func anEmptyVariableCountsAsUnset() async throws {
    var subtop = try Subtop()
    subtop.variables = ["SUBTOP_STORE": ""]
    try await subtop.run("status", code: 66, says: ["/subtop/subtop.sqlite"])
  }

  @Test(arguments: [
    ("subtop", "chain BYTES"), ("subtop", "status --store BYTES"), ("subtop", "--BYTES"),
    ("fake-app-store", "receipts BYTES"),
  ])
  func refusesArgumentsThatAreNotUTF8(_ program: String, _ command: String) async throws {
    let subtop = try Subtop()
    let words = command.replacing("BYTES", with: "\"$(printf 'a\\377b')\"")
    let child = try await subtop.shell("exec \"$0\" \(words)", program, code: 64)
    #expect(child.errors.contains("is not UTF-8, as paths, ids and names must be"), "\(child.errors)")
    #expect(child.output.isEmpty && !File.exists(subtop.store))
  }
}
