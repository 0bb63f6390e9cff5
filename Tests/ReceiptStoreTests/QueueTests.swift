import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct QueueTests {
  /// Twelve receipts as of day 40, number 12 leased.
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    let all = (1...12).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try shelf.store.add(all, at: day(0))
    let due = [
      1: 0, 2: -30 * Milliseconds.minute, 3: -2.hours, 4: -8.hours, 5: -3.days, 6: -20.days,
      7: 1.hours, 8: 1.hours + 1, 9: 24.hours, 10: 24.hours + 1,
    ]
    for (id, offset) in due {
      try shelf.write("UPDATE receipts SET next_due_at_ms = \((day(40) + offset).rawValue) WHERE id = \(id)")
    }
    let later = ReceiptOutcome.Result.retryLater(status: 21005, reason: "busy", nextDue: day(41))
    let rejected = ReceiptOutcome.Result.rejected(status: 21003, reason: "not authentic")
    let outcomes = [(9, later), (11, rejected)].map {
      ReceiptOutcome(receipt: ReceiptID(rawValue: $0), result: $1)
    }
    _ = try shelf.store.record(outcomes, of: nil, at: day(39))
    let sweep = try shelf.store.beginSweep(.due, by: "test", at: day(40))
    try shelf.write("UPDATE receipts SET next_due_at_ms = \(day(90).rawValue) WHERE id = 12")
    _ = try shelf.store.claim(
      .receipt(ReceiptID(rawValue: 12)), for: sweep, started: day(40), after: nil, limit: 1,
      lease: Milliseconds.minute, at: day(40))
    return shelf
  }

  @Test func everyReceiptIsCounted() throws {
    let shelf = try shelf()
    let queue = try shelf.store.queue(at: day(40))
    #expect(queue.due == 6)
    #expect(queue.overdueByAge.map(\.count) == [2, 1, 1, 1, 1])
    #expect(queue.overdueByAge.map(\.fromMs) == QueueReport.AgeBucket.bounds)
    #expect(queue.next24h.count == 24)
    #expect([queue.next24h[0], queue.next24h[1], queue.next24h[23]] == [1, 1, 1])
    #expect(queue.next24h.reduce(0, +) == 3 && queue.later == 2)
    #expect(queue.retrying == 1 && queue.nextRetryAtMs == day(41))
    #expect(
      queue.dead == [
        .init(reason: "not authentic", count: 1, exampleReceipt: ReceiptID(rawValue: 11))
      ])
    #expect(queue.failures == [.init(reason: "busy", count: 1, exampleReceipt: ReceiptID(rawValue: 9))])
    #expect(queue.leased == 1)
    #expect(queue.statuses.map(\.status) == [21003, 21005])
    #expect(queue.statuses.map(\.exampleReceipt.rawValue) == [11, 9])
    #expect(queue.sweeps.map(\.state) == [.running])
    #expect(queue.freshness == nil && queue.detectionLag == [] && queue.policy == [])
  }

  /// Reasons are sorted by frequency; overlong answers are listed separately, and dead receipts not at all.
  @Test func reportsWhyReceiptsWait() throws {
    let shelf = try Shelf()
    let all = (1...7).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try shelf.store.add(all, at: day(0))
    func later(_ reason: String, _ rule: DuePolicy.Rule = .failed) -> ReceiptOutcome.Result {
      .retryLater(status: nil, reason: reason, nextDue: day(41), rule: rule)
    }
    let results = [
      later("HTTP 500"), later("of another app"), later("HTTP 500"), later("too long", .tooLong),
      .rejected(status: 21003, reason: "not authentic"), later("HTTP 429"),
    ]
    let outcomes = results.enumerated().map {
      ReceiptOutcome(receipt: ReceiptID(rawValue: Int64($0 + 1)), result: $1)
    }
    _ = try shelf.store.record(outcomes, of: nil, at: day(39))
    let queue = try shelf.store.queue(at: day(40))
    #expect(queue.failures.map(\.reason) == ["HTTP 500", "HTTP 429", "of another app"])
    #expect(queue.failures.map(\.count) == [2, 1, 1])
    #expect(queue.failures.map(\.exampleReceipt.rawValue) == [1, 6, 2])
    #expect(queue.setAside.map(\.reason) == ["too long"] && queue.dead.map(\.reason) == ["not authentic"])
    #expect(queue.retrying == 5)
  }

  @Test(arguments: [0, 21006])
  func onlyAnAnswerChangesTheLastStatus(_ status: Int) throws {
    let (shelf, id) = try Shelf.withReceipt()
    let answered = ReceiptOutcome.Result.answered(
      makeAnswer(at: day(20), monthly("a", 0, 30)), status: status)
    let failed = ReceiptOutcome.Result.retryLater(status: nil, reason: "HTTP 503", nextDue: day(40))
    for (result, at) in [(answered, day(20)), (failed, day(39))] {
      _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: result)], of: nil, at: at)
    }
    #expect(
      try shelf.store.queue(at: day(39)).statuses == [
        StatusTally(status: status, count: 1, lastSeenAtMs: day(20), exampleReceipt: id)
      ])
  }

  /// The lines were validated one, one and nine days ago, and a lapse and a renewal were detected.
  @Test func reportsFreshnessAndDetectionLag() throws {
    let shelf = try Shelf()
    for (number, validated) in [39, 39, 31].enumerated() {
      let receipt = ImportedReceipt(data: ReceiptData(trusted: "MII\(number)"))
      let id = try shelf.keep(receipt)
      let chain = { (row: inout Transaction) in
        row.originalTransactionID = OriginalTransactionID("c\(number)")
      }
      try shelf.take(makeAnswer(at: day(20), monthly("\(number)a", 0, 30, change: chain)), for: id)
      try shelf.take(
        makeAnswer(
          at: day(validated), monthly("\(number)a", 0, 30, change: chain),
          monthly("\(number)b", 30, 60, change: chain)), for: id)
    }
    let queue = try shelf.store.queue(at: day(40))
    #expect(queue.freshness == .init(p50: 1.days, p95: 9.days, max: 9.days, within24h: 0))
    let passed = try shelf.store.queue(at: day(35)).freshness
    #expect(passed == .init(p50: 0, p95: 4.days, max: 4.days, within24h: 2.0 / 3), "no age is below 0")
    let renewal = try #require(queue.detectionLag.first { $0.type == "RENEWAL" })
    #expect(renewal == .init(type: "RENEWAL", count: 3, p50: 9.days, p95: 9.days))
    #expect(!queue.detectionLag.contains { $0.type == "INITIAL_PURCHASE" }, "known from the first validation")
    #expect(try shelf.store.queue(at: day(80)).detectionLag == [])
    #expect(queue.policy.map(\.rule) == [.aroundExpiry, .active])
    #expect(queue.policy.map(\.lines) == [3, 3])
    // Four checks around an expiry every 30 days, and one in seven days minus the average jitter.
    #expect(abs(queue.policy[0].requestsPerDay - 3 * 4 / 30.0) < 1e-9)
    #expect(abs(queue.policy[1].requestsPerDay - 3 / (7 * 0.95)) < 1e-9)
  }

  /// Important users, important products, and the expected number of important lines.
  @Test(arguments: [
    (["u"], [], 1), ([], ["yearly"], 1), (["u", "v"], ["yearly"], 2), (["v"], ["weekly"], 0),
  ])
  func importantLinesAreCounted(_ users: [String], _ products: [String], _ count: Int) throws {
    var policy = DuePolicy()
    policy.important.users = Set(users.map { AppUserID($0) })
    policy.important.products = Set(products.map { ProductID($0) })
    let shelf = try Shelf(policy: policy)
    for (user, product) in [("u", "monthly"), ("w", "yearly")] {
      let receipt = ImportedReceipt(data: ReceiptData(trusted: "MII\(user)"), appUserID: AppUserID(user))
      let row = monthly(user, 0, 30) { row in
        row.originalTransactionID = OriginalTransactionID(user)
        row.productID = ProductID(product)
      }
      try shelf.take(makeAnswer(at: day(10), row), for: shelf.keep(receipt))
    }
    let costs = try shelf.store.queue(at: day(11)).policy
    #expect(costs.first { $0.rule == .important }?.lines ?? 0 == count)
    #expect(costs.first { $0.rule == .active }?.lines == 2)
  }

  /// Two receipts show one line, which counts once, while the requests of both count.
  @Test(arguments: [
    ([], [], 0, 0), (["u"], [], 1, 1), (["u", "w"], [], 1, 2), ([], ["monthly"], 1, 2),
  ])
  func aLineOfSeveralReceiptsIsCountedOnce(
    _ users: [String], _ products: [String], _ important: Int, _ importantReceipts: Int
  ) throws {
    var policy = DuePolicy()
    policy.important.users = Set(users.map { AppUserID($0) })
    policy.important.products = Set(products.map { ProductID($0) })
    let shelf = try Shelf(policy: policy)
    for user in ["u", "w"] {
      let receipt = ImportedReceipt(data: ReceiptData(trusted: "MII\(user)"), appUserID: AppUserID(user))
      let row = monthly("1", 0, 30) { $0.productID = ProductID("monthly") }
      try shelf.take(makeAnswer(at: day(10), row), for: shelf.keep(receipt))
    }
    let costs = try shelf.store.queue(at: day(11)).policy
    #expect(costs.lines == 1)
    let expected: [(rule: DuePolicy.Rule, lines: Int, requests: Double)] = [
      (.aroundExpiry, 1, 2 * 4 / 30.0), (.active, 1, 2 / (7 * 0.95)),
      (.important, important, Double(importantReceipts) * 24 / 30),
    ]
    for expected in expected {
      let cost = costs.first { $0.rule == expected.rule }
      #expect(cost?.lines ?? 0 == expected.lines, "\(expected.rule)")
      #expect(abs((cost?.requestsPerDay ?? 0) - expected.requests) < 1e-9, "\(expected.rule)")
    }
  }

  /// verifyReceipt and the App Store Server API have different fields for price consent.
  @Test func linesThatAwaitConsentAreCounted() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let cases: [(consent: String?, increase: String?, count: Int)] = [
      (nil, nil, 0), ("0", nil, 1), ("1", nil, 0), (nil, "0", 1), ("1", "1", 0), ("1", "0", 1),
    ]
    for (place, one) in cases.enumerated() {
      let t = day(10) + place.hours
      let info = RenewalInfo.make(consent: one.consent) { $0.priceIncreaseStatus = one.increase }
      try shelf.take(makeAnswer(at: t, monthly("1", 0, 30), infos: [info]), for: id)
      let costs = try shelf.store.queue(at: t).policy
      #expect(costs.first { $0.rule == .priceConsentPending }?.lines ?? 0 == one.count, "\(one)")
    }
  }

  @Test func theStatusIncludesItOnlyIfRequested() throws {
    let shelf = try shelf()
    #expect(try shelf.store.status(at: day(40)).queue == nil)
    #expect(try shelf.store.status(at: day(40), withQueue: true).queue == shelf.store.queue(at: day(40)))
  }
}
