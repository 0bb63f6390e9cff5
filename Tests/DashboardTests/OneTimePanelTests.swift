import Dashboard
import Subscriptions
import Testing

@Suite struct OneTimePanelTests {
  private func report(_ panel: Panel, _ chains: [Chain]) -> Report {
    EvidenceLedger(chains, receipts: 1, catalog: .empty).report(Question(panel: panel, at: Sample.now))
  }

  private func chain(_ environment: StoreEnvironment) -> Chain {
    var coins = Transaction(
      transactionID: TransactionID("1"), originalTransactionID: OriginalTransactionID("1"),
      productID: ProductID("coins"), purchaseDate: Sample.now - 5 * Milliseconds.day)
    coins.cancellationDate = Sample.now - 2 * Milliseconds.day
    return Chain(
      environment: environment, originalTransactionID: OriginalTransactionID("1"), transactions: [coins])
  }

  @Test(arguments: Panel.allCases) func areShown(_ panel: Panel) {
    let printed = text(of: report(panel, [chain(.production)]))
    #expect(!printed.contains("Nothing to count yet"))
    if panel == .events { #expect(printed.contains("coins")) }
    if panel == .refunds { #expect(printed.contains("One-time (separate)")) }
    #expect(text(of: report(panel, [chain(.sandbox)])).contains("Nothing to count yet"))
    #expect(text(of: report(panel, [])).contains("Nothing to count yet"))
  }

  @Test(
    arguments: [
      (nil, .purchased, "refunded "), (40_000, .purchased, "refunded in part"),
      (nil, .familyShared, "revoked"),
    ] as [(Int64?, OwnershipType, String)], [false, true])
  func nameTheReasonOfARefund(_ refund: (Int64?, OwnershipType, String), isOneTime: Bool) {
    var chain = chain(.production)
    let cancelled = Sample.now - 2 * Milliseconds.day
    if !isOneTime { chain.transactions[0].expiresDate = Sample.now + 25 * Milliseconds.day }
    chain.transactions[0].inAppOwnershipType = refund.1
    var terms = SignedTerms(signedAt: cancelled)
    terms.price = Money(micros: 9_990_000, currency: CurrencyCode("USD"))
    terms.add(.init(date: cancelled, signedAt: cancelled, type: nil, percentage: refund.0))
    chain.transactions[0].terms = terms
    let report = ChainReport(chain, ChainContext(catalog: .empty), at: Sample.now)
    let printed = text(of: [report], at: Sample.now, width: 200)
    #expect(printed.contains("✗ \(refund.2)"), "\(printed)")
    let entry = report.lines.first?.transactions.first ?? report.oneTime.first
    #expect(entry?.refunded == (refund.1 == .purchased))
  }
}
