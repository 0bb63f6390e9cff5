import Subscriptions

extension Sample {
  static var refunds: FigureValues {
    var figures = FigureValues()
    let products = [
      (weekly, 9, [usd(4491)]), (monthly, 3, [usd(2997)]), (european, 1, [eur(899)]),
      (yearly, 1, [usd(5999)]), (ProductID("com.example.legacy.gold"), 1, []),
    ].map { id, count, amount in
      var product = FigureValues(product: id)
      (product["count"], product[amounts: "amount"]) = (count, Amounts(amount))
      return product
    }
    for (path, count) in [
      ("count", 15), ("by_reason.app_issue", 3), ("by_reason.other", 11), ("by_reason.unknown", 1),
      ("unpriced", 1), ("one_time", 2), ("cohort.paid_transactions", 4812), ("cohort.refunded", 11),
    ] { figures[path] = count }
    figures[amounts: "amount"] = sum(products.map { $0[amounts: "amount"] })
    figures[share: "cohort.rate"] = 11.0 / 4812
    figures[parts: "by_product"] = products
    return figures
  }

  static var upgrades: FigureValues {
    var figures = FigureValues()
    for (path, count) in [
      ("immediate.upgrade", 9), ("immediate.crossgrade", 3), ("immediate.unranked", 1), ("confirmed", 5),
      ("estimated", 8), ("unpriced", 1), ("undated", 1), ("at_renewal.downgrade", 6),
      ("at_renewal.crossgrade", 2), ("pending", 17),
    ] { figures[path] = count }
    figures.upgrades = (0..<13).map(upgrade)
    figures[amounts: "prorated_refund"] = Amounts(
      figures.upgrades.compactMap { row in
        row.proratedRefundMicros.map { Money(micros: $0, currency: row.currency ?? CurrencyCode("USD")) }
      })
    return figures
  }

  private static func upgrade(_ index: Int) -> UpgradeEntry {
    let (from, to, kind): (ProductID, ProductID, ChangeDirection) =
      switch index {
      case 0..<9: (index % 3 == 0 ? monthly : weekly, index % 3 == 2 ? monthly : yearly, .upgrade)
      case 9..<12: (monthly, european, .crossgrade)
      default: (ProductID("com.example.legacy.gold"), yearly, .unranked)
      }
    let paid = price[from]?.0
    return UpgradeEntry(
      originalTransactionId: OriginalTransactionID("\(310_000_655_120_400 + index * 9_311)"),
      transactionId: TransactionID("\(310_001_655_120_400 + index * 9_313)"), fromProductId: from,
      toProductId: to,
      kind: kind, upgradedAtMs: now - Int64(index * 47 + 3) * Milliseconds.hour, confirmed: index % 5 < 2,
      price: paid, proratedRefundMicros: paid.map { $0.single * Int64(index + 2) / 20 })
  }

  static func addSales(to figures: inout FigureValues) {
    var (amount, proceeds) = (Amounts(), Amounts())
    for (product, bought, isOld) in [
      (weekly, 3120, false), (monthly, 1204, true), (monthly, 377, false), (yearly, 96, true),
    ] {
      guard let price = price[product]?.0 else { continue }
      let commission: Commission = isOld ? .afterOneYear : .standard
      amount.add(price, times: bought)
      proceeds.add(commission.proceeds(of: price), times: bought)
    }
    (figures["sales.transactions"], figures["sales.unpriced"]) = (4812, 15)
    (figures[amounts: "sales.amount"], figures[amounts: "sales.proceeds"]) = (amount, proceeds)
    figures["sales.after_one_year"] = 1300
  }

  static func events(_ rows: [LineEvent], count: Int? = nil) -> FigureValues {
    var figures = FigureValues()
    (figures["count"], figures.events) = (count ?? rows.count, rows)
    return figures
  }

  static var events: FigureValues {
    let kinds: [(LineEvent.Kind, String, String?)] = [
      (.renewal, "DID_RENEW", nil), (.initialPurchase, "SUBSCRIBED/INITIAL_BUY", nil),
      (.cancellation, "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "UNSUBSCRIBE"),
      (.renewal, "DID_RENEW", nil), (.billingIssue, "DID_FAIL_TO_RENEW/GRACE_PERIOD", "BILLING_ERROR"),
      (.renewal, "DID_RENEW/BILLING_RECOVERY", nil), (.expiration, "EXPIRED/VOLUNTARY", "UNSUBSCRIBE"),
      (.productChange, "DID_CHANGE_RENEWAL_PREF/UPGRADE", nil),
      (.cancellation, "REFUND", "CUSTOMER_SUPPORT"), (.resubscribe, "SUBSCRIBED/RESUBSCRIBE", nil),
      (.transfer, "", nil), (.subscriptionExtended, "RENEWAL_EXTENDED", nil),
      (.gracePeriodExpired, "GRACE_PERIOD_EXPIRED", nil), (.revoke, "REVOKE", nil),
      (.priceConsentPending, "PRICE_INCREASE/PENDING", nil), (.refundReversed, "REFUND_REVERSED", nil),
      (LineEvent.Kind("CONSUMPTION_REQUEST"), "", nil), (.overdue, "", nil),
    ]
    let rows = (0..<40).map { event($0, kinds[$0 % kinds.count]) }
    return events(rows, count: 1204)
  }

  private static func event(_ index: Int, _ kind: (LineEvent.Kind, String, String?)) -> LineEvent {
    let (type, apple, reason) = kind
    let at = now - Int64(index * 19 + 4) * Milliseconds.minute
    let isState = type == .billingIssue || apple.hasPrefix("DID_CHANGE_RENEWAL_STATUS")
    let product = [weekly, monthly, weekly, yearly][index % 4]
    var event = LineEvent(
      type, apple: apple, reason: reason, environment: .production,
      chain: OriginalTransactionID("\(310_000_655_120_400 + index * 4_127)"),
      transaction: isState ? nil : TransactionID("\(310_002_000_000_000 + index)"),
      product: product,
      newProduct: type == .productChange ? yearly : nil, effectiveAt: at,
      observedAt: at + Milliseconds.minute * Int64(3 + index % 7),
      observedAfter: isState ? at - 6 * Milliseconds.hour : nil)
    event.periodType = isState ? nil : "NORMAL"
    event.price = price[product].map {
      Money(micros: $0.0.single * event.priceSign, currency: $0.0.currency)
    }
    if event.priceSign == 0 { event.price = nil }
    event.isTrialConversion = index % 20 == 3
    event.isFamilyShare = type == .revoke
    event.flow = flow(of: event)
    event.appUserID = type == .transfer ? AppUserID("user-\(4821 + index)") : nil
    if index % 3 == 0 { event.notificationType = type == .renewal ? .didRenew : .didChangeRenewalStatus }
    return event
  }

  private static func flow(of event: LineEvent) -> Flow? {
    switch event.type {
    case .initialPurchase: .new
    case .resubscribe: .resubscribed
    case .expiration: .lost
    case .cancellation where event.reason == "CUSTOMER_SUPPORT": .lost
    case .gracePeriodExpired: .toRetry
    case .overdue: .toOverdue
    case .productChange: .expansion
    case .renewal where event.isTrialConversion: .converted
    case .renewal where event.appleName.subtype == "BILLING_RECOVERY": .recovered
    default: nil
    }
  }
}
