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

  /// A refund may be marked on only one of the ids.
  @Test func aRefundOfADuplicateIDApplies() throws {
    let rows = [
      item(monthly("3", 0, 30), "w"), refunded(item(monthly("20", 0, 30), "w"), at: day(9), reason: "1"),
    ]
    let line = try Chain.make(rows).line()
    #expect(line.rows.first?.refundedAt == day(9))
    #expect(line.rows.first?.transaction.cancellationReason == "1")
  }

  @Test func usersAreTheAppsOwnOrTheChain() throws {
    #expect(try Chain.make([monthly("1", 0, 30)], id: "7").line().userKeys == ["chain production 7"])
    let line = try Chain.make([monthly("1", 0, 30)], users: [AppUserID("u"), AppUserID("v")]).line()
    #expect(line.userKeys == ["user u", "user v"])
  }
}
