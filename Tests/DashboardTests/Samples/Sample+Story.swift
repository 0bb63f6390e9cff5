import Subscriptions

extension Sample {
  private static let storyID = OriginalTransactionID("310000990000001")

  private static func period(_ id: Int, _ product: ProductID, _ from: String, _ until: String) -> Transaction
  {
    var period = transaction(id - 1, product, from, until, of: storyID)
    period.webOrderLineItemID = nil
    return period
  }

  private static var periods: [Transaction] {
    var rows = [
      period(1, weekly, "2025-06-01T09:00", "2025-06-08T09:00"),
      period(2, weekly, "2025-06-08T09:00", "2025-06-15T09:00"),
      period(3, monthly, "2025-06-11T20:30", "2025-07-11T20:30"),
      period(4, monthly, "2025-07-11T20:30", "2025-08-11T20:30"),
      period(5, monthly, "2025-08-20T07:00", "2025-09-20T07:00"),
      period(6, monthly, "2025-09-25T12:00", "2025-10-25T12:00"),
      period(7, yearly, "2026-02-10T10:00", "2027-03-10T10:00"),
    ]
    rows[0].isTrialPeriod = true
    rows[1].isUpgraded = true
    rows[1].cancellationDate = day("2025-06-11T20:30")
    rows[3].cancellationDate = day("2025-07-20T16:45")
    rows[3].cancellationReason = "1"
    rows[6].promotionalOfferID = "winback_2026"
    return rows
  }

  private static var coins: Transaction {
    var coins = Transaction(
      transactionID: TransactionID("310000990000050"), originalTransactionID: storyID,
      productID: ProductID("com.example.coins.100"), purchaseDate: day("2025-07-01T20:15"))
    coins.quantity = 3
    coins.cancellationDate = day("2025-07-04T08:00")
    return coins
  }

  private static var observations: [RenewalObservation] {
    var info = RenewalInfo()
    info.originalTransactionID = storyID
    info.productID = monthly
    info.autoRenewProductID = monthly
    info.autoRenewStatus = true
    info.expirationIntent = .billingError
    info.isInBillingRetryPeriod = true
    var seen = [
      RenewalObservation(
        info: info, observedAfter: day("2025-09-19T10:00"), observedAt: day("2025-09-21T10:00"))
    ]
    info.expirationIntent = nil
    info.isInBillingRetryPeriod = nil
    info.productID = yearly
    seen.append(
      RenewalObservation(
        info: info, observedAfter: day("2026-02-09T10:00"), observedAt: day("2026-02-11T10:00")))
    return seen
  }

  private static var notices: [ServerNotification] {
    func notice(
      _ type: NotificationType, _ id: Int?, _ product: ProductID, _ when: String
    ) -> ServerNotification {
      var notice = ServerNotification(
        type: type, environment: .production, originalTransactionID: storyID, observedAt: day(when))
      notice.transactionID = id.map { TransactionID("\(310_000_990_000_000 + $0)") }
      notice.productID = product
      return notice
    }
    var refund = notice(.refund, 4, monthly, "2025-07-20T16:46")
    refund.cancellationDate = day("2025-07-20T16:45")
    var preference = notice(.didChangeRenewalPref, nil, yearly, "2026-11-02T18:00")
    preference.autoRenewProductID = monthly
    preference.autoRenewStatus = true
    preference.autoRenewStatusChangeDate = day("2026-02-10T10:00")
    return [notice(.initialBuy, 1, weekly, "2025-06-01T09:01"), refund, preference]
  }

  /// Chain with every kind of detail.
  static var story: ChainReport {
    var chain = Chain(
      environment: .production, originalTransactionID: storyID, transactions: periods + [coins],
      renewals: observations, users: [AppUserID("user-77"), AppUserID("user-78")],
      validatedAt: now - 3 * Milliseconds.hour)
    chain.bundleID = BundleID("com.example.pro")
    chain.holders = [
      AppUserID("user-77"): day("2025-06-01T09:01"), AppUserID("user-78"): day("2026-03-01T11:00"),
    ]
    chain.notifications = notices
    for row in chain.transactions {
      chain.sightings[row.transactionID] = Sighting(
        first: row.purchaseDate + 2 * Milliseconds.hour, latest: row.purchaseDate + 2 * Milliseconds.hour)
    }
    var ends = periods[6].ends
    let extended = ends
    ends.expiresDate = day("2027-02-10T10:00")
    let asBought = ends
    ends.cancellationDate = day("2026-05-01T10:00")
    chain.endsHistory[periods[6].transactionID] = [
      EndsObservation(ends: asBought, from: day("2026-02-10T12:00"), through: day("2026-05-01T06:00")),
      EndsObservation(ends: ends, from: day("2026-05-01T12:00"), through: day("2026-05-09T12:00")),
      EndsObservation(ends: extended, from: day("2026-05-10T12:00"), through: now - 3 * Milliseconds.hour),
    ]
    var context = ChainContext(catalog: catalog)
    context.program = SmallBusinessProgram([
      BundleID("com.example.pro"): [.init(from: day("2025-09-01T00:00"))]
    ])
    context.introOfferUsedBy = { _ in periods[0].transactionID }
    return ChainReport(chain, context, at: now)
  }

  /// Chain with only one-time purchases.
  static var coinsAlone: ChainReport {
    var chain = Chain(
      environment: .production, originalTransactionID: storyID, transactions: [coins],
      validatedAt: now - 3 * Milliseconds.hour)
    let (bought, refunded) = (coins.purchaseDate, coins.cancellationDate)
    chain.sightings[coins.transactionID] = Sighting(first: bought, latest: refunded ?? bought)
    return ChainReport(chain, ChainContext(catalog: catalog), at: now)
  }
}
