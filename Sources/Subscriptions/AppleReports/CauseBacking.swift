/// Evidence for the causes of differences: counts and amounts that limit how much each cause can explain.
struct CauseBacking: Sendable {
  private let days: [CivilDate]
  private var amounts: [ReconciledKey: [DifferenceCause: Int128]] = [:]
  /// Keys that have backing, grouped by the key without its storefront.
  private(set) var storefronts: [ReconciledKey: [ReconciledKey]] = [:]

  /// - Parameters:
  ///   - apple: Rows of the reports of `own.days`, of the day before and of the day after.
  ///   - lacking: Transactions of customers whom the store lacks, also from days before `own.days`.
  ///   - repriced: Value of `TransactionMatching.repricedSales`.
  init(
    _ own: OwnFigures, _ apple: [DatedAppleRow], lacking: [DatedAppleRow],
    repriced: [(part: CausePart, micros: Int128)]
  ) {
    days = own.allDays
    for (part, amount) in own.backing { add(part.cause, part.key, amount) }
    add(lacking: lacking)
    addBilledEarly(apple, 1, own)
    addBilledEarly(lacking, -1, own)
    addUnpaid(apple)
    for (part, micros) in repriced { add(part.cause, part.key, micros) }
    addRepricedReturns(own, apple)
    storefronts = Dictionary(grouping: amounts.keys, by: \.anywhere)
      .mapValues { $0.sorted(by: ReconciledKey.inOrder) }
  }

  private mutating func add(_ cause: DifferenceCause, _ key: ReconciledKey, _ amount: Int128) {
    amounts[key, default: [:]][cause, default: 0] += amount
  }

  /// Returns the sum of a key's backing amounts that have the given sign, as an absolute value.
  func sum(_ key: ReconciledKey, sign: Int128) -> Int128 {
    amounts[key]?.values.reduce(0) { $0 + max(0, sign * $1) } ?? 0
  }

  /// Explains the row's rest, cause by cause, and subtracts the explained parts from the backing of `key`.
  mutating func explain(_ row: inout ReconciledRow, backedBy key: ReconciledKey) {
    guard var backing = amounts[key] else { return }
    Self.offset(&row, &backing)
    for cause in DifferenceCause.allCases where row.rest != 0 {
      guard let bound = backing[cause], bound != 0 else { continue }
      var part = row.explain(cause, upTo: bound)
      if part == 0 && Self.hasEitherSign.contains(cause) { part = row.explain(cause, upTo: 0 - bound) }
      backing[cause] = bound < 0 ? bound + Int128(part.magnitude) : bound - Int128(part.magnitude)
    }
    amounts[key] = backing
  }

  /// Attributes opposite amounts to `catalogPrice` and `billedEarly`, which cancel out in the row's rest.
  private static func offset(_ row: inout ReconciledRow, _ backing: inout [DifferenceCause: Int128]) {
    let (price, early) = (backing[.catalogPrice] ?? 0, backing[.billedEarly] ?? 0)
    guard row.apple != nil, price.signum() * early.signum() < 0 else { return }
    let common = Int128(min(price.magnitude, early.magnitude))
    for (cause, amount) in [(DifferenceCause.catalogPrice, price), (.billedEarly, early)] {
      row.explain(cause, exactly: amount.signum() * common)
      backing[cause] = amount - amount.signum() * common
    }
  }

  private static let hasEitherSign: [DifferenceCause] = [.wholeDays, .rounding]

  /// Adds the backing of the cause `notInStore`.
  ///
  /// It consists of the transactions of customers whom the store lacks and, for balances, of their
  /// subscriptions.
  private mutating func add(lacking: [DatedAppleRow]) {
    var holdings: [Holding: ClosedRange<Int>] = [:]
    func add(
      _ figure: ReconciledFigure, _ entry: DatedAppleRow, _ value: some BinaryInteger,
      _ currency: CurrencyCode? = nil
    ) {
      let (row, isSale) = (entry.row, figure.source == .sales)
      let key = ReconciledKey(
        figure, isSale ? entry.report.through : row.day, product: row.product, storefront: row.storefront,
        currency: currency)
      self.add(.notInStore, key, Int128(value))
    }
    for entry in lacking {
      let row = entry.row
      guard let subscriber = row.subscriber, let key = TransactionKey(row) else { continue }
      let count = max(1, row.units.magnitude)
      guard !key.isRefund else {
        for figure in [ReconciledFigure.transactionRefunds, .refunded] { add(figure, entry, count) }
        if let amount = row.amount { add(.refunds, entry, amount.micros, amount.currency) }
        continue
      }
      let events: [ReconciledFigure] = [.transactions, .units, .started, .renewed, .recovered, .reactivated]
      for figure in events { add(figure, entry, count) }
      if let amount = row.amount { add(.sales, entry, amount.micros, amount.currency) }
      let held = Holding(subscriber: subscriber, product: row.product, storefront: row.storefront)
      let day = row.day.daysSince1970
      let known = holdings[held] ?? day...day
      holdings[held] = min(known.lowerBound, day)...max(known.upperBound, day)
    }
    // A purchase may be for a period of up to a year, so its subscription may still be active.
    var places: [ReconciledKey: Int128] = [:]
    for (held, bought) in holdings {
      for day in days where (bought.lowerBound...bought.upperBound + 366).contains(day.daysSince1970) {
        let place = ReconciledKey(.activeStandard, day, product: held.product, storefront: held.storefront)
        places[place, default: 0] += 1
      }
    }
    for (place, customers) in places {
      for figure in ReconciledFigure.allCases where figure.isBalance {
        var key = place
        key.figure = figure
        self.add(.notInStore, key, customers)
      }
    }
  }

  /// Customer, product and storefront of purchases that the store lacks.
  private struct Holding: Hashable {
    var subscriber: String
    var product: ProductID?
    var storefront: StorefrontCode
  }

  /// Adds `factor` times the sales that Apple billed on a day other than their date.
  ///
  /// If an upgrade replaced such a sale before its date, the credit for the sale is added, too.
  private mutating func addBilledEarly(_ apple: [DatedAppleRow], _ factor: Int128, _ own: OwnFigures) {
    for entry in apple where entry.report.kind == .subscriber && entry.row.day != entry.report.through {
      guard let key = TransactionKey(entry.row), !key.isRefund else { continue }
      let count = Int128(max(1, entry.row.units.magnitude))
      for (day, sign) in [(entry.report.through, factor), (entry.row.day, 0 - factor)] {
        let (product, storefront) = (entry.row.product, entry.row.storefront)
        let units = ReconciledKey(.units, day, product: product, storefront: storefront)
        self.add(.billedEarly, units, sign * count)
        guard let amount = entry.row.amount else { continue }
        let sales = ReconciledKey(
          .sales, day, product: product, storefront: storefront, currency: amount.currency)
        self.add(.billedEarly, sales, sign * amount.micros)
        // The store's credits have no storefront.
        var credit = ReconciledKey(.credits, entry.row.day, product: product, currency: amount.currency)
        guard own.values[credit] ?? 0 <= 0 - amount.micros else { continue }
        credit.day = day
        self.add(.billedEarly, credit, 0 - sign * amount.micros)
      }
    }
  }

  /// Adds late payments and cancellations of unpaid subscriptions, from Apple's events.
  ///
  /// Apple counts a late renewal as unpaid until it is billed; the store counts it as paid from its date.
  /// Apple ends a canceled subscription at once; the store ends it after grace and billing retry.
  private mutating func addUnpaid(_ apple: [DatedAppleRow]) {
    let running = ReconciledFigure.allCases.filter { $0.isBalance && $0 != .grace && $0 != .billingRetry }
    var known: [AppleMeasure: [String]] = [:]
    for entry in apple where entry.report.kind == .events {
      let words = known[entry.row.measure] ?? AppleColumn.words(entry.row.measure.rawValue)
      known[entry.row.measure] = words
      let isOfGrace = words.suffix(2) == ["grace", "period"]
      guard isOfGrace || words.suffix(2) == ["billing", "retry"] else { continue }
      func add(_ cause: DifferenceCause, _ figures: [ReconciledFigure], _ numbers: Range<Int>, _ units: Int64)
      {
        for number in numbers {
          let day = CivilDate(daysSince1970: number)
          guard days.contains(day) else { continue }
          for figure in figures {
            let key = ReconciledKey(figure, day, product: entry.row.product, storefront: entry.row.storefront)
            self.add(cause, key, Int128(units))
          }
        }
      }
      let (day, units) = (entry.row.day.daysSince1970, entry.row.units)
      switch ReconciledFigure(event: entry.row.measure) {
      case .renewed?, .recovered?:
        let billed = max(day, entry.report.through.daysSince1970)
        add(.paidLate, [isOfGrace ? .grace : .billingRetry], day..<billed, units)
        add(.paidLate, running, day..<billed, 0 - units)
      case .canceled? where isOfGrace:
        let end = day + OwnFigures.unpaidDays
        add(.canceledUnpaid, [.canceled], day..<day + 1, units)
        add(.canceledUnpaid, [.canceled], day + 1..<end, 0 - units)
        add(.canceledUnpaid, [.grace, .billingRetry, .enteredRetry], day..<end, 0 - units)
      default: break
      }
    }
  }

  /// Adds the differences of a product's refunds and credits on a day to the cause `catalogPrice`.
  ///
  /// Both sides must have the same number of refunds or credits. The store must also lack the storefronts of
  /// the product's purchases, or one of Apple's currencies.
  private mutating func addRepricedReturns(_ own: OwnFigures, _ apple: [DatedAppleRow]) {
    var counts: [ReconciledKey: Int64] = [:]
    var returns: [ReconciledKey: [CurrencyCode: Int128]] = [:]
    for entry in apple where entry.report.kind == .sales {
      guard let figure = ReconciledFigure(money: entry.row.measure), figure != .sales,
        let amount = entry.row.amount
      else { continue }
      let key = ReconciledKey(figure, entry.report.through, product: entry.row.product)
      counts[key, default: 0] += max(1, Int64(clamping: entry.row.units.magnitude))
      returns[key, default: [:]][amount.currency, default: 0] += Int128(amount.micros)
    }
    var ours: [ReconciledKey: [CurrencyCode: Int128]] = [:]
    for (key, micros) in own.values where key.figure == .refunds || key.figure == .credits {
      guard let currency = key.currency else { continue }
      let day = ReconciledKey(key.figure, key.day, product: key.product)
      ours[day, default: [:]][currency, default: 0] += micros
    }
    let signed = Set(own.transactions.keys.filter { $0.storefront != nil }.map(\.product))
    for (key, apple) in returns where own.returns[key] == counts[key] {
      let ours = ours[key] ?? [:]
      guard !signed.contains(key.product) || apple.keys.contains(where: { ours[$0] == nil }) else { continue }
      for currency in Set(apple.keys).union(ours.keys) {
        var part = key
        part.currency = currency
        add(.catalogPrice, part, (apple[currency] ?? 0) - (ours[currency] ?? 0))
      }
    }
  }
}
