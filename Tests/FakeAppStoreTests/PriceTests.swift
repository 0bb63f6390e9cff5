import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// Prices that only signed data tells.
@Suite(.timeLimit(.minutes(5))) struct PriceTests {
  @Test("In the United States everything costs what the catalogue says; elsewhere in another currency")
  func prices() async throws {
    var currencies: [String: Set<String>] = [:]
    var (standard, free, prorated) = (0, 0, 0)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in Town.people.map(\.subscriber) where subscriber.index % 15 == 0 {
        guard subscriber.anyID != "0", subscriber.accountGoneFrom == nil else { continue }
        for row in try await scene.pages(of: subscriber).flatMap(\.signed).map(scene.transaction) {
          let terms = try #require(row.terms)
          let (price, storefront) = (try #require(terms.price), try #require(terms.storefront))
          currencies[storefront.rawValue, default: []].insert(price.currency.rawValue)
          #expect(["PURCHASE", "RENEWAL"].contains(terms.reason))
          let entry = FakeCatalog.catalog.entry(for: row)
          if storefront.rawValue == "USA", let entry { #expect(price.micros == entry.price.micros) }
          if row.isTrialPeriod { #expect(price.micros == 0) } else { #expect(price.micros > 0) }
          standard += row.kind == .standard ? 1 : 0
          free += row.isTrialPeriod ? 1 : 0
          prorated += terms.revocation?.type == "REFUND_PRORATED" ? 1 : 0
          #expect((terms.revocation?.percentage != nil) == (terms.revocation?.type == "REFUND_PRORATED"))
        }
      }
    }
    #expect(currencies.count == 12 && currencies.values.allSatisfy { $0.count == 1 })
    #expect(Set(currencies.values.flatMap(\.self)).count == 12 && currencies["USA"] == ["USD"])
    #expect(standard > 1000 && free > 50 && prorated > 0)
  }
}
