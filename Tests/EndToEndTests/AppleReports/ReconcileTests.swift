import FakeAppStore
import Intake
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Store of a generated population, with Apple's reports about the same subscriptions.
private struct ReportedWorld {
  static let days = 150
  static let now = Instant(milliseconds: 1_790_000_000_000)

  let store: ReceiptStore
  private let folder = TemporaryFolder()
  private let population: FakePopulation
  private let reported: ClosedRange<CivilDate>

  enum Evidence { case everySnapshot, oneAnswerOfVerifyReceipt }

  /// - Parameter isMissing: Whether the store lacks the first customer with purchases in the month compared.
  init(
    _ seed: UInt64, subscribers: Int = 40, isMissing: Bool = false, _ evidence: Evidence = .everySnapshot,
    _ options: FakeReports.Options = .init()
  ) throws {
    store = try ReceiptStore(path: folder.path + "/store.sqlite")
    let now = Self.now
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(startingAt: now, speed: 0))
    (configuration.subscribers, configuration.seed) = (subscribers, seed)
    let server = FakeAppStoreServer(configuration)
    population = server.store.population
    _ = try store.add(CatalogFile.read(Array(FakeCatalog.csv.utf8)).items)
    let (month, last) = (Self.month, FakeReports.newestDay(at: now))
    var isLacking = isMissing
    var lives = population.subscribers.makeIterator()
    let answers = { (_: [ImportSummary.Refusal]) -> ImportPage<ImportedAnswer> in
      guard let next = lives.next() else { return .end }
      var past = server.store.past(of: next, since: now - 800.days, upTo: now)
      if isLacking, past.last.map({ $0.answer.hasPurchases(in: month) }) == true {
        isLacking = false
        return .items([])
      }
      if evidence == .oneAnswerOfVerifyReceipt { past = past.suffix(1).map(\.unsigned) }
      return .items(past)
    }
    _ = try store.add(pages: answers, at: now)
    reported = CivilDate(daysSince1970: last.daysSince1970 - Self.days)...last
    try add(FakeReports(of: population, days: reported, options).files.map { $0 })
  }

  func add(_ files: [(name: String, text: String)], at date: Instant = now) throws {
    var files = files.makeIterator()
    let pages = { () -> ImportPage<AppleReportItem> in
      files.next().map { .items(AppleReportsFile.read(Array($0.text.utf8), named: $0.name).items) } ?? .end
    }
    _ = try store.addAppleReports(pages: pages, at: date) { $0 + $1 }
  }

  /// Thirty days, long enough ago that late payments have been reported.
  static var month: ClosedRange<CivilDate> {
    let last = FakeReports.newestDay(at: now).daysSince1970 - 30
    return CivilDate(daysSince1970: last - 29)...CivilDate(daysSince1970: last)
  }

  func reconciliation() throws -> Reconciliation { try store.reconciliation(days: Self.month) }
}

extension Answer {
  fileprivate func hasPurchases(in days: ClosedRange<CivilDate>) -> Bool {
    environment == .production
      && transactions.contains { days.contains(PacificTime.day(of: $0.purchaseDate)) }
  }
}

extension ImportedAnswer {
  /// The answer as verifyReceipt gives it, without price, currency and storefront.
  fileprivate var unsigned: ImportedAnswer {
    var answer = answer
    for place in answer.transactions.indices { answer.transactions[place].terms = nil }
    answer.renewalTerms = []
    return ImportedAnswer(answer: answer, status: status, appUserID: appUserID, observedAt: observedAt)
  }
}

extension Reconciliation {
  fileprivate var rests: Set<String> {
    Set(rows.filter { $0.rest != 0 }.map { "\($0.key.figure) \($0.key.day)" })
  }
}

@Suite(.tags(.long)) struct ReconcileTests {
  @Test(arguments: seeds(4)) func everyDifferenceHasACause(_ seed: UInt64) throws {
    let reconciled = try ReportedWorld(seed, subscribers: 100).reconciliation()
    #expect(reconciled.rests == [])
    #expect(reconciled.matching.onlyApple.isEmpty && reconciled.matching.onlyOurs.isEmpty)
    let compared = Set(reconciled.rows.filter { $0.apple ?? 0 != 0 }.map(\.key.figure.source))
    #expect(compared == [.subscription, .events, .subscriber, .sales])
    #expect(reconciled.matchesThrough == reconciled.days.last)
  }

  /// The store of a new user has receipts that were checked once, so earlier gaps were not observed.
  @Test func differencesOfVerifyReceiptHaveCauses() throws {
    let reconciled = try ReportedWorld(1, subscribers: 100, .oneAnswerOfVerifyReceipt).reconciliation()
    let gaps: Set<ReconciledFigure> = [.billingRetry, .grace, .enteredRetry, .canceled, .recovered]
    let lines = reconciled.lines()
    #expect(lines.filter { $0.rest != 0 && !gaps.contains($0.figure) } == [])
    #expect(reconciled.missing == [])
    let causes = Set(lines.flatMap(\.causes.keys))
    #expect(causes.isSuperset(of: [.catalogPrice, .unobservedGap, .billedEarly]), "\(causes)")
    let storefronts = reconciled.lines([.units], by: .storefront)
    #expect(storefronts.contains { $0.causes[.storefrontUnknown] != nil })
  }

  @Test func aCustomerWhoIsMissingIsListed() throws {
    let reconciled = try ReportedWorld(1, isMissing: true).reconciliation()
    #expect(reconciled.missing.count == 1)
    #expect(reconciled.rests == [])
    #expect(reconciled.lines([.transactions]).first?.causes[.notInStore] ?? 0 > 0)
  }

  @Test func theProgramPrintsTablesJSONAndCSV() async throws {
    var options = FakeReports.Options()
    options.shifted = Set(0..<100)
    let world = try ReportedWorld(1, isMissing: true, .everySnapshot, options)
    let (subtop, all) = (try Subtop(), ["reconcile", "--window", "all", "--store", world.store.path])
    for (arguments, code, part) in [
      ([], 0, "Largest rest: "), (["--check", "--tolerance", "100%"], 0, "Apple"),
      (["--format", "json"], 0, "\"active_rule\" : \"without_grace\""),
      (
        ["renewed", "--by", "day", "--format", "csv"], 0,
        "figure,part,currency,apple,ours,difference,unmapped"
      ),
      (["--rows", "transactions", "--format", "csv"], 0, "only,day,product_id,storefront,price_micros"),
      (["--rows", "transactions"], 0, "Product"), (["--missing"], 0, "Transactions"),
      (["--missing", "--format", "csv"], 0, "subscriber,transactions,first_day,last_day"),
      (["--source", "sales"], 0, "Units sold"), (["--source", "finance"], 0, "Fiscal month"),
      (["--source", "finance", "--format", "json"], 0, "\"causes\" : {"),
    ] as [([String], Int32, String)] {
      let outcome = try await subtop.run(all + arguments, code: code)
      #expect(outcome.output.contains(part), "\(arguments)")
    }
    try await subtop.run(all + ["--check"], code: 1)
  }

  @Test(
    arguments: [
      ("", 66, "has no daily reports from Apple; download"),
      ("--fiscal 2026-08", 66, "no finance report of 2026-08"),
      ("--rows renewed", 64, "other figures have no rows"),
      ("--missing --rows transactions", 64, "cannot be combined"),
      ("--fiscal 2026-08 --source sales", 64, "--fiscal is for --source finance"),
      ("--fiscal 2026-13", 64, "a month of Apple's fiscal year"),
      ("--fiscal 2026-08 --by day", 64, "cannot be combined"),
      ("payout renewed", 64, "cannot be combined"), ("payout --check", 66, "no finance report"),
      ("--tolerance lots", 64, "'lots'"), ("--window soon", 64, "pass a number of days"),
      ("churned", 64, "'churned'"),
    ] as [(String, Int32, String)])
  func refuses(_ arguments: String, _ code: Int32, _ sentence: String) async throws {
    let subtop = try Subtop()
    _ = try ReceiptStore(path: subtop.store)
    let words = arguments.split(separator: " ").map(String.init)
    try await subtop.run(["reconcile"] + words, code: code, says: [sentence])
  }

  @Test func anEventOfAnotherDayIsARest() throws {
    var options = FakeReports.Options()
    options.shifted = Set(0..<100)
    let reconciled = try ReportedWorld(1, .everySnapshot, options).reconciliation()
    #expect(reconciled.rests.contains { $0.hasPrefix("renewed ") })
    #expect(reconciled.matching.matched[.nextDay] ?? 0 > 0)
  }

  @Test func anAbsentDayIsLeftOut() throws {
    let middle = CivilDate(daysSince1970: ReportedWorld.month.lowerBound.daysSince1970 + 15)
    var options = FakeReports.Options()
    options.absent = [middle]
    let reconciled = try ReportedWorld(1, .everySnapshot, options).reconciliation()
    let ofDay = reconciled.lines(by: .day).filter { $0.part == middle.description }
    #expect(!ofDay.isEmpty && ofDay.allSatisfy { $0.apple == nil && $0.state == .absent })
    #expect(reconciled.lines([.renewed], by: .day).contains { $0.state == .mayChange })
  }

  @Test func aRestatedReportReplacesTheFirst() throws {
    let world = try ReportedWorld(1)
    let before = try world.reconciliation()
    let day = try #require(before.rows.first { $0.key.figure == .units && $0.apple ?? 0 > 0 }?.key.day)
    let name = "S_D_85000000_\(day.description.filter { $0 != "-" }).txt"
    let header =
      "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper "
      + "Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer "
      + "Price\tPromo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\tProceeds "
      + "Reason\tPreserved Pricing\tClient\tOrder Type\n"
    try world.add([(name, header)], at: ReportedWorld.now + 1.days)
    #expect(try world.reconciliation().rests.contains("units \(day)"))
    let known = try world.store.reconciliation(
      days: before.days[0]...before.days[29], asKnownAt: ReportedWorld.now)
    #expect(known.rests == [])
  }
}
