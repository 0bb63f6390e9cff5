import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct SharedChainTests {
  @Test(arguments: LivedWorld.Kind.allCases) func areThoseOfTheStore(_ kind: LivedWorld.Kind) throws {
    for seed in seeds(40, sanitized: 1).prefix(4) {
      let lived = try LivedWorld(seed, kind)
      let team = try Team(now: lived.last + 1.days)
      try team.publish(lived.store)
      let reader = try team.open()
      let at = lived.last.hourEnd
      for id in ids(of: World(seed: seed)) {
        let found = try lived.store.chains(matching: id, at: at)
        #expect(try reader.chains(matching: id, at: at) == found, "\(id)")
        let start = String(id.prefix(3))
        let known = try lived.store.suggestions(for: start, patience: .seconds(60)) { true }
        let suggested = try reader.suggestions(for: start, patience: .seconds(60)) { true }
        let prefixed = { (found: IDSuggestions) in Set(found.found.map(\.id).filter { $0.hasPrefix(start) }) }
        #expect(prefixed(suggested).isSuperset(of: prefixed(known)), "\(start)")
      }
      #expect(try reader.knownNames() == lived.store.knownNames())
      #expect(try reader.firstPurchase() == lived.store.firstPurchase())
    }
  }

  private func ids(of world: World) -> Set<String> {
    Set(
      world.stories.flatMap { story in
        (story.receipt.appUserID.map { [$0.rawValue] } ?? [])
          + story.answers.flatMap(\.transactions).flatMap {
            [$0.transactionID.rawValue, $0.originalTransactionID.rawValue]
          }
      }.sorted().prefix(12) + ["unknown"])
  }
}
