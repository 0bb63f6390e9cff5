import Subscriptions
import Testing

@Suite("Options as promised")
struct OptionsTests {
  @Test func saysItsVersion() async throws {
    let outcome = try await Subtop().run("--version", code: 0)
    #expect(outcome.output.split(separator: ".").count == 3)
    let fake = try Child(.built("fake-app-store"), ["--version"])
    #expect(try await fake.ending() == .code(0) && fake.output == outcome.output)
  }

  @Test func findsItsStoreByOptionVariableAndFolder() async throws {
    var subtop = try Subtop()
    let catalog = try subtop.file("catalog.csv", CatalogText.header + CatalogText.price("a"))
    #expect(
      try await subtop.run("import", "catalog", catalog, "--store", subtop.home / "named.sqlite").ending
        == .code(0))
    #expect(File.exists(subtop.home / "named.sqlite") && !File.exists(subtop.store))
    #expect(try await subtop.run("import", "catalog", catalog).ending == .code(0))
    #expect(File.exists(subtop.store))
    subtop.variables = ["SUBTOP_STORE": Subtop.unset]
    #expect(try await subtop.run("import", "catalog", catalog).ending == .code(0))
    #expect(File.mode(subtop.home / "data/subtop/subtop.sqlite") == 0o600)
    #expect(File.mode(subtop.home / "data/subtop") == 0o700)
    subtop.variables["XDG_DATA_HOME"] = Subtop.unset
    #expect(try await subtop.run("import", "catalog", catalog).ending == .code(0))
    #expect(File.exists(subtop.home / ".local/share/subtop/subtop.sqlite"))
  }

  @Test(arguments: ["week", "product", "currency"])
  func printsTheMovementByItsParts(_ split: String) async throws {
    let world = try await World.today.value
    let arguments = ["report", "movement", "--window", "90d", "--by", split]
    let json = try await world.subtop.run(arguments + ["--format", "json"]).json
    let parts = json["data.by"]?.list ?? []
    #expect(!parts.isEmpty)
    let lost = parts.reduce(0) { $0 + ($1["subscribers.lost"]?.integer ?? 0) }
    #expect(lost == json["data.subscribers.lost"]?.integer)
    let key = split == "product" ? "product_id" : split
    let csv = try await world.subtop.run(arguments + ["--format", "csv"])
    #expect(csv.output.hasPrefix("\(key),figure,currency,value\r\n"))
    let table = try await world.subtop.run(arguments)
    #expect(table.ending == .code(0) && table.output.contains("Subscribers by \(split)"))
  }

  @Test func countsInAllThatIsKnown() async throws {
    let world = try await World.today.value
    let json = try await world.subtop.run("report", "overview", "--format", "json", "--window", "all").json
    let status = try await world.subtop.run("status", "--format", "json").json
    let first = try #require(status["first_purchase_ms"]?.integer)
    let from = try #require(json["window.from_ms"]?.integer)
    #expect(from <= first && first - from < 86_400_000)
    let rows = try await world.subtop.run(
      "report", "overview", "--format", "json", "--window", "all", "--figure", "arrivals.initial", "--limit",
      "1"
    ).json
    #expect(rows["rows_count"]?.integer == json["data.arrivals.initial"]?.integer)
  }

  @Test(arguments: [
    ("2025-10", "Europe/Berlin", 1_759_269_599_999, 1_761_951_599_999, 31),
    ("2025-Q3", "UTC", 1_751_327_999_999, 1_759_276_799_999, 92),
    ("2024", "UTC", 1_704_067_199_999, 1_735_689_599_999, 366),
  ])
  func countsInAPeriodOfTheCalendar(
    _ window: String, _ zone: String, from: Int, to: Int, days: Int
  )
    async throws
  {
    let world = try await World.today.value
    let arguments = ["report", "overview", "--window", window, "--time-zone", zone]
    let json = try await world.subtop.run(arguments + ["--format", "json"]).json
    #expect(json["window.from_ms"]?.integer == from && json["window.to_ms"]?.integer == to)
    #expect(json["window.days"]?.integer == days && json["as_of_ms"]?.integer == to)
    let table = try await world.subtop.run(arguments).output
    #expect(table.contains("\(window) from \(window.prefix(4))-"), "\(table)")
    let future = try await world.subtop.run("report", "overview", "--window", "2025-02", "--at", "2025-01-31")
    #expect(future.ending == .code(64) && future.errors.contains("2025-02 begins after 2025-01-31 00:00 UTC"))
  }

  @Test func aPastStatusMarksCurrentValues() async throws {
    let subtop = try Subtop()
    _ = try await subtop.run("import", "responses", try subtop.file("answer", AnswerText().text))
    let now = try await subtop.run("status", "--format", "json").json
    let then = try await subtop.run("status", "--format", "json", "--at", "2001-01-01").json
    #expect(now["transactions"]?.integer == 1 && now["of_now"]?.list.isEmpty == true)
    #expect(then["transactions"]?.integer == 0 && then["as_of_ms"]?.integer == 978_307_200_000)
    #expect(then["of_now"]?.list.compactMap(\.text).contains("queue") == true)
    #expect(try now["queue.as_of_ms"]?.integer ?? 0 <= #require(then["queue.as_of_ms"]?.integer))
    let text = try await subtop.run("status", "--at", "2001-01-01").output
    #expect(text.contains("2001-01-01 00:00 UTC, as known then"), "\(text)")
    #expect(text.contains("Current values, here and below"), "\(text)")
  }

  @Test(
    .enabled(if: File.exists("/usr/share/zoneinfo/Asia/Tokyo"), "tzdata is not installed"),
    arguments: [
      ("Asia/Tokyo", "2026-06-01 21:00 JST"), ("America/Los_Angeles", "2026-06-01 05:00 PDT"),
    ])
  func printsTimesInTheZone(_ zone: String, _ moment: String) async throws {
    let world = try await World.shared.value
    let instant = "2026-06-01T12:00:00Z"
    let arguments = ["report", "events", "--at", instant]
    let table = try await world.subtop.run(arguments + ["--time-zone", zone], code: 0)
    #expect(table.output.contains("as of \(moment)"), "\(table.output.prefix(200))")
    let configuration = try world.subtop.file(
      "\(zone.replacing("/", with: "-")).toml", "time_zones = [\"\(zone)\", \"UTC\"]\n")
    let configured = try await world.subtop.run(arguments + ["--config", configuration])
    #expect(configured.output == table.output)
    let plain = try await world.subtop.run(arguments + ["--format", "json"])
    let zoned = try await world.subtop.run(arguments + ["--format", "json", "--time-zone", zone])
    #expect(plain.output == zoned.output)
  }

  @Test func reportsTheScope() async throws {
    let world = try await World.today.value
    let product = "com.example.lumen.pro.monthly"
    let json = try await world.subtop.run("report", "active", "--product", product, "--format", "json").json
    #expect(json["scope.products"]?.list.map(\.text) == [product])
    let table = try await world.subtop.run("report", "active", "--product", product)
    #expect(table.output.contains("only \(product)") && table.errors.isEmpty, "\(table.errors)")
    let cohorts = try await world.subtop.run(
      "report", "cohorts", "--offer", "intro", "--storefront", "unknown", "--format", "json"
    ).json
    #expect(cohorts["scope.offer"]?.text == "intro" && cohorts["scope.storefront"]?.text == "unknown")
    #expect(cohorts["scope.products"] == nil)
  }

  /// A mistyped name gives zeros, so it is reported.
  @Test(arguments: [
    (
      ["active", "--product", "com.example.lumen.pro.montly"],
      "similar: com.example.lumen.pro.monthly"
    ),
    (["active", "--product", "pro.monthly"], "similar: com.example.lumen.pro.monthly"),
    (["cohorts", "--offer", "promo:NOPE"], "offer promo:NOPE: nothing in"),
    // verifyReceipt has no storefronts.
    (["active", "--storefront", "XXX"], "because receipts do not contain it; the Server API"),
  ])
  func warnsAboutUnknownNames(_ arguments: [String], _ says: String) async throws {
    try await World.today.value.subtop.run(["report"] + arguments, code: 0, says: [says])
  }

  /// CSV reports omitted rows as a message; tables and JSON contain the count.
  @Test(arguments: [["events"], ["active", "--rows", "--figure", "paid"]])
  func saysThatRowsAreLeftOutOfCSV(_ arguments: [String]) async throws {
    let subtop = try await World.today.value.subtop
    let some = try await subtop.run(["report"] + arguments + ["--format", "csv", "--limit", "2"])
    #expect(
      some.output.split(separator: "\r\n").count == 3 && some.errors.contains("2 of "), "\(some.errors)")
    #expect(some.errors.contains("rows; --limit"))
    let all = try await subtop.run(["report"] + arguments + ["--format", "csv", "--limit", "100000"])
    #expect(all.errors.isEmpty, "\(all.errors)")
  }

  @Test func sweepsOnlyTheSelectedReceipts() async throws {
    let world = try await World.shared.value
    let subtop = try Subtop()
    let receipts = try subtop.file("receipts.jsonl", try world.receipts(20))
    _ = try await subtop.run("import", "receipts", receipts)
    let user = try #require(try JSON(Array(world.receipts(1).utf8))["app_user_id"]?.text)
    for (selection, picked) in [
      (["--receipt", "3"], 1), (["--user", user], 1), (["--limit", "5"], 5), (["--due"], 13), ([], 0),
      (["--all"], 20),
    ] {
      let outcome = try await subtop.run(
        ["sweep", "--format", "json"] + selection + world.appStore.options, code: 0)
      #expect(try outcome.json["picked"]?.integer == picked, "\(selection)")
    }
  }
}
