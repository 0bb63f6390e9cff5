/// Evidence for the causes of differences: counts and amounts that limit how much each cause can explain.
struct CauseBacking: Sendable {
  fileprivate struct Amount: Sendable {
    let cause: DifferenceCause
    var amount: Int128
  }

  private let days: ClosedRange<Int>
  private var names: ReconciledNames
  /// A key has few causes, so an array is faster than a dictionary.
  private var amounts: [ReconciledKey: [Amount]] = [:]
  /// Keys, without their storefront, that have backing for `catalogPrice`.
  ///
  /// Their rows are explained even if `rest` is 0, because `catalogPrice` and `billedEarly` can cancel out.
  private(set) var repriced: Set<ReconciledKey> = []
  /// Keys that have backing, grouped by the key without its storefront.
  private(set) var storefronts: [ReconciledKey: [ReconciledKey]] = [:]

  /// - Parameters:
  ///   - apple: Rows of the reports of `own.days`, and of days before and after that can affect them.
  ///   - lacking: Transactions of customers whom the store lacks, also from days before `own.days`.
  ///   - repriced: Result of `TransactionMatching.repricedSales`.
  init(
    _ own: OwnFigures, _ apple: AppleRows, _ shapes: AppleShapes, _ known: inout ReconciledNames,
    lacking: [DatedAppleRow], repriced: [(part: CausePart, micros: Int128)]
  ) {
    (names, days) = (known, own.days.lowerBound.daysSince1970...own.days.upperBound.daysSince1970)
    let lackingRows = AppleRows(lacking)
    let lackingShapes = AppleShapes(lackingRows, &names)
    for (part, amount) in own.backing { add(part.cause, part.key, amount) }
    add(lacking: lacking)
    addBilledEarly(apple, shapes, 1)
    addBilledEarly(lackingRows, lackingShapes, -1)
    addCreditedEarly(apple, shapes, own)
    addUnpaid(apple, shapes)
    for (part, micros) in repriced { add(part.cause, part.key, micros) }
    addRepricedReturns(own, apple, shapes)
    known = names
    storefronts = Dictionary(grouping: names.sorted(amounts.keys), by: \.anywhere)
  }

  private mutating func add(_ cause: DifferenceCause, _ key: ReconciledKey, _ amount: Int128) {
    if cause == .catalogPrice { repriced.insert(key.anywhere) }
    amounts[key, default: []].add(amount, for: cause)
  }

  func sum(_ key: ReconciledKey, sign: Int128) -> Int128 {
    amounts[key]?.reduce(0) { $0 + max(0, sign * $1.amount) } ?? 0
  }

  /// Attributes the row's `rest` to causes in order, and subtracts these parts from the backing of `key`.
  mutating func explain(_ row: inout ReconciledRow, backedBy key: ReconciledKey) {
    guard row.rest != 0 || !repriced.isEmpty, let place = amounts.index(forKey: key) else { return }
    Self.explain(&row, &amounts.values[place])
  }

  private static func explain(_ row: inout ReconciledRow, _ backing: inout [Amount]) {
    offset(&row, &backing)
    for cause in DifferenceCause.allCases where row.rest != 0 {
      let bound = backing.amount(of: cause)
      guard bound != 0 else { continue }
      var part = row.explain(cause, upTo: bound)
      if part == 0 && hasEitherSign.contains(cause) { part = row.explain(cause, upTo: 0 - bound) }
      backing.add(bound < 0 ? Int128(part.magnitude) : 0 - Int128(part.magnitude), for: cause)
    }
  }

  /// Attributes opposite amounts to `catalogPrice` and `billedEarly`; they cancel out in the row's `rest`.
  private static func offset(_ row: inout ReconciledRow, _ backing: inout [Amount]) {
    let (price, early) = (backing.amount(of: .catalogPrice), backing.amount(of: .billedEarly))
    guard row.apple != nil, price.signum() * early.signum() < 0 else { return }
    let common = Int128(min(price.magnitude, early.magnitude))
    for (cause, amount) in [(DifferenceCause.catalogPrice, price), (.billedEarly, early)] {
      row.explain(cause, exactly: amount.signum() * common)
      backing.add(0 - amount.signum() * common, for: cause)
    }
  }

  private static let hasEitherSign: [DifferenceCause] = [.wholeDays, .rounding]

  /// Adds `notInStore` backing: transactions (for balances, subscriptions) of customers not in the store.
  private mutating func add(lacking: [DatedAppleRow]) {
    var holdings: [Holding: ClosedRange<Int>] = [:]
    func add(
      _ figure: ReconciledFigure, _ entry: DatedAppleRow, _ value: some BinaryInteger,
      _ currency: CurrencyCode? = nil
    ) {
      let (row, isSale) = (entry.row, figure.source == .sales)
      let day = isSale ? entry.report.through : row.day
      let key = names.key(figure, day.daysSince1970, row.product, row.storefront, currency)
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
      for day in days.clamped(to: bought.lowerBound...bought.upperBound + 366) {
        let place = names.key(.activeStandard, day, held.product, held.storefront)
        places[place, default: 0] += 1
      }
    }
    for (place, customers) in places {
      for figure in ReconciledFigure.allCases where figure.isBalance {
        self.add(.notInStore, place.with(figure), customers)
      }
    }
  }

  /// Customer, product and storefront of purchases that the store lacks.
  private struct Holding: Hashable {
    var subscriber: String
    var product: ProductID?
    var storefront: StorefrontCode
  }

  /// Adds backing for `billedEarly`, which moves sales from their date to the day on which Apple billed them.
  ///
  /// - Parameter factor: 1 to add the backing, -1 to subtract it.
  private mutating func addBilledEarly(_ apple: AppleRows, _ shapes: AppleShapes, _ factor: Int128) {
    apple.forEach(.subscriber) { entry, billed in
      guard entry.day != billed, shapes[entry].transaction?.isRefund == false else { return }
      for (day, sign) in [(billed, factor), (entry.day, 0 - factor)] {
        add(.billedEarly, shapes.key(.units, day, entry), sign * Int128(entry.count))
        if let amount = entry.amount { add(.billedEarly, shapes.key(.sales, day, entry), sign * amount) }
      }
    }
  }

  /// Adds `billedEarly` backing for credits of sales that were billed early and upgraded before their date.
  ///
  /// The moved amount is at most the excess of the store's credits on the sale's date, and at most the excess
  /// of Apple's credits on the billing day.
  private mutating func addCreditedEarly(_ apple: AppleRows, _ shapes: AppleShapes, _ own: OwnFigures) {
    // The store's credits have no storefront.
    var excess: [ReconciledKey: Int128] = [:]
    for (key, sum) in own.values where key.figure == .credits { excess[key.anywhere, default: 0] += sum }
    apple.forEach(.sales) { entry, billed in
      guard shapes[entry].money == .credits, let amount = entry.amount else { return }
      excess[shapes.key(.credits, billed, entry).anywhere, default: 0] -= amount
    }
    apple.forEach(.subscriber) { entry, billed in
      guard entry.day != billed, shapes[entry].transaction?.isRefund == false else { return }
      let dated = shapes.key(.credits, entry.day, entry).anywhere
      let early = dated.with(.credits, on: billed)
      let moved = min(entry.amount ?? 0, 0 - (excess[dated] ?? 0), excess[early] ?? 0)
      guard moved > 0 else { return }
      for (key, amount) in [(early, 0 - moved), (dated, moved)] {
        add(.billedEarly, key, amount)
        excess[key, default: 0] += amount
      }
    }
  }

  /// Adds backing for `paidLate` and `canceledUnpaid`, from Apple's events.
  ///
  /// Apple counts a late renewal as unpaid until it is billed; the store counts it as paid from its date.
  /// Apple ends a subscription canceled in grace at once; the store ends it after grace and billing retry.
  private mutating func addUnpaid(_ apple: AppleRows, _ shapes: AppleShapes) {
    let running = ReconciledFigure.allCases.filter { $0.isBalance && $0 != .grace && $0 != .billingRetry }
    apple.forEach(.events) { entry, through in
      let isOfGrace = shapes[entry].isOfGrace
      guard isOfGrace || shapes[entry].isOfRetry else { return }
      func add(_ cause: DifferenceCause, _ figures: [ReconciledFigure], _ numbers: Range<Int>, _ units: Int64)
      {
        for day in numbers.clamped(to: Range(days)) {
          for figure in figures { self.add(cause, shapes.key(figure, day, entry), Int128(units)) }
        }
      }
      let (day, units) = (entry.day, entry.units)
      switch shapes[entry].event {
      case .renewed?, .recovered?:
        let billed = max(day, through)
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

  /// Adds backing for `catalogPrice`: the differences of a day's refunds and credits.
  ///
  /// Apple and the store must have equally many. Also, either no purchase of the product has a storefront in
  /// the store, or the store's amounts lack one of Apple's currencies.
  private mutating func addRepricedReturns(_ own: OwnFigures, _ apple: AppleRows, _ shapes: AppleShapes) {
    var counts: [ReconciledKey: Int64] = [:]
    var returns: [ReconciledKey: [Int32: Int128]] = [:]
    apple.forEach(.sales) { entry, through in
      guard let figure = shapes[entry].money, figure != .sales, let amount = entry.amount else { return }
      var key = shapes.key(figure, through, entry).anywhere
      key.currency = 0
      counts[key, default: 0] += entry.count
      returns[key, default: [:]][shapes[entry].currency, default: 0] += amount
    }
    var ours: [ReconciledKey: [Int32: Int128]] = [:]
    for (key, micros) in own.values where key.figure == .refunds || key.figure == .credits {
      var day = key.anywhere
      day.currency = 0
      ours[day, default: [:]][key.currency, default: 0] += micros
    }
    let signed = Set(
      own.transactions.keys.filter { $0.storefront != nil }.map { names.number(of: $0.product) })
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

extension [CauseBacking.Amount] {
  fileprivate func amount(of cause: DifferenceCause) -> Int128 { first { $0.cause == cause }?.amount ?? 0 }

  fileprivate mutating func add(_ amount: Int128, for cause: DifferenceCause) {
    if let place = firstIndex(where: { $0.cause == cause }) {
      self[place].amount += amount
    } else {
      append(Element(cause: cause, amount: amount))
    }
  }
}
