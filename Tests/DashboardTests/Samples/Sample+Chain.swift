import Subscriptions

extension Sample {
  static let catalog = Catalog(
    [(weekly, 3), (monthly, 2), (yearly, 1)].compactMap { id, level in
      price[id].map { money, period in
        CatalogEntry(
          productID: id, subscriptionGroupID: SubscriptionGroupID("20411205"), level: level, period: period,
          offer: .standard, price: money, validFrom: nil)
      }
    })

  static func day(_ text: String) -> Instant { Instant(parsing: text) ?? .distantPast }

  static func transaction(
    _ id: Int, _ product: ProductID, _ from: String, _ until: String,
    of chain: OriginalTransactionID = OriginalTransactionID("310000831360853")
  ) -> Transaction {
    var transaction = Transaction(
      transactionID: TransactionID("\((Int(chain.rawValue) ?? 0) + id)"), originalTransactionID: chain,
      productID: product, purchaseDate: day(from), expiresDate: day(until))
    transaction.subscriptionGroupIdentifier = SubscriptionGroupID("20411205")
    transaction.webOrderLineItemID = WebOrderLineItemID("\(310_000_300_000_000 + id)")
    return transaction
  }

  /// Trial, two weekly periods, upgrade to monthly, refund, gap, two more months, and now billing retry.
  private static var transactions: [Transaction] {
    var rows = [
      transaction(0, weekly, "2026-05-01T09:00", "2026-05-08T09:00"),
      transaction(1, weekly, "2026-05-08T09:00", "2026-05-15T09:00"),
      transaction(2, weekly, "2026-05-15T09:00", "2026-05-22T09:00"),
      transaction(3, weekly, "2026-05-22T09:00", "2026-05-29T09:00"),
      transaction(4, monthly, "2026-05-25T15:00", "2026-06-25T15:00"),
      transaction(5, monthly, "2026-06-25T15:00", "2026-07-25T15:00"),
      transaction(6, monthly, "2026-09-12T18:30", "2026-10-12T18:30"),
      transaction(7, monthly, "2026-10-12T18:30", "2026-11-12T18:30"),
    ]
    rows[0].isTrialPeriod = true
    rows[3].isUpgraded = true
    rows[5].cancellationDate = day("2026-07-03T11:12")
    rows[5].cancellationReason = "0"
    return rows
  }

  private static var renewals: [RenewalObservation] {
    var info = RenewalInfo()
    info.originalTransactionID = OriginalTransactionID("310000831360853")
    info.productID = weekly
    info.autoRenewProductID = weekly
    info.autoRenewStatus = true
    var observations = [RenewalObservation(info: info, observedAt: day("2026-05-01T09:02"))]
    info.productID = monthly
    info.autoRenewProductID = monthly
    observations.append(
      RenewalObservation(
        info: info, observedAfter: day("2026-05-22T10:00"), observedAt: day("2026-05-26T10:00")))
    info.expirationIntent = .billingError
    info.isInBillingRetryPeriod = true
    observations.append(
      RenewalObservation(
        info: info, observedAfter: day("2026-11-11T18:31"), observedAt: day("2026-11-13T02:31")))
    return observations
  }

  private static var lamp: Transaction {
    Transaction(
      transactionID: TransactionID("310000831369999"),
      originalTransactionID: OriginalTransactionID("310000831360853"),
      productID: ProductID("com.example.coins.100"), purchaseDate: day("2026-06-01T20:15"))
  }

  static var chain: ChainReport {
    let chain = Chain(
      environment: .production, originalTransactionID: OriginalTransactionID("310000831360853"),
      transactions: transactions + [lamp], renewals: renewals, users: [AppUserID("user-4821")],
      validatedAt: now - 3 * Milliseconds.hour)
    let receipt = ReceiptEntry(
      id: ReceiptID(rawValue: 17), environment: .production, bundleId: BundleID("com.example.pro"),
      lastValidatedAtMs: now - 3 * Milliseconds.hour, lastStatus: 0, nextDueAtMs: now + 21 * Milliseconds.hour
    )
    var context = ChainContext(catalog: catalog)
    context.receipts = [receipt]
    context.introOfferUsedBy = { _ in TransactionID("310000831360853") }
    return ChainReport(chain, context, at: now)
  }

  /// Chain in two subscription groups.
  static var chainOfTwo: ChainReport {
    var other = transaction(20, ProductID("com.example.music"), "2026-11-01T09:00", "2026-12-01T09:00")
    other.subscriptionGroupIdentifier = SubscriptionGroupID("20999000")
    let chain = Chain(
      environment: .production, originalTransactionID: OriginalTransactionID("310000831360853"),
      transactions: transactions + [other], renewals: renewals, users: [AppUserID("user-4821")],
      validatedAt: now)
    return ChainReport(chain, ChainContext(catalog: catalog), at: now)
  }

  /// Sandbox chain of the same customer.
  static var otherChain: ChainReport {
    var first = transaction(0, yearly, "2026-11-20T08:00", "2026-11-21T08:30")
    first.originalTransactionID = OriginalTransactionID("2000000417")
    let chain = Chain(
      environment: .sandbox, originalTransactionID: OriginalTransactionID("2000000417"),
      transactions: [first],
      users: [AppUserID("user-4821")], validatedAt: now - 5 * Milliseconds.hour)
    return ChainReport(chain, ChainContext(catalog: catalog), at: now)
  }
}
