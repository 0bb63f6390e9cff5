import FakeAppStore
import Subscriptions
import Testing

@Suite struct FakeCatalogTests {
  static let lines = FakeCatalog.csv.split(separator: "\n").map(String.init)

  @Test func hasTheHeaderThatImportReads() {
    #expect(
      Self.lines.first == "product_id,subscription_group_id,level,period,offer,price,currency,valid_from")
    #expect(FakeCatalog.csv.hasSuffix("\n"))
  }

  @Test func everyLineReadsBackAsItsEntry() throws {
    #expect(Self.lines.count == FakeCatalog.entries.count + 1)
    for (line, entry) in zip(Self.lines.dropFirst(), FakeCatalog.entries) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 8)
      #expect(Offer(parsing: fields[4]) == entry.offer)
      #expect(Period(parsing: fields[3]) == entry.period)
      let price = fields[5].split(separator: ".")
      try #require(price.count == 2 && price[1].count == 2)
      let cents = try #require(Int64(price[0] + price[1]))
      #expect(cents * 10_000 == entry.price.micros)
      #expect(fields[7].isEmpty ? entry.validFrom == nil : Instant(parsing: fields[7]) == entry.validFrom)
    }
  }

  @Test func pricesEverythingThatIsSoldButOneProduct() {
    let unpriced = Town.people.flatMap(\.rows).filter {
      $0.price == nil && !$0.transaction.inAppOwnershipType.isShared
    }
    #expect(!unpriced.isEmpty)
    #expect(unpriced.allSatisfy { $0.productID == FakeCatalog.unpricedProduct })
  }

  @Test func hasTwoGroupsTwoCurrenciesAndAPriceRise() {
    #expect(Set(FakeCatalog.entries.map(\.subscriptionGroupID)).count == 2)
    #expect(Set(FakeCatalog.entries.map(\.price.currency)).count == 2)
    #expect(FakeCatalog.entries.contains { $0.validFrom == FakeCatalog.priceRise })
    #expect(FakeCatalog.priceRise.dateText == "2025-09-01")
  }
}
