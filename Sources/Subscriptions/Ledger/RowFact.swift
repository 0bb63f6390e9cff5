/// What a transaction's row is counted as once.
public struct RowFact: Sendable {
  public enum AmountSource: Sendable {
    case none
    case proratedRefund
    case refund(ofPrice: Int64)
  }

  public var kind: FactClass
  public var date: RowDate
  public var amount = AmountSource.none

  public func sum(_ dates: RowDates) -> FactSum {
    switch amount {
    case .none: FactSum(count: 1)
    case .proratedRefund: FactSum(count: 1, micros: dates.proratedRefund ?? 0)
    case .refund(let price): FactSum(count: 1, micros: dates.partialRefund ?? price)
    }
  }
}

extension CountedRow {
  /// Everything that the row is counted as: METRICS §5. Rows that differ only in when and by how much are counted in the same classes.
  public var facts: [RowFact] {
    func fact(
      _ kind: FactKind, at date: RowDate, _ currency: CurrencyCode? = nil,
      _ amount: RowFact.AmountSource = .none
    ) -> RowFact {
      RowFact(
        kind: FactClass(kind, environment, product: product, currency: currency), date: date, amount: amount)
    }
    guard !isFamilyShared else { return [] }
    guard let kind else {
      // Another id of a purchase has no cancellation date of its own.
      let isRefunded = dates.expires == nil && dates.cancelled != nil
      return isRefunded ? [fact(.oneTimeRefund, at: .cancelled)] : []
    }
    let bought = FactKind.Bought(
      isPaid: kind.isPaid, arrival: arrival, isPastFirstYear: isPastFirstYear, isRefunded: isRefunded,
      priceMicros: price?.micros, app: app)
    // The price is told by the kind.
    var all = [fact(.bought(bought), at: .purchase, price?.currency)]
    if price == nil { all.append(fact(.unpriced, at: .purchase)) }
    if let change { all.append(fact(.change(change), at: .purchase)) }
    if let upgrade {
      if dates.upgraded == nil {
        all.append(fact(.undated, at: .purchase))
      } else {
        let isPriced = dates.proratedRefund != nil
        all.append(
          fact(
            .upgrade(upgrade.direction, isConfirmed: upgrade.isConfirmed), at: .upgraded,
            isPriced ? price?.currency : nil, isPriced ? .proratedRefund : .none))
      }
    }
    if dates.refunded != nil {
      all.append(
        fact(
          .refund(reason: refundReason), at: .refunded, price?.currency,
          price.map { .refund(ofPrice: $0.micros) } ?? .none))
    }
    guard let outcome else { return all }
    let result = PeriodResult(outcome, isPending: isPending)
    return all + [
      result.map { fact(.due($0, period), at: .expires) } ?? fact(.trialEnd(outcome), at: .effectiveEnd)
    ]
  }
}

extension CountedRow {
  var datedFacts: [Fact] {
    facts.compactMap { fact in dates[fact.date].map { Fact($0, fact.kind, fact.sum(dates)) } }
  }
}

extension PeriodResult {
  /// Nil of a trial.
  init?(_ outcome: PeriodOutcome, isPending: Bool) {
    switch outcome {
    case .renewed: self = .renewed
    case .recovered: self = .recovered
    case .unrenewed: self = isPending ? .pending : .lost
    case .converted, .convertedLate, .unconverted: return nil
    }
  }
}
