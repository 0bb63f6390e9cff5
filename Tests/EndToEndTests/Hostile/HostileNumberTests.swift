import Subscriptions
import Testing

@Suite("Hostile numbers") struct HostileNumberTests {
  private struct Case {
    var quantity = "1"
    var purchased = "1780000000000"
    var expires = "1782000000000"
    var cancelled: String?
    var price = "9.99"
  }

  private static let (earliest, latest) = ("1215648000000", "4102444799999")

  private static let cases = [
    Case(quantity: "10000"), Case(quantity: "10000", price: "999999999.999999"), Case(quantity: "0"),
    Case(price: "999999999.999999"), Case(price: "0"), Case(purchased: earliest), Case(expires: latest),
    Case(purchased: earliest, expires: latest), Case(purchased: latest, expires: earliest),
    Case(cancelled: earliest), Case(cancelled: latest), Case(quantity: "10000", cancelled: "1780272000000"),
    Case(purchased: "1780272000000", expires: "1780272000000"),
  ]

  @Test func produceFiguresWithoutCrashing() async throws {
    let subtop = try Subtop()
    let prices = Self.cases.enumerated().map { CatalogText.price("gold\($0)", $1.price) }.joined()
    let answers = Self.cases.enumerated().map { Self.answer("\($0)", $1) + "\n" }.joined()
    var commands = [
      ["import", "catalog", try subtop.file("catalog", CatalogText.header + prices)],
      ["import", "responses", try subtop.file("responses", answers)],
    ]
    commands += Panel.allCases.map { ["report", $0.rawValue, "--at", HostileText.at, "--window", "3650d"] }
    commands += ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].map {
      ["report", "overview", "--at", $0, "--window", "3650d", "--format", "json"]
    }
    commands += [["report", "refunds", "--window", "all", "--format", "csv"], ["status"], ["chain", "11"]]
    for command in commands {
      let outcome = try await subtop.run(command)
      #expect(outcome.ending == .code(0), "\(outcome.command): \(outcome.errors)")
    }
    #expect(try await subtop.run("status", "--format", "json").json["transactions"]?.integer == 26)
  }

  /// MRR of 400 daily prices at the limit exceeds 64 bits, also in the reporting currency.
  @Test func sumsOfTheHighestPricesAreExact() async throws {
    let subtop = try Subtop()
    let price = CatalogText.price("gold", "999999999.999999").replacing("P1M", with: "P1D")
    let answers = (1000..<1400).map { number in
      AnswerText(original: "\(number)", product: "gold", purchased: 1_748_080_000_000).line(
        user: "u\(number)") + "\n"
    }.joined()
    let config = ["--config", try subtop.file("config.toml", "reporting_currency = \"EUR\"\n")]
    for (kind, text) in [
      ("catalog", CatalogText.header + price), ("responses", answers),
      ("rates", "Date,USD,\n2025-05-23,1.25,\n"),
    ] {
      let file = try subtop.file(kind, text)
      #expect(try await subtop.run(["import", kind, file] + config).ending == .code(0))
    }
    let (mrr, converted) = ("12174999999999988000", "9739999999999990400")
    for (panel, format, texts) in [
      ("active", "json", ["\"amount_micros\":\(mrr)", "\"converted_micros\":\(converted)"]),
      ("active", "csv", [",USD,\(mrr),\(converted)"]),
      ("active", "table", ["USD 12,174,999,999,999.99", "EUR 9,739,999,999,999.99"]),
      ("movement", "json", [":\(mrr)", ":\(converted)"]), ("movement", "csv", [mrr]),
      ("overview", "json", [":\(mrr)", ":399999999999999600", ":319999999999999600"]),
      ("overview", "table", ["12,174,999,999,999.99"]),
    ] {
      let report = ["report", panel, "--at", "2025-06-02T00:00:00Z", "--format", format]
      let output = try await subtop.run(report + config).output
      let plain = format == "json" ? output.filter { !$0.isWhitespace } : output
      for text in texts {
        #expect(plain.contains(text), "\(panel) \(format) \(text): \(output.prefix(3000))")
      }
    }
  }

  private static func answer(_ number: String, _ test: Case) -> String {
    let cancelled = test.cancelled.map { ",\"cancellation_date_ms\":\"\($0)\"" } ?? ""
    let ids =
      "\"quantity\":\"\(test.quantity)\",\"product_id\":\"gold\(number)\",\"original_transaction_id\":\"1\(number)\""
    return """
      {"status":0,"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"com.example.lumen",\
      "request_date_ms":"1780271999000","in_app":[]},"latest_receipt_info":[{\(ids),"transaction_id":"1\(number)",\
      "purchase_date_ms":"\(test.purchased)","expires_date_ms":"\(test.expires)"\(cancelled)},\
      {\(ids),"transaction_id":"2\(number)","purchase_date_ms":"1779000000000","expires_date_ms":"1781592000000",\
      "is_upgraded":"true"}]}
      """
  }
}
