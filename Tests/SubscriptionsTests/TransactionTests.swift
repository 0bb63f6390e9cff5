import Subscriptions
import TestSupport
import Testing

@Suite struct TransactionTests {
  struct KindCase: CustomTestStringConvertible {
    let name: String
    let kind: PeriodKind?
    let change: @Sendable (inout Transaction) -> Void
    var testDescription: String { name }
  }

  @Test(arguments: [
    KindCase(name: "nothing said", kind: .standard) { _ in },
    KindCase(name: "trial", kind: .trial) { $0.isTrialPeriod = true },
    KindCase(name: "trial and intro", kind: .trial) {
      ($0.isTrialPeriod, $0.isInIntroOfferPeriod) = (true, true)
    },
    KindCase(name: "a year free by code", kind: .trial) {
      ($0.isTrialPeriod, $0.offerCodeRefName) = (true, "F")
    },
    KindCase(name: "intro", kind: .intro) { $0.isInIntroOfferPeriod = true },
    KindCase(name: "intro and code", kind: .intro) {
      ($0.isInIntroOfferPeriod, $0.offerCodeRefName) = (true, "F")
    },
    KindCase(name: "code with a promotional id", kind: .code) {
      ($0.promotionalOfferID, $0.offerCodeRefName) = ("A", "F")
    },
    KindCase(name: "promo", kind: .promo) { $0.promotionalOfferID = "A" },
    KindCase(name: "one-time", kind: nil) { $0.expiresDate = nil },
  ])
  func kinds(_ test: KindCase) {
    #expect(Transaction.make("1", purchase: day(0), expires: day(30), change: test.change).kind == test.kind)
  }

  @Test func readInOneOrder() {
    let rows = [
      monthly("10", 5, 35), monthly("9", 5, 35), row("monthly", "1", 5, 12), monthly("2", 0, 90),
      Transaction.make("3", purchase: day(5), expires: nil),
    ]
    #expect(
      rows.shuffled().sorted(by: Transaction.inOrder).map(\.transactionID.rawValue) == [
        "2", "3", "1", "9", "10",
      ])
  }

  @Test func idsSortAsNumbersAndStayText() {
    let ids = ["100", "20", "3", "020", "x1"].map(TransactionID.init)
    #expect(ids.sorted().map(\.rawValue) == ["3", "20", "x1", "020", "100"])
  }
}

@Suite struct LineMakingTests {
  private func item(_ row: Transaction, _ id: String) -> Transaction {
    var row = row
    row.webOrderLineItemID = WebOrderLineItemID(id)
    return row
  }

  @Test func twoIdsOfOnePurchaseAreOne() throws {
    let line = try Chain.make([item(monthly("20", 0, 30), "w"), item(monthly("3", 0, 30), "w")]).line()
    #expect(line.rows.map(\.id.rawValue) == ["3"])
    #expect(line.rows.first?.duplicateIDs.map(\.rawValue) == ["20"])
  }

  /// A refund may be marked on only one of the ids.
  @Test func aDuplicateTellsOfItsRefund() throws {
    let rows = [
      item(monthly("3", 0, 30), "w"), refunded(item(monthly("20", 0, 30), "w"), at: day(9), reason: "1"),
    ]
    let line = try Chain.make(rows).line()
    #expect(line.rows.first?.refundedAt == day(9))
    #expect(line.rows.first?.transaction.cancellationReason == "1")
  }

  struct Apart: CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout Transaction) -> Void
    var testDescription: String { name }
  }

  @Test(arguments: [
    Apart(name: "another line item") { $0.webOrderLineItemID = WebOrderLineItemID("v") },
    Apart(name: "no line item, as in family sharing") { $0.webOrderLineItemID = nil },
    Apart(name: "another product") { $0.productID = ProductID("plus") },
    Apart(name: "another purchase date") { $0.purchaseDate = day(1) },
  ])
  func onlyWholeMatchesAreDuplicates(_ apart: Apart) throws {
    var other = item(monthly("4", 0, 30), "w")
    apart.change(&other)
    #expect(try Chain.make([item(monthly("3", 0, 30), "w"), other]).line().rows.count == 2)
  }

  @Test func aMissingGroupIsFoundInOrder() throws {
    func grouped(_ row: Transaction, _ group: String) -> Transaction {
      var row = row
      row.subscriptionGroupIdentifier = SubscriptionGroupID(group)
      return row
    }
    let chain = Chain.make([
      grouped(row("monthly", "1", 0, 30), "H"), row("monthly", "2", 30, 60),  // the chain's other row
      row("yearly", "3", 60, 425),  // the catalogue
      row("unlisted", "4", 425, 455),  // the chain itself
    ])
    let lines = chain.lines(catalog: .usual)
    #expect(lines.map { $0.id.subscriptionGroupID?.rawValue } == [nil, "G", "H"])
    #expect(lines.map { $0.rows.map(\.id.rawValue) } == [["4"], ["3"], ["1", "2"]])
  }

  @Test func oneTimePurchasesStandApart() throws {
    let chain = Chain.make([
      .make("9", product: "coins", purchase: day(3), expires: nil), monthly("1", 0, 30),
    ])
    #expect(try chain.line().rows.map(\.id.rawValue) == ["1"])
    #expect(chain.oneTime.map(\.transactionID.rawValue) == ["9"])
  }

  @Test func usersAreTheAppsOwnOrTheChain() throws {
    #expect(try Chain.make([monthly("1", 0, 30)], id: "7").line().userKeys == ["chain production 7"])
    let line = try Chain.make([monthly("1", 0, 30)], users: [AppUserID("u"), AppUserID("v")]).line()
    #expect(line.userKeys == ["user u", "user v"])
  }

  @Test func theOrderOfArrivalDoesNotMatter() throws {
    var random = Seeded(7)
    let rows = [
      trial("1", 0, 7), monthly("2", 7, 37), upgraded(monthly("3", 37, 67)), row("yearly", "4", 50, 415),
      item(monthly("5", 415, 445), "w"), item(monthly("6", 415, 445), "w"),
    ]
    let infos = [
      RenewalObservation.make(at: day(5), .make()), .make(at: day(40), .make(autoRenew: false)),
    ]
    let first = Chain.make(rows, infos: infos).lines(catalog: .usual)
    for _ in 0..<20 {
      let again = Chain.make(rows.shuffled(using: &random), infos: infos.shuffled(using: &random))
      #expect(again.lines(catalog: .usual) == first)
    }
  }
}
