import Testing

/// `report --compare` through the real program.
@Suite("Compared reports") struct ComparisonTests {
  private static let at = ["--at", World.now]

  @Test(arguments: ["active", "churn", "movement", "refunds", "overview", "billing-retry", "upgrades"])
  func areBothReports(_ panel: String) async throws {
    let world = try await World.shared.value
    let both = try await world.subtop.run(
      [
        "report", panel, "--compare", "product:com.example.lumen.pro.monthly,com.example.lumen.pro.yearly",
        "--format", "json",
      ]
        + Self.at
    ).json
    let alone = try await ["monthly", "yearly"].asyncMap { name in
      try await world.subtop.run(
        [
          "report", panel, "--product", "com.example.lumen.pro.\(name)", "--format", "json", "--limit",
          "1000",
        ] + Self.at
      ).json
    }
    #expect(both["data"] == alone[0]["data"])
    #expect(both["compared"]?["data"] == alone[1]["data"])
    #expect(both["compared"]?["label"]?.text?.contains("yearly") ?? false)
  }

  @Test func differencesAreByFigure() async throws {
    let world = try await World.shared.value
    let json = try await world.subtop.run(
      ["report", "active", "--compare", "before", "--format", "json"] + Self.at
    ).json
    let (now, then) = (json["data"]?["paid"]?.integer, json["compared"]?["data"]?["paid"]?.integer)
    let difference = json["difference"]?["paid"]?.integer
    #expect(try #require(difference) == #require(now) - #require(then))
    #expect(json["difference"]?.object["by_product.com.example.lumen.pro.monthly.paid"]?.integer != nil)
    #expect(json["difference"]?["mrr"]?.list.first?["currency"] != nil)
    let csv = try await world.subtop.run(
      ["report", "active", "--compare", "before", "--format", "csv"] + Self.at)
    #expect(csv.output.hasPrefix("figure,currency,this,that,difference,change\r\npaid,,"), "\(csv.output)")
    let table = try await world.subtop.run(["report", "active", "--compare", "year"] + Self.at)
    #expect(table.ending == .code(0) && table.output.contains("the same days a year ago"))
  }

  /// Long before the first purchase.
  @Test func whatNobodyKnowsIsNull() async throws {
    let world = try await World.shared.value
    let json = try await world.subtop.run(
      ["report", "churn", "--compare", "before", "--window", "30000d", "--format", "json"] + Self.at
    ).json
    #expect(json["compared"]?["data"] == .null && json["difference"]?["lost_paid"] == .null)
  }

  /// What nobody ever bought, or where nobody bought it, is a slip of the one who asks.
  @Test(arguments: [
    (
      "product:com.example.lumen.pro.montly",
      ["product com.example.lumen.pro.montly", "near it there is com.example.lumen.pro.monthly"]
    ),
    ("product:monthly", ["near it there is", "com.example.lumen.pro.monthly"]),
    ("product:nope,com.example.lumen.pro.monthly", ["product nope", "there is com.example.lumen"]),
    ("product:com.example.lumen.pro.monthly,nope", ["product nope"]),
    ("storefront:XXX", ["storefront XXX"]), ("storefront:USA,XXX", ["storefront"]),
  ])
  func whatIsUnknownIsRefused(_ comparison: String, _ says: [String]) async throws {
    let world = try await World.shared.value
    let outcome = try await world.subtop.run(["report", "active", "--compare", comparison] + Self.at)
    #expect(outcome.ending == .code(66) && outcome.output.isEmpty, "\(outcome.output)")
    for words in says + ["cannot compare with", world.subtop.store] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test(
    arguments: [
      (["events", "--compare", "before"], "events has no figures"),
      (["refunds", "--compare", "storefront:DEU"], "not told apart by storefront"),
      (["churn", "--compare", "offer:intro"], "not told apart by offer"),
      (["churn", "--compare", "cohort:2026-03"], "not told apart by cohort"),
      (["cohorts", "--compare", "before"], "Cohorts are of no window"),
      (["churn", "--compare", "tomorrow"], "tomorrow"),
      (["churn", "--compare", "before", "--rows"], "without --rows"),
      (["churn", "--compare", "before", "--figure", "lost_paid"], "without --rows"),
    ])
  func isRefused(_ arguments: [String], _ says: String) async throws {
    let outcome = try await World.shared.value.subtop.run(["report"] + arguments)
    #expect(outcome.ending == .code(64) && outcome.errors.contains(says), "\(outcome.errors)")
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
