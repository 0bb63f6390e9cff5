import Dashboard
import Subscriptions
import Testing

/// Purchases that do not renew, where there is no subscription beside them.
@Suite struct OneTimePanelTests {
  private func report(_ panel: Panel, _ chains: [Chain]) -> Report {
    Population(chains, receipts: 1, catalog: .empty).report(Question(panel: panel, at: Sample.now))
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
    if panel == .refunds { #expect(printed.contains("One-time, apart")) }
    #expect(text(of: report(panel, [chain(.sandbox)])).contains("Nothing to count yet"))
    #expect(text(of: report(panel, [])).contains("Nothing to count yet"))
  }
}
