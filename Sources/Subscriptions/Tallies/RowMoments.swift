/// The instants at which a row adds to figures, and what it adds: what the store keeps beside each transaction.
public struct RowMoments: Hashable, Sendable {
  public var productID: ProductID
  public var kind: PeriodKind
  public var purchase: Instant
  public var expires: Instant
  public var effectiveEnd: Instant
  public var price: Money?
  public var arrival: Arrival
  public var isPastFirstYear: Bool
  public var outcome: PeriodOutcome?
  /// Of a refund, not of a revocation.
  public var refundedAt: Instant?
  public var refundReason: String?
  public var isUpgraded: Bool
  public var upgradedAt: Instant?
  public var isUpgradeConfirmed: Bool
  public var upgradeDirection: ChangeDirection?
  public var proratedRefundMicros: Int64?
  public var changeDirection: ChangeDirection?

  public init(
    productID: ProductID, kind: PeriodKind, purchase: Instant, expires: Instant, effectiveEnd: Instant,
    price: Money?, arrival: Arrival, isPastFirstYear: Bool, outcome: PeriodOutcome?, refundedAt: Instant?,
    refundReason: String?, isUpgraded: Bool, upgradedAt: Instant?, isUpgradeConfirmed: Bool,
    upgradeDirection: ChangeDirection?, proratedRefundMicros: Int64?, changeDirection: ChangeDirection?
  ) {
    self.productID = productID
    self.kind = kind
    self.purchase = purchase
    self.expires = expires
    self.effectiveEnd = effectiveEnd
    self.price = price
    self.arrival = arrival
    self.isPastFirstYear = isPastFirstYear
    self.outcome = outcome
    self.refundedAt = refundedAt
    self.refundReason = refundReason
    self.isUpgraded = isUpgraded
    self.upgradedAt = upgradedAt
    self.isUpgradeConfirmed = isUpgradeConfirmed
    self.upgradeDirection = upgradeDirection
    self.proratedRefundMicros = proratedRefundMicros
    self.changeDirection = changeDirection
  }

  init(_ row: Row) {
    self.init(
      productID: row.productID, kind: row.kind, purchase: row.purchase, expires: row.expires,
      effectiveEnd: row.effectiveEnd, price: row.price?.amount, arrival: row.arrival,
      isPastFirstYear: row.isPastFirstYear, outcome: row.outcome,
      refundedAt: row.isRefund ? row.refundedAt : nil,
      refundReason: row.isRefund ? row.transaction.cancellationReason : nil, isUpgraded: row.upgrade != nil,
      upgradedAt: row.upgrade?.instant, isUpgradeConfirmed: row.upgrade?.isConfirmed ?? false,
      upgradeDirection: row.upgrade?.direction,
      proratedRefundMicros: row.upgrade?.proratedRefund?.micros, changeDirection: row.change?.direction)
  }
}

extension RowMoments {
  /// - Parameter app: whose receipts hold the row's chain.
  public func marks(in environment: StoreEnvironment, app: BundleID?) -> [TallyMark] {
    func mark(
      _ family: TallyFamily, at t: Instant, _ detail: String = "", _ amount: Money? = nil
    ) -> TallyMark {
      TallyMark(
        t, TallyKey(family, environment, product: productID, detail: detail, currency: amount?.currency),
        TallyValue(count: 1, micros: amount?.micros ?? 0))
    }
    let bought = BoughtDetail(
      isPaid: kind.isPaid, arrival: arrival, isPastFirstYear: isPastFirstYear, isRefunded: refundedAt != nil,
      priceMicros: price?.micros, app: app)
    // The price is told by the detail.
    var boughtMark = mark(.bought, at: purchase, bought.text)
    boughtMark.key.currency = price?.currency
    var marks = [boughtMark]
    if price == nil { marks.append(mark(.unpriced, at: purchase)) }
    if let changeDirection { marks.append(mark(.change, at: purchase, changeDirection.rawValue)) }
    if isUpgraded { marks.append(upgradeMark(mark)) }
    if let refundedAt { marks.append(mark(.refund, at: refundedAt, refundReason ?? "", price)) }
    if let outcome {
      let isTrial = kind == .trial
      marks.append(mark(isTrial ? .trialEnd : .due, at: isTrial ? effectiveEnd : expires, outcome.rawValue))
    }
    return marks
  }

  private func upgradeMark(
    _ mark: (TallyFamily, Instant, String, Money?) -> TallyMark
  ) -> TallyMark {
    guard let upgradedAt else { return mark(.undated, purchase, "", nil) }
    let refund = proratedRefundMicros.flatMap { micros in
      price.map { Money(micros: micros, currency: $0.currency) }
    }
    let direction = (upgradeDirection ?? .unranked).rawValue
    return mark(.upgrade, upgradedAt, "\(direction) \(isUpgradeConfirmed ? "1" : "0")", refund)
  }
}

/// What a bought row is counted by, as `TallyKey.detail` spells it.
public struct BoughtDetail: Hashable, Sendable {
  public var isPaid: Bool
  public var arrival: Arrival
  public var isPastFirstYear: Bool
  public var isRefunded: Bool
  /// In the key's currency; nil is unpriced.
  public var priceMicros: Int64?
  public var app: BundleID?

  public var text: String {
    let price = priceMicros.map(String.init) ?? "-"
    return
      "\(isPaid ? "1" : "0") \(arrival.rawValue) \(isPastFirstYear ? "1" : "0") \(isRefunded ? "1" : "0") \(price) \(app?.rawValue ?? "")"
  }
}

extension BoughtDetail {
  /// Reads `text`.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard words.count == 6, let arrival = Arrival(rawValue: String(words[1])) else { return nil }
    self.init(
      isPaid: words[0] == "1", arrival: arrival, isPastFirstYear: words[2] == "1",
      isRefunded: words[3] == "1",
      priceMicros: Int64(words[4]), app: words[5].isEmpty ? nil : BundleID(String(words[5])))
  }
}
