/// Fact of a row, with the key path of its date and the source of its amount.
public struct RowFact: Sendable {
  public enum AmountSource: Sendable {
    case none
    /// Price of a paid row; the micros of the sum stay 0, because the fact's class contains the price.
    case price(Int64)
    case proratedRefund
    case refund(ofPrice: Int64)
  }

  public var kind: FactClass
  public var date: RowDate
  public var amount = AmountSource.none

  public func sum(_ dates: RowDates, _ exchange: ExchangeRates?) -> FactSum {
    var sum = FactSum(count: 1)
    switch amount {
    case .none: return sum
    case .price: break
    case .proratedRefund: sum.micros = Int128(dates.proratedRefund ?? 0)
    case .refund(let price): sum.micros = Int128(dates.partialRefund ?? price)
    }
    guard let exchange, let currency = kind.currency else { return sum }
    let conversion = exchange.conversion(of: currency, at: dates.purchase)
    guard case .price(let price) = amount else {
      sum.converted = conversion.of(sum.micros)
      return sum
    }
    func proceeds(_ commission: Commission) -> Int128 { conversion.of(commission.proceeds(of: price)).micros }
    sum.converted = conversion.of(price)
    sum.proceeds = ConvertedProceeds(standard: proceeds(.standard), reduced: proceeds(.smallBusiness))
    return sum
  }
}

extension CountedRow {
  /// All facts of the row (METRICS §5); their classes depend on whether dates are `nil`, not on their values.
  public var facts: [RowFact] {
    func fact(
      _ kind: FactKind, at date: RowDate, _ currency: CurrencyCode? = nil,
      _ amount: RowFact.AmountSource = .none, _ storefront: StorefrontCode? = nil
    ) -> RowFact {
      RowFact(
        kind: FactClass(kind, environment, product: product, currency: currency, storefront: storefront),
        date: date, amount: amount)
    }
    guard !isFamilyShared else { return [] }
    guard let kind else {
      // Duplicate ids have no kind either. They have an expiry, or lack a cancellation date.
      let isRefunded = dates.expires == nil && dates.cancelled != nil
      return isRefunded ? [fact(.oneTimeRefund, at: \.cancelled)] : []
    }
    let bought = FactKind.Bought(
      isPaid: kind.isPaid, arrival: arrival, isPastFirstYear: isPastFirstYear, isRefunded: isRefunded,
      priceMicros: price?.single, isPriceSigned: isPriceSigned, app: app)
    let sale = kind.isPaid ? price.map { RowFact.AmountSource.price($0.single) } : nil
    var all = [fact(.bought(bought), at: \.bought, price?.currency, sale ?? .none, storefront)]
    if price == nil { all.append(fact(.unpriced, at: \.bought)) }
    if let change { all.append(fact(.change(change), at: \.bought)) }
    if let upgrade {
      if dates.upgraded == nil {
        all.append(fact(.undated, at: \.bought))
      } else {
        let isPriced = dates.proratedRefund != nil
        all.append(
          fact(
            .upgrade(upgrade.direction, isConfirmed: upgrade.isConfirmed), at: \.upgraded,
            isPriced ? price?.currency : nil, isPriced ? .proratedRefund : .none))
      }
    }
    if dates.refunded != nil {
      all.append(
        fact(
          .refund(reason: refundReason), at: \.refunded, price?.currency,
          price.map { .refund(ofPrice: $0.single) } ?? .none))
    }
    guard let outcome else { return all }
    let result = PeriodResult(outcome, isPending: isPending)
    return all + [
      result.map { fact(.due($0, period), at: \.expires) } ?? fact(.trialEnd(outcome), at: \.effectiveEnd)
    ]
  }

  func datedFacts(_ exchange: ExchangeRates?) -> [Fact] {
    facts.compactMap { fact in
      dates[keyPath: fact.date].map { Fact($0, fact.kind, fact.sum(dates, exchange)) }
    }
  }
}

extension PeriodResult {
  /// Creates the result of a paid period; `nil` for a trial.
  init?(_ outcome: PeriodOutcome, isPending: Bool) {
    switch outcome {
    case .renewed: self = .renewed
    case .recovered: self = .recovered
    case .unrenewed: self = isPending ? .pending : .lost
    case .converted, .convertedLate, .unconverted: return nil
    }
  }
}
