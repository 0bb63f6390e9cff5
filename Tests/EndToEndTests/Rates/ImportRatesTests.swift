import Subscriptions
import TestSupport
import Testing

@Suite("Exchange rates") struct ImportRatesTests {
  private let subtop: Subtop

  /// Imports a monthly subscription of USD 9.99, bought on Saturday, 2025-05-24.
  init() async throws {
    subtop = try Subtop()
    let answer = AnswerText(purchased: 1_748_080_000_000)
    let catalog = try subtop.file("catalog.csv", CatalogText.header + CatalogText.price(answer.product))
    #expect(try await subtop.run("import", "catalog", catalog).ending == .code(0))
    let answers = try subtop.file("answers", answer.line(user: "ann"))
    #expect(try await subtop.run("import", "responses", answers).ending == .code(0))
  }

  private func configure(_ currency: String) throws {
    _ = try subtop.file("config.toml", "reporting_currency = \"\(currency)\"\n")
  }

  private func run(_ arguments: String...) async throws -> Outcome {
    try await subtop.run(arguments + ["--config", subtop.home / "config.toml"])
  }

  private static let history = "Date,USD,JPY,\n2025-05-26,2,160,\n2025-05-23,1.25,N/A,\n2025-05-22,1,160,\n"

  private func report(_ format: String = "json") async throws -> Outcome {
    try await run("report", "active", "--at", "2025-06-02T00:00:00Z", "--format", format)
  }

  @Test func everyAmountComesInTheReportingCurrency() async throws {
    try configure("EUR")
    let file = try subtop.file("rates.csv", Self.history)
    let first = try await run("import", "rates", file)
    #expect(first.ending == .code(0) && first.output.isEmpty)
    #expect(
      first.errors
        == "imported rates of 2 currencies against EUR for 3 days from 2025-05-22 to 2025-05-26; "
        + "6 rates added or changed\n")
    let again = try await run("import", "rates", file)
    #expect(again.ending == .code(0) && again.errors.contains("; 0 rates added or changed"))
    let json = try await report().json
    #expect(json["reporting_currency"]?.text == "EUR" && json["unconverted"]?.integer == 0)
    let mrr = try #require(json["data.mrr"]?.list.first)
    #expect(mrr["amount_micros"]?.integer == 9_990_000)
    #expect(mrr["converted_micros"]?.integer == 7_992_000)
    let table = try await report("table")
    #expect(table.output.contains("≈ EUR 7.99") && table.output.contains("USD 9.99"))
    #expect(try await report("csv").output.contains(",USD,9990000,7992000"))
    let status = try await run("status", "--format", "json").json
    #expect(status["rates.count"]?.integer == 5 && status["rates.reporting_currency"]?.text == "EUR")
    #expect(status["rates.to_ms"]?.integer == 1_748_217_600_000)
  }

  /// Yen had no rate on the Friday before the purchase, only on the day before.
  @Test func anotherCurrencyIsConvertedAtOnceAndThenStored() async throws {
    try configure("EUR")
    _ = try await run("import", "rates", try subtop.file("rates.csv", Self.history))
    try configure("JPY")
    let slow = try await report()
    #expect(slow.errors.contains("only in EUR") && slow.errors.contains("subtop status --rebuild"))
    #expect(try slow.json["data.mrr"]?.list.first?["converted_micros"]?.integer == 1_278_720_000)
    #expect(try await run("status", "--rebuild").ending == .code(0))
    let quick = try await report()
    #expect(quick.errors.isEmpty && quick.output == slow.output)
  }

  @Test func amountsWithoutARateAreCountedAsUnconverted() async throws {
    try configure("TWD")
    let file = try subtop.file("rates.csv", Self.history)
    let imported = try await run("import", "rates", file)
    #expect(imported.ending == .code(0))
    #expect(imported.errors.contains("the store has no rate of TWD, the configured reporting_currency"))
    let json = try await report().json
    #expect(json["unconverted"]?.integer == 1 && json["reporting_currency"]?.text == "TWD")
    #expect(json["data.mrr"]?.list.first?["converted_micros"] == .null)
    #expect(try await report("table").output.contains("no exchange rate for the purchase date"))
    let plain = try subtop.file("plain.csv", "date,currency,rate\n2025-05-24,USD,0.032\n")
    #expect(try await run("import", "rates", plain).errors.contains("against TWD"))
    let converted = try await report().json["data.mrr"]?.list.first?["converted_micros"]
    #expect(converted?.integer == 312_187_500)
  }

  /// A plain CSV file does not contain the base currency, unlike the bank's history.
  @Test func aPlainFileNeedsTheReportingCurrency() async throws {
    let plain = try subtop.file("plain.csv", "date,currency,rate\n2025-05-23,USD,1.25\n")
    try await subtop.run(
      "import", "rates", plain, code: 78, says: ["reporting_currency, which is not configured"])
    let history = try await subtop.run("import", "rates", try subtop.file("rates.csv", Self.history))
    #expect(history.ending == .code(0) && history.errors.contains("no reporting_currency is configured"))
    try configure("euro")
    let wrong = try await run("report", "active")
    #expect(wrong.ending == .code(78) && wrong.errors.contains("an ISO 4217 code like \"EUR\""))
  }
}
