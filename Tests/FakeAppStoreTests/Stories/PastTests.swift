import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// The answers of a watched past are what the Server API would have said then.
@Suite("The past", .timeLimit(.minutes(5))) struct PastTests {
  private static let since = ToldTown.founded - 365 * Milliseconds.day

  private static func past(_ subscriber: Subscriber) -> [ImportedAnswer] {
    ToldTown.store.past(of: subscriber, since: since, upTo: ToldTown.founded)
  }

  @Test func isWhatIsSigned() async throws {
    let clock = FakeClock(fixedAt: ToldTown.founded)
    var (rows, infos, kinds) = (0, 0, Set<PeriodKind>())
    try await withServer({
      ($0.clock, $0.founded, $0.subscribers, $0.stories) = (clock, ToldTown.founded, 3000, true)
    }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for index in [0] + Array(stride(from: 5, to: 3000, by: 67)) {
        let subscriber = ToldTown.population[index]
        for kept in Self.past(subscriber).suffix(3) {
          let at = try #require(kept.observedAt)
          clock.set(to: at)
          let signed = try await scene.pages(of: subscriber).flatMap(\.signed).map(scene.transaction)
          let told = kept.answer.transactions
          #expect(Set(signed.map(\.undated)) == Set(told.map(\.undated)), "\(index) at \(at.iso8601)")
          // Each bears the signature of when who watched was last told of it.
          #expect(told.allSatisfy { $0.terms.map { $0.signedAt <= at } ?? true })
          let statuses = await scene.statuses(subscriber)
          let last = (statuses.answer?["data"]?.list ?? []).flatMap { $0["lastTransactions"]?.list ?? [] }
          let texts = last.compactMap { $0["signedRenewalInfo"]?.text }
          #expect(try Set(texts.map(scene.renewalInfo)) == Set(kept.answer.renewalInfos), "\(index)")
          let terms = try texts.compactMap {
            try scene.verifier.read($0, as: SignedRenewalInfo.self).terms
          }
          #expect(Set(terms) == Set(kept.answer.renewalTerms), "\(index)")
          rows += signed.count
          infos += texts.count
          kinds.formUnion(signed.compactMap(\.kind))
        }
      }
    }
    #expect(rows > 500 && infos > 60 && kinds.contains(.winback) && kinds.contains(.trial))
  }

  /// Else a panel's course has holes: METRICS §4.
  @Test func seesEveryGapOfTheYear() {
    var gaps = 0
    for index in 0..<ToldTown.population.countAtFounding {
      let subscriber = ToldTown.population[index]
      let seen = Self.past(subscriber)
      for line in Person(subscriber, at: ToldTown.founded).lines {
        let chain = line.id.originalTransactionID
        for (row, next) in zip(line.rows, line.rows.dropFirst())
        where row.deadFrom == nil && row.expires > Self.since
          && next.purchase - row.expires > Milliseconds.day
        {
          gaps += 1
          #expect(
            seen.contains { answer in
              answer.observedAt.map { $0 >= row.expires && $0 < next.purchase } ?? false
                && answer.answer.renewalInfos.contains { $0.originalTransactionID == chain }
            }, "\(index): \(row.expires.iso8601) to \(next.purchase.iso8601)")
        }
      }
    }
    #expect(gaps > 200)
  }

  /// What happened lately was noticed within hours.
  @Test func noticesWhatHappensSoon() {
    let lately = ToldTown.days(-28, -1)
    var (soon, all) = (0, 0)
    for index in stride(from: 0, to: 3000, by: 3) {
      let past = Self.past(ToldTown.population[index])
      let rows = past.last?.answer.transactions ?? []
      for row in rows where lately.contains(row.purchaseDate) {
        all += 1
        let first = past.first { $0.answer.transactions.contains { $0.transactionID == row.transactionID } }
        if let seen = first?.observedAt, seen < row.purchaseDate + 7 * Milliseconds.hour { soon += 1 }
      }
    }
    #expect(all > 200 && soon * 100 >= all * 97, "\(soon) of \(all)")
  }

  @Test func isKeptByWhoHasBoughtSomethingAlone() {
    let newcomer = ToldTown.population[ToldTown.population.count - 1]
    #expect(Self.past(newcomer).isEmpty)
    let told = Self.past(ToldTown.population[0])
    #expect(told.dropLast().allSatisfy { $0.answer.latestReceipt == nil })
    #expect(told.last?.answer.latestReceipt != nil)
    #expect(
      zip(told, told.dropFirst()).allSatisfy {
        ($0.observedAt ?? .distantPast) < ($1.observedAt ?? .distantPast)
      })
  }
}

extension Transaction {
  /// Without when it was signed.
  fileprivate var undated: Transaction {
    var row = self
    row.terms?.signedAt = .distantPast
    row.terms?.revocation?.signedAt = .distantPast
    row.terms?.pricedAt = nil
    row.terms?.pricedSince = nil
    return row
  }
}
