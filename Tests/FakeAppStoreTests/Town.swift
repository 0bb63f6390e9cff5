import FakeAppStore
import Subscriptions

/// The population that these tests look at, and the instant they look at it.
enum Town {
  static let now = Instant(parsing: "2026-06-15T12:00:00Z") ?? .distantPast
  static let population = FakePopulation(subscribers: 5000, seed: 1, founded: now)
  static let store = FakeStore(population: population)
  static let people = (0..<population.count).map { Person(population[$0], at: now) }
  static let purchased = people.filter { $0.subscriber.environment == .production && !$0.isFamily }

  static func first(_ kind: Subscriber.Kind) -> Subscriber {
    people.first { $0.subscriber.kind == kind && $0.subscriber.accountGoneFrom == nil }?.subscriber
      ?? population[0]
  }
}

/// A subscriber as the domain sees it.
struct Person: Sendable {
  let subscriber: Subscriber
  let history: SubscriberHistory
  let lines: [Line]
  let verdicts: [Verdict]
  let rows: [Row]

  init(_ subscriber: Subscriber, at t: Instant) {
    self.subscriber = subscriber
    history = subscriber.history(until: t)
    lines = history.lines(environment: subscriber.environment, at: t)
    rows = lines.flatMap(\.rows)
    verdicts = lines.compactMap { $0.verdict(at: t) }
  }

  var isFamily: Bool { subscriber.kind == .familyMember }
  var infos: [RenewalInfo] { history.renewalInfos }
}

extension SubscriberHistory {
  func lines(environment: StoreEnvironment, at t: Instant) -> [Line] {
    Dictionary(grouping: transactions, by: \.originalTransactionID).flatMap { id, rows in
      let infos = renewalInfos.filter { $0.originalTransactionID == id }
      return Chain(
        environment: environment, originalTransactionID: id, transactions: rows,
        renewals: infos.map { RenewalObservation(info: $0, observedAt: t) }, validatedAt: t
      ).lines(catalog: FakeCatalog.catalog)
    }
  }
}
