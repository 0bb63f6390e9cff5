import Testing

@Suite("Compared reports") struct ComparisonTests {
  private static let at = ["--at", World.now]

  @Test func differencesAreByFigure() async throws {
    let subtop = try await World.shared.value.subtop
    let report = ["report", "active", "--compare", "before"] + Self.at
    let json = try await subtop.run(report + ["--format", "json"]).json
    let (now, then) = (json["data.paid"]?.integer, json["compared.data.paid"]?.integer)
    #expect(try #require(json["difference.paid"]?.integer) == #require(now) - #require(then))
    #expect(json["difference"]?.object["by_product.com.example.lumen.pro.monthly.paid"]?.integer != nil)
    #expect(json["difference.mrr"]?.list.first?["currency"] != nil)
    let csv = try await subtop.run(report + ["--format", "csv"])
    #expect(csv.output.hasPrefix("figure,currency,this,that,difference,change\r\npaid,,"), "\(csv.output)")
    let table = try await subtop.run(["report", "active", "--compare", "year"] + Self.at)
    #expect(table.ending == .code(0) && table.output.contains("this window and a year earlier"))
  }

  /// The earlier window begins long before the first purchase.
  @Test func unknownValuesAreNull() async throws {
    let json = try await World.shared.value.subtop.run(
      ["report", "churn", "--compare", "before", "--window", "30000d", "--format", "json"] + Self.at
    ).json
    #expect(json["compared.data"] == .null && json["difference.lost_paid"] == .null)
  }

  /// Unknown names are usually typing errors, so they are rejected.
  @Test(arguments: [
    (
      "product:com.example.lumen.pro.montly",
      ["product com.example.lumen.pro.montly", "similar: com.example.lumen.pro.monthly"]
    ), ("product:com.example.lumen.pro.monthly,nope", ["product nope"]),
    ("storefront:USA,XXX", ["storefront"]),
  ])
  func refusesUnknownNames(_ comparison: String, _ says: [String]) async throws {
    let subtop = try await World.shared.value.subtop
    let outcome = try await subtop.run(
      ["report", "active", "--compare", comparison] + Self.at,
      says: says + ["cannot compare with", subtop.store])
    #expect(outcome.ending == .code(66) && outcome.output.isEmpty, "\(outcome.output)")
  }

  @Test(
    arguments: [
      ("events --compare before", "events has no figures"),
      ("refunds --compare storefront:DEU", "not split by storefront"),
      ("cohorts --compare before", "Cohorts have no window"), ("churn --compare tomorrow", "tomorrow"),
      ("churn --compare before --rows", "with --rows"),
    ])
  func isRefused(_ arguments: String, _ says: String) async throws {
    let words = arguments.split(separator: " ").map(String.init)
    try await World.shared.value.subtop.run(["report"] + words, code: 64, says: [says])
  }
}
