import FakeAppStore
import Testing

@Suite("Kinds of sweeps")
struct SweepKindTests {
  private let life: Killing

  init() async throws { life = try await Killing(ObservedAppStore(), receipts: 40) }

  private func sweep(_ arguments: String...) async throws -> Outcome {
    try await life.subtop.run(["sweep", "--format", "json"] + arguments + life.appStore.options)
  }

  private func status() async throws -> JSON { try await life.subtop.run("status", "--format", "json").json }

  @Test func deadReceiptsCanBeRetried() async throws {
    // If many receipts were rejected, the sweep would assume an outage and reject none.
    life.appStore.server.setFaults([try #require(FaultRate(parsing: "21003=0.2"))])
    var (dead, rejected) = (0, 0)
    for _ in 0..<20 where dead == 0 {
      let outcome = try await sweep("--all")
      rejected = try #require(outcome.json["rejected"]?.integer)
      dead = try #require(try await status()["dead"]?.integer)
      #expect(dead == rejected && outcome.errors.contains("gave up on") == (rejected > 0))
    }
    try #require(dead > 0)
    #expect(try await status()["queue.dead"]?.list.first?["reason"]?.text?.hasPrefix("21003") == true)
    life.appStore.server.setFaults([])
    #expect(
      try await sweep("--all").json["picked"]?.integer == 40 - rejected,
      "dead receipts are not requested")
    let revived = try await sweep("--dead")
    #expect(revived.ending == .code(0), "\(revived.errors)")
    #expect(try revived.json["validated"]?.integer == rejected)
    #expect(try await status()["dead"]?.integer == 0)
  }

  @Test func sweepsOneChain() async throws {
    #expect(try await sweep("--all").ending == .code(0))
    let active = try await life.subtop.run("report", "events", "--format", "json", "--window", "9999d").json
    let id = try #require(active["data.rows"]?.list.first?["original_transaction_id"]?.text)
    let receipts = try await life.subtop.run("chain", id, "--format", "json").json["receipts"]?.list ?? []
    let outcome = try await sweep("--chain", id)
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(try outcome.json["picked"]?.integer == receipts.count && receipts.count > 0)
    let unknown = try await sweep("--chain", "4711")
    #expect(unknown.ending == .code(66))
    #expect(unknown.errors.contains("has no receipt with the original transaction id 4711"))
  }

  @Test func sweepsAList() async throws {
    #expect(try await sweep("--all").ending == .code(0))
    func rows(_ arguments: String...) async throws -> [JSON] {
      try await life.subtop.run(["report"] + arguments + ["--rows", "--format", "json"]).json["rows"]?.list
        ?? []
    }
    func receipts(_ rows: [JSON]) async throws -> Int {
      var ids: Set<Int> = []
      for chain in Set(rows.compactMap { $0["original_transaction_id"]?.text }) {
        let found = try await life.subtop.run("chain", chain, "--format", "json").json["receipts"]?.list ?? []
        ids.formUnion(found.compactMap { $0["id"]?.integer })
      }
      return ids.count
    }
    let active = try await rows("active", "--figure", "overdue")
    #expect(!active.isEmpty)
    let paid = try await receipts(active)
    #expect(try await sweep("--panel", "active", "--figure", "overdue").json["picked"]?.integer == paid)
    let product = try #require(active.first?["product_id"]?.text)
    let ofProduct = try await receipts(active.filter { $0["product_id"]?.text == product })
    let narrowed = try await sweep(
      "--panel", "active", "--figure", "overdue", "--where", "product=\(product)")
    #expect(try narrowed.json["picked"]?.integer == ofProduct && ofProduct < paid, "\(narrowed.errors)")
    let retrying = try await receipts(rows("billing-retry", "--figure", "lines"))
    #expect(try await sweep("--panel", "billing-retry").json["picked"]?.integer == retrying)
    #expect(try await sweep("--where", "state:billing_retry").json["picked"]?.integer == retrying)
    let none = try await sweep("--where", "product:no.such.product")
    #expect(try none.ending == .code(0) && none.json["picked"]?.integer == 0)
    let list = try await life.subtop.run("sweeps", "--format", "json").json
    #expect(list.list.first?["selection"]?.text == "0 of subscriptions /product:no.such.product")
  }

  @Test func rejectsInvalidLists() async throws {
    for (arguments, says) in [
      (["--figure", "paid"], "--figure needs --panel"),
      (["--panel", "active", "--figure", "lines"], "active has no figure lines; it has: paid"),
      (
        ["--panel", "churn", "--figure", "by_intent.*.paid"],
        "by_intent.*.paid stands for several figures of churn"
      ),
      (["--panel", "events", "--figure", "paid"], "events has only rows, no figures"),
      (["--where", "colour:red"], "no column colour; the columns are "),
      (["--panel", "billing-retry", "--where", "days>long"], "\"long\" is not a number"),
      (["--where", "product:com !state:"], "no value after !state:"),
      (["--where", "product:com \"\""], "the quotes are empty"),
      (["--all", "--panel", "active"], "Give only one of"), (["--panel", "weather"], "weather"),
    ] {
      let outcome = try await life.subtop.run(["sweep"] + arguments + life.appStore.options, code: 64)
      #expect(outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
    }
  }

  @Test func everySweepIsListed() async throws {
    _ = try await sweep("--due")
    _ = try await sweep("--all", "--limit", "7")
    let list = try await life.subtop.run("sweeps", "--format", "json").json
    #expect(Shape.list(Shape.sweepRecord).complaints(about: list) == [])
    #expect(list.list.map { $0["selection"]?.text } == ["all", "due"])
    #expect(list.list.map { $0["picked"]?.integer } == [7, 40])
    #expect(
      list.list.allSatisfy { $0["started_by"]?.text == "command line" && $0["state"]?.text == "finished" })
    #expect(try await life.subtop.run("sweeps", "--limit", "1", "--format", "json").json.list.count == 1)
    let table = try await life.subtop.run("sweeps")
    #expect(table.ending == .code(0) && table.errors.isEmpty)
    #expect(table.output.split(separator: "\n").count(where: { $0.contains("command line") }) == 2)
    let status = try await status()
    #expect(Shape.status.complaints(about: status) == [])
    #expect(status["queue.next_24h"]?.list.count == 24)
  }
}
