import FakeAppStore
import Subscriptions
import Testing

@Suite struct HistoryTests {
  @Test func theSamePeopleInWhateverOrderTheyAreAskedFor() {
    let other = FakePopulation(subscribers: 10, seed: 1, founded: Town.now)
    for index in [9, 3, 0, 7] {
      let again = other[index].history(until: Town.now)
      #expect(again.transactions == Town.people[index].history.transactions)
      #expect(again.renewalInfos == Town.people[index].history.renewalInfos)
      #expect(again.oneTime == Town.people[index].history.oneTime)
    }
  }

  @Test func anotherSeedGivesOtherPeople() {
    let other = FakePopulation(subscribers: 100, seed: 2, founded: Town.now)
    let same = (0..<100).filter {
      other[$0].history(until: Town.now).transactions == Town.people[$0].history.transactions
        && !Town.people[$0].history.transactions.isEmpty
    }
    #expect(same.isEmpty)
  }

  @Test("What was shown stays, unless refunded or upgraded away")
  func growsOnly() {
    for index in 0..<300 {
      var before = SubscriberHistory.none
      for day in stride(from: Int64(-900), through: 400, by: 65) {
        let now = Town.population[index].history(until: Town.now + day * Milliseconds.day)
        #expect(before.isContained(in: now), "subscriber \(index), day \(day)")
        before = now
      }
    }
  }

  @Test("A later look at the past is the past", arguments: [1, 30, 200] as [Int64])
  func changedAtTellsWhetherThereIsNews(days: Int64) {
    let later = Town.now + days * Milliseconds.day
    var news = 0
    for index in 0..<1000 {
      let (old, new) = (Town.people[index].history, Town.population[index].history(until: later))
      let isSame = old.transactions == new.transactions && old.renewalInfos == new.renewalInfos
      if (new.changedAt ?? .distantPast) <= Town.now {
        #expect(isSame, "subscriber \(index)")
      }
      if !isSame { news += 1 }
    }
    #expect(news > Int(days) && news < 1000)
  }

  @Test func rowsHaveOneChainAndDistinctIDs() {
    let rows = Town.people.flatMap { $0.history.transactions + $0.history.oneTime }
    #expect(Set(rows.map(\.transactionID)).count == rows.count)
    let items = Town.purchased.flatMap { person in
      person.rows.map { "\($0.transaction.webOrderLineItemID?.rawValue ?? "none")" }
    }
    #expect(Set(items).count == items.count)
  }

  @Test func recoveryInGraceKeepsTheBillingDay() {
    // The others cancelled in grace and subscribed anew before it would have ended.
    var (kept, moved) = (0, 0)
    for person in Town.purchased {
      for verdict in person.verdicts where verdict.state == .grace {
        let later = Person(person.subscriber, at: verdict.accessUntil)
        let next = later.rows.first { $0.purchase >= verdict.current.expires && $0.id != verdict.current.id }
        guard let next else { continue }
        if next.purchase == verdict.current.expires { kept += 1 } else { moved += 1 }
      }
    }
    #expect(kept > 10 && moved <= kept / 4, "\(kept) kept, \(moved) moved")
  }

  @Test func trialsAndIntroductoryPricesAreForOncePerGroup() {
    for person in Town.people {
      for line in person.lines {
        #expect(line.rows.filter { $0.kind == .trial || $0.kind == .intro }.count <= 1)
      }
    }
  }
}

extension SubscriberHistory {
  fileprivate static var none: Self {
    FakePopulation(subscribers: 1, seed: 1, founded: .init(milliseconds: 0))[0].history(until: .distantPast)
  }

  fileprivate func isContained(in later: Self) -> Bool {
    let rows = Dictionary(
      uniqueKeysWithValues: (later.transactions + later.oneTime).map { ($0.transactionID, $0) })
    return (transactions + oneTime).allSatisfy { old in
      guard var new = rows[old.transactionID] else { return false }
      if old.cancellationDate == nil { (new.cancellationDate, new.cancellationReason) = (nil, nil) }
      if !old.isUpgraded { new.isUpgraded = false }
      return new == old
    }
  }
}
