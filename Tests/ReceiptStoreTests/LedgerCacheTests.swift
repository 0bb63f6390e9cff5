import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct LedgerCacheTests {
  /// Dashboards repeat queries about every second, also for other panels, windows and past instants.
  @Test(arguments: seeds(60, sanitized: 3))
  func aClockThatGoesOn(_ seed: UInt64) throws {
    var random = Seeded(seed)
    let world = World(seed: seed)
    let shelf = try Shelf()
    let last = world.days.last ?? day(0)
    let rates = (-400..<400).map { at in
      PublishedRate(
        base: CurrencyCode("EUR"), currency: CurrencyCode("USD"), day: day(at).civilDate.daysSince1970,
        picos: 1_250_000_000_000)
    }
    _ = try shelf.store.add(rates, reporting: CurrencyCode("EUR"))
    try shelf.live(world, until: last - 1)
    var population = try shelf.store.evidenceLedger()
    let instants = population.lines.flatMap { line in
      line.rows.flatMap { [$0.purchase, $0.expires, $0.effectiveEnd] } + line.renewals.map(\.observedAt)
    }
    var t = (instants.randomElement(using: &random) ?? last) - 40 * Milliseconds.minute
    for step in 0..<24 {
      if step == 12 {
        try shelf.live(world)
        population = try shelf.store.evidenceLedger()
      }
      var question = Question(
        panel: Panel.allCases.randomElement(using: &random) ?? .overview, at: t,
        windowDays: random.pick(28, 28, 28, 7, 90), environment: random.pick(.production, .all),
        products: random.pick([], [], [ProductID("monthly")]), limit: random.pick(1000, 2, 0))
      question.reportingCurrency = random.pick(nil, CurrencyCode("EUR"))
      let found = differences(try shelf.store.report(question), population.report(question))
      #expect(found == [], "step \(step), \(question)")
      t =
        t
        + random.pick(
          0, 1, Milliseconds.second, Milliseconds.minute, 7 * Milliseconds.minute, 25 * Milliseconds.minute,
          -Milliseconds.minute, -20 * Milliseconds.minute, Milliseconds.hour)
    }
  }

  /// Another process also writes to the file.
  @Test(arguments: Panel.allCases) func whatOthersWriteIsSeen(_ panel: Panel) throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(someReceipt)
    let due = monthly("2", 1, 32) { $0.isInIntroOfferPeriod = true }
    try shelf.take(makeAnswer(at: day(2), monthly("1", -30, 1), due), for: receipt)
    let reader = try ReceiptStore(path: shelf.path, access: .readOnly)
    // The query falls into an hour whose shorter part is read row by row.
    let question = Question(panel: panel, at: day(32) + 20 * Milliseconds.minute, windowDays: 90)
    let before = try reader.report(question)
    #expect(differences(before, try shelf.store.evidenceLedger().report(question)) == [])
    var info = RenewalInfo()
    (info.originalTransactionID, info.isInBillingRetryPeriod) = (due.originalTransactionID, true)
    let refunded = monthly("1", -30, 1) { $0.cancellationDate = day(32) + 5 * Milliseconds.minute }
    try shelf.take(
      makeAnswer(at: day(32) + 10 * Milliseconds.minute, refunded, due, infos: [info]), for: receipt)
    let truth = try shelf.store.evidenceLedger().report(question)
    #expect(differences(try reader.report(question), truth) == [])
    // These panels are unaffected: no upgrades, no first payments, and the offer has ended either way.
    #expect((truth.data == before.data) == [.upgrades, .cohorts, .offers].contains(panel))
  }
}
