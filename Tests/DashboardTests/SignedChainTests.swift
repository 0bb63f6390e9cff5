import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Signed rows of a chain") struct SignedChainTests {
  /// - Parameters:
  ///   - signed: Number of rows signed by Apple, oldest first.
  ///   - priced: Number of rows with a price.
  private static func story(signed: Int, priced: Int) -> ChainReport {
    var chain = Sample.story
    for index in chain.lines[0].transactions.indices {
      let isSigned = index < signed
      chain.lines[0].transactions[index].priceSource =
        isSigned ? index < priced ? .signed : nil : .catalogue
      guard isSigned else { continue }
      chain.lines[0].transactions[index].signedAtMs = Sample.now
      chain.lines[0].transactions[index].storefront = StorefrontCode("DEU")
    }
    return chain
  }

  @Test(
    "are counted in the verdict, printed and on a screen",
    arguments: [
      (0, 0, nil), (7, 7, "7 of 7 rows; prices: 7 from Apple, 0 from the catalogue"),
      (7, 0, "7 of 7 rows; prices: 0 from Apple, 0 from the catalogue, 7 unknown"),
      (3, 2, "3 of 7 rows; prices: 2 from Apple, 4 from the catalogue, 1 unknown"),
      (1, 1, "1 of 7 rows; prices: 1 from Apple, 6 from the catalogue"),
    ] as [(Int, Int, String?)])
  func verdict(_ signed: Int, _ priced: Int, _ words: String?) {
    let story = Self.story(signed: signed, priced: priced)
    let printed = text(of: [story], at: Sample.now, width: 80)
    #expect(printed.words.contains("rows; prices") == (words != nil), "\(printed)")
    if let words { #expect(printed.words.contains("signed \(words)"), "\(printed)") }
    var bench = Bench.opened(80, 60)
    bench.chains = { _ in [story] }
    bench.press("f", "story", "enter")
    #expect(bench.words.contains("rows; prices") == (words != nil), "\(bench.screen)")
  }

  @Test(
    "leave the room to whose prices they are, unless they are all of one",
    arguments: [
      (7, 120, ["How it started"]), (7, 200, ["How it started", "Proceeds"]),
      (3, 120, ["Priced by", "Store", "Signed"]),
    ])
  func columns(_ signed: Int, _ columns: Int, _ titles: [String]) {
    var bench = Bench.opened(columns, 100)
    bench.chains = { _ in [Self.story(signed: signed, priced: signed == 7 ? 7 : 2)] }
    bench.press("f", "story", "enter")
    let line = bench.screen.split(separator: "\n").first { $0.contains("Purchase") && $0.contains("Expires") }
    for title in titles { #expect(line?.contains(title) == true, "\(bench.screen)") }
    #expect(bench.screen.contains("; all: priced by Apple, store DEU") == (signed == 7), "\(bench.screen)")
  }

  /// METRICS §5, Due: a renewal that Apple signs up to a day before it begins is not yet a paid period.
  @Test("renew as Apple has already signed it", arguments: [true, false]) func signedRenewal(_ renews: Bool?)
  {
    let now = Sample.now
    func row(_ id: String, _ product: String, _ from: Int64, _ until: Int64, _ micros: Int64) -> Transaction {
      var row = Transaction(
        transactionID: TransactionID(id), originalTransactionID: OriginalTransactionID("1"),
        productID: ProductID(product), purchaseDate: now + from * Milliseconds.hour,
        expiresDate: now + until * Milliseconds.hour)
      var terms = SignedTerms(signedAt: now - 1)
      terms.price = Money(micros: micros, currency: CurrencyCode("USD"))
      row.terms = terms
      return row
    }
    let rows = [row("1", "lessons", -700, 20, 3_990_000), row("2", "library", 20, 8760, 29_990_000)]
    var info = RenewalInfo()
    (info.productID, info.autoRenewProductID) = (ProductID("lessons"), ProductID("lessons"))
    info.autoRenewStatus = renews
    var chain = Chain(
      environment: .production, originalTransactionID: OriginalTransactionID("1"), transactions: rows,
      renewals: [RenewalObservation(info: info, observedAt: now - 2)], validatedAt: now - 2)
    (chain.validations, chain.renewalValidations) = ([now - 2], [now - 2])
    chain.renewalTerms = [
      RenewalTerms(
        originalTransactionID: OriginalTransactionID("1"), productID: ProductID("lessons"),
        renewalDate: now + 20 * Milliseconds.hour, signedAt: now - 2,
        price: Money(micros: 3_990_000, currency: CurrencyCode("USD")))
    ]
    let report = ChainReport(chain, ChainContext(catalog: .empty), at: now)
    let words = text(of: [report], at: now, width: 120).words
    for text in ["then it renews as library", "renews for USD 29.99", "customer paid USD 3.99"] {
      #expect(words.contains(text), "\(text): \(words)")
    }
    let due = StandingLine(chain.lines(catalog: .empty)[0], at: now).facts(validatedAt: nil, catalog: .empty)
    #expect(due.contains { $0.sum.micros == 29_990_000 } == (renews == true))
  }

  @Test("that nothing can be asked with", arguments: ["nothing to ask with", "21010"])
  func neverDue(_ reason: String) {
    var report = Sample.chain
    report.receipts[0].nextDueAtMs = nil
    report.receipts[0].neverDueBecause = reason
    let words = text(of: [report], at: Sample.now, width: 120).words
    #expect(words.contains("never: nothing to ask with") == (reason == ReceiptEntry.nothingToAskWith))
    #expect(words.contains("never again") == (reason != ReceiptEntry.nothingToAskWith))
  }
}
