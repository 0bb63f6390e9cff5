import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite struct DeterminismTests {
  @Test("Whatever the order of questions", arguments: [false, true]) func isTheSame(_ stories: Bool) {
    let later = Town.now + 40 * Milliseconds.day
    func said(_ seed: UInt64, _ order: [Int]) -> [Int: [[UInt8]]] {
      let population = FakePopulation(subscribers: 300, seed: seed, founded: Town.now, stories: stories)
      let store = FakeStore(population: population)
      return order.reduce(into: [:]) { said, index in
        let receipt = store.receipt(of: population[index], at: Town.now).receipt.base64
        let answer = store.answer(to: Town.body(receipt), endpoint: population[index].endpoint, at: later)
        said[index] = [Array(receipt.utf8), answer.body]
      }
    }
    let one = said(1, Array(0..<60))
    #expect(said(1, (0..<60).reversed()) == one)
    #expect(said(2, Array(0..<60)).allSatisfy { index, other in other != one[index] })
  }

  @Test("What was shown stays, unless refunded or upgraded away")
  func growsOnly() throws {
    for index in 0..<100 {
      var before: [Transaction] = []
      for day in stride(from: Int64(-900), through: 400, by: 65) {
        let now = Town.population[index].history(until: Town.now + day * Milliseconds.day).all
        let known = Dictionary(uniqueKeysWithValues: now.map { ($0.transactionID, $0) })
        for row in before {
          var later = try #require(known[row.transactionID])
          if row.cancellationDate == nil { (later.cancellationDate, later.cancellationReason) = (nil, nil) }
          if !row.isUpgraded { later.isUpgraded = false }
          #expect(later == row, "subscriber \(index), day \(day)")
        }
        before = now
      }
    }
  }

  @Test func everyRowHasAUniqueID() {
    let rows = Town.people.flatMap(\.history.all)
    #expect(Set(rows.map(\.transactionID)).count == rows.count)
  }
}
