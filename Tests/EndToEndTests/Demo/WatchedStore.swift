import FakeAppStore
import Intake
import ReceiptStore
import Subscriptions
import TestSupport

/// Store that observed a population with stories for a year, as in the demo.
struct WatchedStore: Sendable {
  let store: ReceiptStore
  let at: Instant
  private let folder: Folder

  static let founded = Instant(parsing: "2026-06-15T12:00:00Z") ?? .distantPast
  static let atFounding = Task(executorPreference: BlockingThreads.shared) { try WatchedStore(at: founded) }

  private init(at t: Instant) throws {
    let people = FakePopulation(subscribers: 1200, founded: Self.founded, stories: true)
    let appStore = FakeStore(population: people)
    folder = try Folder()
    (at, store) = (t, try ReceiptStore(path: folder / "store.sqlite"))
    _ = try store.add(Stories(founded: Self.founded).catalog)
    let rates = RatesFile.read(Array(FakeRates.csv(until: t).utf8)).items
    _ = try store.add(rates.flatMap { $0.rates(reporting: FakeRates.base) }, reporting: FakeRates.base)
    var starts = stride(from: 0, to: people.count, by: 200).makeIterator()
    let next = { (_: [ImportSummary.Refusal]) -> ImportPage<ImportedAnswer> in
      guard let first = starts.next() else { return .end }
      return .items(
        (first..<min(first + 200, people.count)).flatMap {
          appStore.past(of: people[$0], since: t - 365 * Milliseconds.day, upTo: t)
        })
    }
    _ = try store.add(pages: next, at: t)
  }

  func troubled(at t: Instant) throws -> Int {
    let figures = try store.report(Question(panel: .overview, at: t)).data
    return figures["grace"] + figures["billing_retry"]
  }

  func report(_ panel: Panel, days: Int = 28) throws -> Report {
    var question = Question(panel: panel, at: at, windowDays: days)
    question.reportingCurrency = FakeRates.base
    return try store.report(question)
  }
}
