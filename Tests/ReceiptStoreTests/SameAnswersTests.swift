import Foundation
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Reports and rows from stored sums must equal the results of the domain over all lines.
@Suite struct SameAnswersTests {
  /// Number of generated worlds, which `make soak` raises.
  private static let count =
    ProcessInfo.processInfo.environment["SUBTOP_SOAK_WORLDS"].flatMap(UInt64.init) ?? 200

  private static let worlds: [(UInt64, LivedWorld.Kind)] =
    seeds(count, sanitized: 5).map { ($0, .plain) } + seeds(80, sanitized: 3).map { ($0, .converted) }
    + seeds(80, sanitized: 3).map { ($0, .signed) }

  @Test(arguments: worlds) func aWorldSeenInTwoWays(_ seed: UInt64, _ kind: LivedWorld.Kind) throws {
    let lived = try LivedWorld(seed, kind)
    let population = try lived.store.evidenceLedger()
    #expect(try lived.shelf.answersFromSums())
    var random = Seeded(seed &+ 77)
    for question in questions(lived, population) {
      let report = try lived.store.report(question)
      #expect(differences(report, population.report(question)) == [], "\(question)")
      guard kind != .converted else {
        #expect(report.reportingCurrency == question.reportingCurrency && report.unconverted != nil)
        continue
      }
      if question.panel != .events {
        try expectSameRows(behind: report, question, lived, population, &random)
      }
    }
  }

  private func expectSameRows(
    behind report: Report, _ question: Question, _ lived: LivedWorld, _ population: EvidenceLedger,
    _ random: inout Seeded
  ) throws {
    var all = question
    (all.limit, all.offers) = (100_000, .all)
    let rows = try lived.store.rows(behind: all)
    #expect(rows == population.rows(all), "\(all)")
    var few = question
    var figure = Set(rows.rows.flatMap(\.figures)).sorted().randomElement(using: &random)
    if report.report == .cohorts {
      let cohort = report.data[parts: "rows"].randomElement(using: &random)
      let part = random.pick(CohortCell.Part.retained, .of, .lost)
      figure = cohort.flatMap { cohort in
        cohort[parts: "retained"].randomElement(using: &random).flatMap { cell in
          cohort.month.map { CohortCell($0, months: cell["months"], part).path }
        }
      }
    } else {
      few.offers = .all
    }
    guard let figure else { return }
    few.limit = random.pick(1000, 2, 1, 0)
    let found = try lived.store.rows(behind: few, figure: figure)
    #expect(found == population.rows(few, figure: figure), "\(figure) \(few)")
  }

  /// Instants at which counts change, so that windows that end near them cut hours.
  private func moments(_ population: EvidenceLedger) -> [Instant] {
    var moments: [Instant] = []
    for line in population.lines {
      for row in line.rows {
        moments += [row.purchase, row.effectiveEnd, row.expires, row.expires + 60.days]
      }
      moments += line.renewals.compactMap(\.info.gracePeriodExpiresDate)
      moments += line.renewals.map(\.observedAt)
      if let validated = line.validatedAt { moments.append(validated + 1.days) }
    }
    return moments
  }

  private func questions(_ lived: LivedWorld, _ population: EvidenceLedger) -> [Question] {
    var random = Seeded(lived.seed &+ 1_000_000)
    let (last, moments) = (lived.last, moments(population))
    let count = lived.kind != .plain ? 3 : lived.seed < 60 ? 6 : 1
    return Panel.allCases.flatMap { panel in
      (0..<count).map { index in
        let windowDays = random.pick(28, 1, 7, 30, 45, 90, 365, 400)
        let near =
          (moments.randomElement(using: &random) ?? last) + random.pick(0, windowDays.days)
          + random.pick(-1, 0, 1, Int64.random(in: -7_200_000...7_200_000, using: &random))
        let t: Instant = random.pick(
          near, near, near, last, last + 1, last + 2.hours, last + 30.days, last + 65.days,
          lived.days.randomElement(using: &random) ?? last,
          day(Int.random(in: -210...150, using: &random)), day(900))
        var question = Question(
          panel: panel, at: index == 0 && lived.seed % 2 == 0 ? last : t,
          windowDays: windowDays,
          environment: random.pick(.production, .production, .sandbox, .all),
          products: random.pick([], [], ["monthly"], ["weekly", "plus"], ["coins"], ["nothing"]).reduce(
            into: []) { $0.insert(ProductID($1)) },
          limit: random.pick(1000, 2, 0))
        if random.chance(30) {
          question.length = .calendar(random.pick(.month, .quarter, .year), random.pick(.utc, Self.zone))
        }
        question.offers = random.pick(.all, .all, .kind(.standard), .kind(.intro), .offer(.promo, "SPRING"))
        switch lived.kind {
        case .plain: question.smallBusinessProgram = program(at: question.at, &random)
        case .converted: question.reportingCurrency = LivedWorld.reportingCurrency(lived.seed)
        case .signed:
          guard panel.hasStorefronts else { break }
          question.storefronts = random.pick(.all, .only(nil), .only(LivedWorld.storefronts[0]))
        }
        return question
      }
    }
  }

  /// Returns no membership, or one that begins or ends in or near the window.
  private func program(at t: Instant, _ random: inout Seeded) -> SmallBusinessProgram {
    let (from, until) = random.pick((-200, -9), (-40, -3), (-12, 100))
    let memberships: [SmallBusinessProgram.Membership] = random.pick(
      [.init(from: t + from.days, until: t + until.days)],
      [.init(from: day(-20), until: day(60)), .init(from: day(90))])
    return random.chance(40)
      ? SmallBusinessProgram([BundleID(random.pick("app", "app", "another")): memberships]) : .none
  }

  private static let fewWorlds: [(UInt64, LivedWorld.Kind)] = LivedWorld.Kind.allCases.flatMap { kind in
    seeds(40, sanitized: 5).map { ($0, kind) }
  }

  @Test(arguments: fewWorlds) func aRebuildChangesNothing(_ seed: UInt64, _ kind: LivedWorld.Kind) throws {
    let lived = try LivedWorld(seed, kind)
    let before = try lived.derived()
    #expect(try lived.store.status(at: lived.last, check: true).integrity == "ok")
    try lived.store.rebuild()
    #expect(try lived.derived() == before)
    // At least one world must have sums in the reporting currency.
    if kind == .converted, seed == 0 { #expect(before[4].contains { $0.contains("series=100") }) }
  }

  /// Zone whose months begin in the middle of an hour of UTC, although sums are by whole hours.
  private static let zone = Zone(
    name: "Half",
    [
      Zone.Stretch(from: .distantPast, offset: 11.hours / 2, abbreviation: "H"),
      Zone.Stretch(from: day(-64), offset: 13.hours / 2, abbreviation: "HS"),
      Zone.Stretch(from: day(88, hours: 3), offset: 11.hours / 2, abbreviation: "H"),
    ])

  /// The months' flows add up to the quarter's, and balances continue from month to month.
  @Test(arguments: fewWorlds) func monthsAddUpToTheQuarter(_ seed: UInt64, _ kind: LivedWorld.Kind) throws {
    let lived = try LivedWorld(seed, kind)
    let population = try lived.store.evidenceLedger()
    let zone = seed % 2 == 0 ? Zone.utc : Self.zone
    func report(_ panel: Panel, _ window: String) throws -> Report {
      var question = Question(panel: panel, at: day(400), environment: .all)
      if kind == .converted { question.reportingCurrency = LivedWorld.reportingCurrency(seed) }
      question = try #require(WindowChoice(parsing: window)).asked(question, in: zone, since: nil)
      let report = try lived.store.report(question)
      #expect(differences(report, population.report(question)) == [], "\(question)")
      return report
    }
    for (quarter, months) in [
      ("2025-Q4", ["2025-10", "2025-11", "2025-12"]), ("2026-Q1", ["2026-01", "2026-02", "2026-03"]),
    ] {
      for panel in [Panel.movement, .overview, .churn, .refunds, .upgrades, .events] {
        let (whole, parts) = (try report(panel, quarter), try months.map { try report(panel, $0) })
        var sums: [String: Int128] = [:]
        for part in parts { sums.merge(flows(part), uniquingKeysWith: +) }
        #expect(flows(whole).filter { $0.value != 0 } == sums.filter { $0.value != 0 }, "\(panel) \(quarter)")
        guard panel == .movement else { continue }
        if seed == 0 { #expect(sums.values.contains { $0 != 0 }) }
        let ends = (parts + [whole]).map { report in
          ["start", "end"].map { report.data.movement?["subscribers"]?[$0] }
        }
        #expect(ends[3][0] == ends[0][0] && ends[3][1] == ends[2][1])
        #expect(ends[0][1] == ends[1][0] && ends[1][1] == ends[2][0])
      }
    }
  }

  /// Flows by figure and currency, without those that later outcomes change.
  private func flows(_ report: Report) -> [String: Int128] {
    let judged = ["renewals.", "trials.", "cohort."]
    return report.trend.series.reduce(into: [:]) { flows, series in
      guard report.report.happens(series.figure), !judged.contains(where: series.figure.hasPrefix) else {
        return
      }
      let name = "\(series.figure) \(series.currency?.rawValue ?? "")"
      flows[name] = series.values.reduce(0) { $0 + ($1 ?? 0) }
    }
  }

  /// Windows end at successive instants, most of them within an hour, while the store grows.
  @Test(arguments: seeds(30, sanitized: 3))
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

  @Test(arguments: seeds(20, sanitized: 5))
  func theCatalogueMayComeLater(_ seed: UInt64) throws {
    let world = World(seed: seed)
    let (before, after) = (try Shelf(), try Shelf(catalog: [.make("weekly", 1, group: "H", level: 9)]))
    try before.live(world)
    try after.live(world)
    _ = try after.store.add(World.catalog)
    for panel in Panel.allCases {
      let question = Question(panel: panel, at: world.days.last ?? day(0), windowDays: 200, environment: .all)
      let found = differences(try before.store.report(question), try after.store.report(question))
      #expect(found == [])
    }
  }
}
