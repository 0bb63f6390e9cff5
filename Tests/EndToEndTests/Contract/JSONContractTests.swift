import Subscriptions
import Testing

@Suite("JSON as promised")
struct JSONContractTests {
  @Test(arguments: Panel.allCases)
  func ofPanels(_ panel: Panel) async throws {
    let world = try await World.today.value
    let outcome = try await world.subtop.run("report", panel.rawValue, "--format", "json", "--window", "365d")
    let json = try outcome.json
    #expect(Shape.report(panel).complaints(about: json) == [])
    #expect(json["report"]?.text == panel.rawValue)
    #expect(json["window.to_ms"] == json["as_of_ms"])
    #expect(outcome.errors.isEmpty, "nothing but data, and that on standard output")
  }

  /// Reports on an empty store have the same keys, with null for undefined ratios.
  @Test func ofPanelsOverNothing() async throws {
    let subtop = try Subtop()
    let catalog = try subtop.file("catalog.csv", CatalogText.header)
    _ = try await subtop.run("import", "catalog", catalog)
    for panel in Panel.allCases {
      let json = try await subtop.run("report", panel.rawValue, "--format", "json").json
      #expect(Shape.report(panel).complaints(about: json) == [])
      #expect(json["trust.fresh_24h"] == .null)
    }
  }

  @Test func ofSweeps() async throws {
    let world = try await World.today.value
    for outcome in world.sweeps { #expect(Shape.sweep.complaints(about: try outcome.json) == []) }
  }

  @Test func ofStatus() async throws {
    let world = try await World.today.value
    #expect(
      Shape.status.complaints(about: try await world.subtop.run("status", "--format", "json").json) == [])
    #expect(
      Shape.doctor.complaints(about: try await world.subtop.run("doctor", "--format", "json").json) == [])
  }

  @Test func ofChains() async throws {
    let world = try await World.today.value
    let report = try await world.subtop.run("report", "upgrades", "--format", "json", "--window", "365d").json
    var (row, chain) = (JSON.null, JSON.null)
    for candidate in report["data.rows"]?.list ?? [] where chain["app_user_ids"]?.list.isEmpty ?? true {
      row = candidate
      chain = try await self.chain(try #require(row["original_transaction_id"]?.text))
    }
    #expect(Shape.chain.complaints(about: chain) == [])
    #expect(chain["original_transaction_id"] == row["original_transaction_id"])
    let transactions = try #require(chain["lines"]?.list.first?["transactions"]?.list)
    #expect(transactions.contains { $0["upgraded"] == .flag(true) })
    for id in [row["transaction_id"]?.text, transactions.first?["web_order_line_item_id"]?.text] {
      #expect(try await self.chain(try #require(id)).differences(from: chain) == [], "found by \(id ?? "")")
    }
    let user = try await self.chain(try #require(chain["app_user_ids"]?.list.first?.text))
    #expect(user == chain || user.list.contains(chain), "found by its user")
  }

  private func chain(_ id: String) async throws -> JSON {
    let world = try await World.today.value
    let outcome = try await world.subtop.run("chain", id, "--format", "json", code: 0)
    return try outcome.json
  }

  @Test func ofUsersWithSeveralChains() async throws {
    let subtop = try Subtop()
    let lines = ["1", "2"].map { AnswerText(original: $0).line(user: "u1") }
    let file = try subtop.file("answers.jsonl", lines.joined(separator: "\n"))
    #expect(try await subtop.run("import", "responses", file).ending == .code(0))
    let json = try await subtop.run("chain", "u1", "--format", "json").json
    #expect(json.list.map { $0["original_transaction_id"]?.text } == ["1", "2"])
    #expect(json.list.flatMap { Shape.chain.complaints(about: $0) } == [])
  }
}
