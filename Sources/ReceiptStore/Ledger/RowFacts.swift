import Subscriptions

/// A date of a transaction's row by which it is counted.
enum RowDate: Sendable { case purchase, expires, effectiveEnd, refunded, upgraded, cancelled }

/// The dates of a transaction's row, and the one amount that its shape does not tell.
struct RowDates: Hashable {
  var purchase: Instant
  var expires: Instant?
  var effectiveEnd: Instant?
  var refunded: Instant?
  var upgraded: Instant?
  var cancelled: Instant?
  /// Micros of the currency of the row's price.
  var proratedRefund: Int64?

  subscript(date: RowDate) -> Instant? {
    switch date {
    case .purchase: purchase
    case .expires: expires
    case .effectiveEnd: effectiveEnd
    case .refunded: refunded
    case .upgraded: upgraded
    case .cancelled: cancelled
    }
  }
}

/// What a transaction's row is counted as once.
struct RowFact: Sendable {
  enum Amount: Sendable {
    case none
    case micros(Int64)
    case proratedRefund
  }

  var kind: FactClass
  var date: RowDate
  var amount = Amount.none

  func sum(_ dates: RowDates) -> FactSum {
    switch amount {
    case .none: FactSum(count: 1)
    case .micros(let micros): FactSum(count: 1, micros: micros)
    case .proratedRefund: FactSum(count: 1, micros: dates.proratedRefund ?? 0)
    }
  }
}

/// Everything that a transaction's row is counted as: METRICS §5, from what was derived for it. Rows of one shape that have the same
/// dates are counted alike, at different instants.
struct RowFacts {
  let facts: [RowFact]

  /// What decides.
  struct Key: Hashable {
    let shape: Int64
    /// Which dates there are.
    private let dates: UInt8

    init(shape: Int64, _ dates: RowDates) {
      self.shape = shape
      let known = [
        dates.expires != nil, dates.refunded != nil, dates.upgraded != nil, dates.cancelled != nil,
        dates.proratedRefund != nil,
      ]
      self.dates = known.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }

  init(_ shape: TransactionShape, _ dates: RowDates) {
    let (row, derived) = (shape.transaction, shape.facts)
    func fact(
      _ family: FactFamily, at date: RowDate, _ detail: String = "", _ currency: CurrencyCode? = nil,
      _ amount: RowFact.Amount = .none
    ) -> RowFact {
      RowFact(
        kind: FactClass(
          family, shape.environment, product: row.productID, detail: detail, currency: currency),
        date: date, amount: amount)
    }
    guard row.inAppOwnershipType != .familyShared else {
      facts = []
      return
    }
    guard let kind = derived.kind else {
      // Another id of a purchase has no cancellation date of its own.
      let isRefunded = dates.expires == nil && dates.cancelled != nil
      facts = isRefunded ? [fact(.oneTimeRefund, at: .cancelled)] : []
      return
    }
    let (price, currency) = (derived.priceMicros, derived.currency)
    let bought = BoughtDetail(
      isPaid: kind.isPaid, arrival: derived.arrival ?? .initial,
      isPastFirstYear: derived.isPastFirstYear ?? false, isRefunded: dates.refunded != nil,
      priceMicros: price, app: derived.app)
    // The price is told by the detail.
    var all = [fact(.bought, at: .purchase, bought.text, currency)]
    if price == nil { all.append(fact(.unpriced, at: .purchase)) }
    if let direction = derived.changeDirection {
      all.append(fact(.change, at: .purchase, direction.rawValue))
    }
    if derived.upgraded == true {
      if dates.upgraded == nil {
        all.append(fact(.undated, at: .purchase))
      } else {
        let detail = UpgradeDetail(
          direction: derived.upgradeDirection ?? .unranked, isConfirmed: derived.upgradeConfirmed ?? false)
        let isPriced = dates.proratedRefund != nil
        all.append(
          fact(
            .upgrade, at: .upgraded, detail.text, isPriced ? currency : nil,
            isPriced ? .proratedRefund : .none)
        )
      }
    }
    if dates.refunded != nil {
      all.append(
        fact(
          .refund, at: .refunded, derived.refundReason ?? "", currency,
          price.map(RowFact.Amount.micros) ?? .none))
    }
    if let outcome = derived.outcome {
      let due = DueDetail(outcome: outcome, period: derived.period)
      all.append(
        kind == .trial
          ? fact(.trialEnd, at: .effectiveEnd, outcome.rawValue) : fact(.due, at: .expires, due.text))
    }
    facts = all
  }
}
