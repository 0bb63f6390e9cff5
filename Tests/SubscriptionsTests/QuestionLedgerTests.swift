import Subscriptions
import TestSupport
import Testing

/// What a question alone asks of chains is what the whole population answers.
@Suite struct QuestionLedgerTests {
  @Test(arguments: seeds(400)) func answersAsThePopulationDoes(_ seed: UInt64) {
    var random = Seeded(seed &+ 77)
    let chains = (0..<6).map { chain(seed * 6 + $0, number: $0, &random) }
    let population = Population(chains, receipts: 9, catalog: .generated)
    for panel in Panel.allCases {
      for _ in 0..<6 {
        let question = question(panel, chains, &random)
        var (ledger, other) = (
          QuestionLedger(question, catalog: .generated), QuestionLedger(question, catalog: .generated)
        )
        for chain in chains { if random.chance(50) { ledger.add(chain) } else { other.add(chain) } }
        ledger.add(other)
        #expect(differences(ledger.report(receipts: 9), population.report(question)) == [], "\(question)")
      }
    }
  }

  /// Lists of the newest events leave out what is older, of chains in any order.
  @Test(arguments: 0..<20) func listsTheNewestEvents(_ seed: UInt64) {
    var random = Seeded(seed)
    let chains = (0..<150).map { chain(seed * 150 + $0, number: $0, &random) }
    let population = Population(chains, receipts: 0, catalog: .generated)
    var question = Question(panel: .events, at: day(200), windowDays: 150, environment: .all)
    for (panel, limit) in [(Panel.events, 3), (.events, 70), (.overview, 1000)] {
      (question.panel, question.limit) = (panel, limit)
      var ledger = QuestionLedger(question, catalog: .generated)
      for chain in chains.shuffled(using: &random) { ledger.add(chain) }
      #expect(differences(ledger.report(receipts: 0), population.report(question)) == [])
    }
  }

  private func chain(_ seed: UInt64, number: UInt64, _ random: inout Seeded) -> Chain {
    var chain = Chain.generated(seed)
    chain.originalTransactionID = OriginalTransactionID("\(number)")
    if random.chance(10) {
      for place in chain.transactions.indices { chain.transactions[place].inAppOwnershipType = .familyShared }
    }
    if random.chance(30) {
      chain.hold(random.pick(["ann"], ["ann", "bob"]), from: day(Int.random(in: -5...90, using: &random)))
    }
    return chain
  }

  /// About instants at which something is counted, and others.
  private func question(_ panel: Panel, _ chains: [Chain], _ random: inout Seeded) -> Question {
    let days = random.pick(1, 7, 28, 28, 90, 365)
    let rows = chains.flatMap(\.transactions)
    let row = rows.randomElement(using: &random)
    let near = random.pick(row?.purchaseDate, row?.expiresDate, row?.cancellationDate) ?? day(60)
    let t = random.pick(
      near, near + days.days, near + (2 * days).days, near + 60.days,
      day(Int.random(in: -10...500, using: &random)))
    var question = Question(
      panel: panel, at: t + random.pick(-1, 0, 1, 3_600_000), windowDays: days,
      environment: random.pick(.production, .all, .sandbox),
      products: Set(random.pick([], [], ["monthly"], ["yearly", "euro"]).map { ProductID($0) }),
      limit: random.pick(1000, 2, 0))
    question.offers = random.pick(.all, .all, .kind(.standard), .offer(.promo, "SPRING"))
    return question
  }
}

extension Chain {
  fileprivate mutating func hold(_ names: [String], from t: Instant) {
    for (place, name) in names.enumerated() {
      users.insert(AppUserID(name))
      holders[AppUserID(name)] = t + place.days
    }
  }
}
