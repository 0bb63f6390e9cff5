/// The store's figures for a reconciliation, by Pacific day.
public struct OwnFigures: Sendable {
  public private(set) var days: ClosedRange<CivilDate>
  /// First day of `transactions`, no later than `days.lowerBound`.
  let searchedFrom: CivilDate
  private(set) var names = ReconciledNames()
  private(set) var values: [ReconciledKey: Int128] = [:]
  private(set) var backing: [CausePart: Int128] = [:]
  public private(set) var transactions: [TransactionKey: Int] = [:]
  private(set) var returns: [ReconciledKey: Int64] = [:]

  /// Reads balances, events and transactions of production.
  ///
  /// - Parameter earlier: Number of days before `days` whose transactions are also read.
  public init<L: Ledger>(_ ledger: L, days: ClosedRange<CivilDate>, earlier: Int = 0) throws(L.Failure) {
    self.days = days
    searchedFrom = CivilDate(daysSince1970: days.lowerBound.daysSince1970 - earlier)
    var balances: [PositionClass: Int64] = [:]
    // Apple's reports of the first day contain the ends of billing retry of the day before.
    let first = min(searchedFrom.daysSince1970, days.lowerBound.daysSince1970 - 1)
    var end = PacificTime.start(of: CivilDate(daysSince1970: first)) - 1
    func enter(_ changes: [ChangeClass: ChangeSum]) {
      for (kind, sum) in changes where kind.new.environment == .production {
        balances[kind.new, default: 0] += sum.lines
        if let old = kind.old { balances[old, default: 0] -= sum.lines }
      }
    }
    enter(try ledger.changes(after: nil, through: end))
    for number in first...days.upperBound.daysSince1970 {
      let day = CivilDate(daysSince1970: number)
      let (from, through) = (end, PacificTime.end(of: day))
      end = through
      let changes = try ledger.changes(after: from, through: through)
      enter(changes)
      for (kind, sum) in changes where kind.new.environment == .production { add(kind, sum, number) }
      if day >= days.lowerBound {
        for (kind, count) in balances where count != 0 { add(balance: kind, count, number) }
      }
      guard day >= searchedFrom else { continue }
      for (kind, sum) in try ledger.facts(.bought, after: from, through: through) {
        add(sale: kind, sum, day)
      }
      for (kind, sum) in try ledger.facts(.refund, after: from, through: through) {
        guard kind.environment == .production else { continue }
        add(.refunded, number, kind, sum.count)
        add(.transactionRefunds, number, kind, sum.count)
        add(.refunds, number, kind, in: kind.currency, 0 - sum.micros)
        returns[names.key(.refunds, number, kind.product), default: 0] += sum.count
        back(.rounding, .refunds, number, kind.product, kind.currency, Self.halfCent * Int128(sum.count))
        let key = TransactionKey(
          day: day, product: kind.product, storefront: nil, price: nil, isRefund: true)
        transactions[key, default: 0] += Int(clamping: sum.count)
      }
      for (kind, sum) in try ledger.facts(.upgrade, after: from, through: through)
      where kind.environment == .production {
        add(.credits, number, kind, in: kind.currency, 0 - sum.micros)
        returns[names.key(.credits, number, kind.product), default: 0] += sum.count
      }
    }
  }

  var allDays: [CivilDate] {
    (days.lowerBound.daysSince1970...days.upperBound.daysSince1970).map { CivilDate(daysSince1970: $0) }
  }

  /// Maximum days of grace and billing retry together.
  package static let unpaidDays = graceDays + 60
  /// Maximum days of grace, during which Apple may still bill a renewal.
  package static let graceDays = 28

  public func returned(from first: CivilDate, through last: CivilDate) -> [Money] {
    values.compactMap { key, micros in
      guard [.refunds, .credits].contains(key.figure), (first...last).contains(key.day) else { return nil }
      return names.currency(of: key).map { Money(micros: micros, currency: $0) }
    }
  }

  private mutating func add(balance kind: PositionClass, _ count: Int64, _ day: Int) {
    let running = kind.kind.runningFigure
    let place = names.key(running, day, kind.product, kind.storefront)
    func key(_ figure: ReconciledFigure) -> ReconciledKey { place.with(figure) }
    switch kind.state {
    case .active, .trial: values[key(running), default: 0] += Int128(count)
    case .grace: values[key(.grace), default: 0] += Int128(count)
    case .billingRetry: values[key(.billingRetry), default: 0] += Int128(count)
    case .overdue:
      for figure in [running, .grace, .billingRetry, .enteredRetry, .canceled] {
        backing[CausePart(cause: .overdue, key: key(figure)), default: 0] += Int128(count)
      }
    case .unattributed:
      for figure in [ReconciledFigure.grace, .billingRetry, .enteredRetry, .canceled] {
        backing[CausePart(cause: .unobservedGap, key: key(figure)), default: 0] += Int128(count)
      }
    case .revoked, .expired: break
    }
  }

  private static let halfCent: Int128 = 5000

  private mutating func back(
    _ cause: DifferenceCause, _ figure: ReconciledFigure, _ day: Int, _ product: ProductID,
    _ currency: CurrencyCode?, _ micros: Int128
  ) {
    guard let currency else { return }
    let key = names.key(figure, day, product, nil, currency)
    backing[CausePart(cause: cause, key: key), default: 0] += micros
  }

  private mutating func add(_ change: ChangeClass, _ sum: ChangeSum, _ day: Int) {
    let count = sum.lines
    let place = names.key(.canceled, day, change.new.product, change.new.storefront)
    func key(_ figure: ReconciledFigure, _ day: Int) -> ReconciledKey { place.with(figure, on: day) }
    if change.old?.state == .unattributed {
      // The gap ended during the day, so the balance at the day's end does not include it.
      for figure in [ReconciledFigure.enteredRetry, .canceled] {
        backing[CausePart(cause: .unobservedGap, key: key(figure, day)), default: 0] += Int128(count)
      }
    }
    switch change.flow {
    case .lost?, .trialLost?:
      guard change.new.state != .revoked else { break }
      values[key(.canceled, day), default: 0] += Int128(count)
      guard change.old?.state == .billingRetry else { break }
      // Apple dates the end of billing retry a day later, so its counts are higher on the next day.
      backing[CausePart(cause: .retryEnd, key: key(.canceled, day + 1)), default: 0] += Int128(count)
      backing[CausePart(cause: .retryEnd, key: key(.canceled, day)), default: 0] -= Int128(count)
      backing[CausePart(cause: .retryEnd, key: key(.billingRetry, day)), default: 0] += Int128(count)
    case .expansion?, .contraction?, .exchanged?:
      // The store's upgrade credit differs from Apple's by less than the price of a day.
      guard let old = change.old else { break }
      back(.wholeDays, .credits, day, old.product, old.currency, sum.monthlyBefore / 28 + Self.halfCent)
    case .toRetry?, .trialToRetry?: values[key(.enteredRetry, day), default: 0] += Int128(count)
    default: break
    }
  }

  private mutating func add(sale kind: FactClass, _ sum: FactSum, _ date: CivilDate) {
    let day = date.daysSince1970
    guard kind.environment == .production, case .bought(let bought) = kind.kind else { return }
    for figure in [ReconciledFigure.units, .transactions] { add(figure, day, kind, sum.count) }
    let figure: ReconciledFigure? =
      switch bought.arrival {
      case .initial: .started
      case .renewal: .renewed
      case .recovery: .recovered
      case .reactivation: .reactivated
      case .unattributed: nil
      }
    if let figure {
      add(figure, day, kind, sum.count)
    } else {
      for figure in [ReconciledFigure.renewed, .recovered, .reactivated] {
        let key = names.key(figure, day, kind.product, kind.storefront)
        backing[CausePart(cause: .unobservedGap, key: key), default: 0] += Int128(sum.count)
      }
    }
    let price = bought.priceMicros.flatMap { micros in
      kind.currency.map { Money(micros: micros, currency: $0) }
    }
    if let price { add(.sales, day, kind, in: price.currency, price.micros * Int128(sum.count)) }
    let key = TransactionKey(
      day: date, product: kind.product, storefront: kind.storefront, price: price?.positive)
    transactions[key, default: 0] += Int(clamping: sum.count)
  }

  private mutating func add(
    _ figure: ReconciledFigure, _ day: Int, _ kind: FactClass, in currency: CurrencyCode? = nil,
    _ value: some BinaryInteger
  ) {
    guard !figure.isMoney || currency != nil else { return }
    let key = names.key(figure, day, kind.product, kind.storefront, currency)
    values[key, default: 0] += Int128(value)
  }
}

extension PeriodKind {
  /// Balance in which Apple counts a running subscription of this kind.
  var runningFigure: ReconciledFigure {
    switch self {
    case .trial: .freeTrial
    case .standard: .activeStandard
    case .intro: .introductory
    case .promo: .promotional
    case .code: .offerCode
    case .winback: .winBack
    }
  }
}

extension Money {
  /// The amount; `nil` for 0, because some data omits the price of free transactions.
  var positive: Money? { micros == 0 ? nil : self }
}
