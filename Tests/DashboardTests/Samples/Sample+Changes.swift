import Subscriptions

extension Sample {
  static var refunds: RefundFigures {
    var figures = RefundFigures()
    figures.byProduct = [
      (weekly, 9, [usd(4491)]), (monthly, 3, [usd(2997)]), (european, 1, [eur(899)]),
      (yearly, 1, [usd(5999)]), (ProductID("com.example.legacy.gold"), 1, []),
    ].map { id, count, amount in
      var product = RefundFigures.ByProduct(productId: id)
      product.count = count
      product.amount = Amounts(amount)
      return product
    }
    figures.count = 15
    figures.amount = sum(figures.byProduct.map(\.amount))
    figures.unpriced = 1
    figures.oneTime = 2
    figures.byReason.appIssue = 3
    figures.byReason.other = 11
    figures.byReason.unknown = 1
    figures.cohort.paidTransactions = 4812
    figures.cohort.refunded = 11
    figures.cohort.rate = 11.0 / 4812
    return figures
  }

  static var upgrades: UpgradeFigures {
    var figures = UpgradeFigures()
    figures.immediate.upgrade = 9
    figures.immediate.crossgrade = 3
    figures.immediate.unranked = 1
    figures.confirmed = 5
    figures.estimated = 8
    figures.undated = 1
    figures.atRenewal.downgrade = 6
    figures.atRenewal.crossgrade = 2
    figures.pending = 17
    figures.rows = (0..<13).map(upgrade)
    figures.unpriced = 1
    figures.proratedRefund = Amounts(
      figures.rows.compactMap { row in
        row.proratedRefundMicros.map { Money(micros: $0, currency: row.currency ?? CurrencyCode("USD")) }
      })
    return figures
  }

  private static func upgrade(_ index: Int) -> UpgradeFigures.Entry {
    let (from, to, kind): (ProductID, ProductID, ChangeDirection) =
      switch index {
      case 0..<9: (index % 3 == 0 ? monthly : weekly, index % 3 == 2 ? monthly : yearly, .upgrade)
      case 9..<12: (monthly, european, .crossgrade)
      default: (ProductID("com.example.legacy.gold"), yearly, .unranked)
      }
    let paid = price[from]?.0
    return UpgradeFigures.Entry(
      originalTransactionId: OriginalTransactionID("\(310_000_655_120_400 + index * 9_311)"),
      transactionId: TransactionID("\(310_001_655_120_400 + index * 9_313)"), fromProductId: from,
      toProductId: to,
      kind: kind, upgradedAtMs: now - Int64(index * 47 + 3) * Milliseconds.hour, confirmed: index % 5 < 2,
      price: paid, proratedRefundMicros: paid.map { $0.single * Int64(index + 2) / 20 })
  }

  static var sales: SalesFigures {
    var figures = SalesFigures()
    for (product, bought, isOld) in [
      (weekly, 3120, false), (monthly, 1204, true), (monthly, 377, false), (yearly, 96, true),
    ] {
      figures.transactions += bought
      if isOld { figures.afterOneYear += bought }
      guard let price = price[product]?.0 else { continue }
      let commission: Commission = isOld ? .afterOneYear : .standard
      figures.amount.add(price, times: bought)
      figures.proceeds.add(commission.proceeds(of: price), times: bought)
    }
    figures.transactions += 15
    figures.unpriced = 15
    return figures
  }

  static var events: EventFigures {
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
    return EventFigures(count: 1204, rows: rows)
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
