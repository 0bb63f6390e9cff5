import FakeAppStore
import Subscriptions
import Testing

/// What a story leaves behind, counted in the lives of 3,000.
struct Trace: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let band: ClosedRange<Int>
  let count: @Sendable () -> Int

  init(_ name: String, least: Int, most: Int, _ count: @escaping @Sendable () -> Int) {
    (testDescription, band, self.count) = (name, least...most, count)
  }

  static let all: [Trace] = campaign + cardTrouble + winBack + badRelease + priceRise + seasons

  static let campaign: [Trace] = [
    Trace("took the code", least: 100, most: 170) { code().count },
    Trace("took it at another time", least: 0, most: 0) { codeElsewhere().count },
    Trace("of a hundred with the code, stayed", least: 15, most: 40) { share(code()) },
    Trace("of a hundred other trials of those weeks, stayed", least: 45, most: 75) {
      share(otherTrials())
    },
  ]

  static let cardTrouble: [Trace] = [
    Trace("in trouble a week before", least: 5, most: 45) {
      ToldTown.troubled(at: week.lowerBound - Milliseconds.day)
    },
    Trace("in trouble at the week's end", least: 60, most: 160) { ToldTown.troubled(at: week.upperBound) },
    Trace("in trouble two weeks later", least: 20, most: 70) {
      ToldTown.troubled(at: week.upperBound + 14 * Milliseconds.day)
    },
    Trace("lost when sixty days were over", least: 8, most: 50) { lostOverCards() },
  ]

  static let winBack: [Trace] = [
    Trace("came back for the offer", least: 15, most: 90) { ToldTown.rows.count { $0.kind == .winback } },
    Trace("came back for it at another time", least: 0, most: 0) {
      ToldTown.rows.count {
        $0.kind == .winback && !ToldTown.stories.winBack.contains($0.purchase)
      }
    },
  ]

  static let badRelease: [Trace] = [
    Trace("refunded for a problem with the app", least: 25, most: 90) {
      ToldTown.refunds(in: ToldTown.stories.badRelease, reason: "1")
    },
    Trace("the same of the week before", least: 0, most: 6) {
      let week = ToldTown.stories.badRelease
      return ToldTown.refunds(
        in: week.lowerBound - 7 * Milliseconds.day..<week.lowerBound, reason: "1")
    },
  ]

  static let priceRise: [Trace] = [
    Trace("have not answered yet", least: 60, most: 300) {
      asked.count { $0.priceConsentStatus == "0" && $0.autoRenewStatus == true }
    },
    Trace("have agreed", least: 20, most: 160) { asked.count { $0.priceConsentStatus == "1" } },
    Trace("lost over it so far", least: 6, most: 60) {
      asked.count { $0.expirationIntent == .customerDidNotConsentToPriceIncrease }
    },
    Trace("lost over it by the end", least: 60, most: 240) {
      ToldTown.people.flatMap(\.verdicts).count {
        $0.expirationIntent == .customerDidNotConsentToPriceIncrease
      }
    },
  ]

  /// Five months before 2026-06-15 lies January; the year before had a September and a Black Friday.
  static let seasons: [Trace] = [
    Trace("January next to the weeks before it, of a hundred", least: 130, most: 240) {
      ToldTown.started(-163, -137) * 100 / max(1, ToldTown.started(-194, -168))
    },
    Trace("September next to the weeks before it, of a hundred", least: 105, most: 190) {
      ToldTown.started(-287, -259) * 100 / max(1, ToldTown.started(-320, -292))
    },
    Trace("five days from Black Friday's eve next to five before it, of a hundred", least: 150, most: 500) {
      // 2025-11-27 12:00.
      ToldTown.started(-201, -196) * 100 / max(1, ToldTown.started(-212, -207))
    },
  ]

  private static let week = ToldTown.stories.cardTrouble

  private static func code() -> [Row] {
    ToldTown.rows.filter { $0.transaction.offerCodeRefName == Stories.campaignCode }
  }

  private static func codeElsewhere() -> [Row] {
    code().filter { row in !ToldTown.stories.campaign.contains(row.purchase) }
  }

  private static func otherTrials() -> [Row] {
    ToldTown.rows.filter { row in
      row.kind == .trial && row.transaction.offerCodeRefName == nil
        && ToldTown.stories.campaign.contains(row.purchase)
    }
  }

  private static func lostOverCards() -> Int {
    let verdicts = ToldTown.people.flatMap { Person($0.subscriber, at: ToldTown.founded).verdicts }
    return verdicts.count { verdict in
      verdict.state == .expired && verdict.expirationIntent == .billingError
        && week.contains(verdict.current.expires) && verdict.current.kind != .trial
    }
  }

  private static var asked: [RenewalInfo] {
    ToldTown.people.flatMap { Person($0.subscriber, at: ToldTown.founded).infos }
      .filter { $0.productID == Stories.risenProduct }
  }

  /// Of a hundred.
  private static func share(_ trials: [Row]) -> Int {
    trials.filter { $0.outcome == .converted }.count * 100 / max(1, trials.count)
  }
}

@Suite("Stories") struct StoriesTests {
  @Test("In the lives of 3,000", arguments: Trace.all)
  func leaves(_ trace: Trace) {
    let count = trace.count()
    #expect(trace.band.contains(count), "\(count)")
  }

  @Test("Customers go on coming, as many as in the weeks before", arguments: [0, 28, 56, 84] as [Int64])
  func comes(_ from: Int64) {
    let before = ToldTown.started(-28, 0)
    let then = ToldTown.started(from, from + 28)
    #expect((before * 8 / 10...before * 12 / 10).contains(then), "\(then) after \(before)")
  }

  @Test func whoComesIsFoundByTheTimeAlone() {
    let span = ToldTown.days(3, 9)
    let found = ToldTown.population.arrivals(in: span).map(\.index)
    let all = (ToldTown.population.countAtFounding..<ToldTown.population.count).filter { index in
      let history = ToldTown.population[index].history(until: span.upperBound)
      return history.transactions.map(\.purchaseDate).min().map(span.contains) ?? false
    }
    #expect(Set(all).isSubset(of: found) && all.count > 10)
    #expect(ToldTown.population.arrivals(in: ToldTown.days(-9, -3)).isEmpty)
  }

  @Test func whoComesLaterHasNoReceiptYet() {
    let few = FakeStore(population: FakePopulation(subscribers: 60, founded: ToldTown.founded, stories: true))
    let now = Array(few.receipts(at: ToldTown.founded))
    let later = Array(few.receipts(at: ToldTown.founded + 200 * Milliseconds.day))
    #expect(now.count == 60 && later.count > 60 && later.count < few.population.count)
  }

  @Test func theSameSeedGivesTheSameLives() {
    let again = FakePopulation(subscribers: 3000, seed: 1, founded: ToldTown.founded, stories: true)
    let other = FakePopulation(subscribers: 3000, seed: 2, founded: ToldTown.founded, stories: true)
    #expect(again.count == ToldTown.population.count)
    let later = ToldTown.founded + 40 * Milliseconds.day
    let indices = stride(from: 0, to: again.count, by: 37)
    for index in indices {
      let known = ToldTown.population[index].history(until: later)
      #expect(again[index].history(until: later).transactions == known.transactions)
    }
    #expect(
      indices.contains { index in
        other[index].history(until: later).transactions
          != ToldTown.population[index].history(until: later).transactions
      })
  }

  /// The whole of it in one chain: METRICS' names of what happens.
  @Test func user4821HasSeenItAll() throws {
    let person = Person(ToldTown.population[0], at: ToldTown.founded)
    #expect(person.subscriber.appUserID?.rawValue == "user-4821")
    let rows = person.rows
    #expect(rows.first?.kind == .trial && rows.first?.outcome == .converted)
    #expect(rows.contains { $0.upgrade?.direction == .upgrade && $0.upgrade?.isConfirmed == true })
    #expect(rows.count(where: \.isRefund) == 1)
    #expect(rows.count { $0.kind == .winback } == 1)
    #expect(person.infos.first?.priceConsentStatus == "1")
    #expect(person.verdicts.first?.state == .active)
    let failed = try #require(
      rows.first { row in
        Person(person.subscriber, at: row.expires + Milliseconds.day).verdicts.first?.state == .grace
      })
    let paid = Person(person.subscriber, at: failed.expires + 10 * Milliseconds.day)
    #expect(paid.verdicts.first?.state == .active, "paid within the grace period")
  }
}
