/// Daily comparison of Apple's figures with the store's, and causes of the differences; see also `Payout`.
public struct Reconciliation: Sendable {
  /// Assumption about whether Apple counts subscriptions in grace as active, which Apple does not document.
  ///
  /// The assumption with the smaller sum of absolute differences of active subscriptions is used.
  public enum ActiveRule: String, Hashable, Sendable, Codable, CaseIterable {
    case withoutGrace = "without_grace"
    case withGrace = "with_grace"

    public var words: String {
      self == .withGrace
        ? "active includes subscriptions in grace" : "active excludes subscriptions in grace"
    }
  }

  public private(set) var rows: [ReconciledRow] = []
  public private(set) var totals: [ReconciledLine] = []
  /// Last compared day before any `final` row has a `rest` other than 0; `nil` if there is no such day.
  public private(set) var matchesThrough: CivilDate?
  public private(set) var matching: TransactionMatching
  public let matchedDays: Int
  public private(set) var missing: [MissingCustomer] = []
  public private(set) var missingTransactions: [TransactionKey: Int] = [:]
  public private(set) var activeRule = ActiveRule.withoutGrace
  /// Days that have a daily report, by kind.
  public let reportDays: [AppleReportKind: Set<CivilDate>]
  /// Number of Apple's events on `days` that belong to no figure, by name.
  public private(set) var otherEvents: [AppleMeasure: Int64] = [:]

  package let own: OwnFigures
  private var names: ReconciledNames
  private let repriced: [(part: CausePart, micros: Int128)]

  /// - Parameters:
  ///   - apple: Rows of the reports of `own.days` and of at least one day before and after; of subscriber
  ///     reports, also from `own.searchedFrom` on. Subscriber rows may be summed over subscribers.
  ///   - customers: Gets the transactions that the store lacks, and returns the subscriber rows, from a year
  ///     before `own.days` on, of all customers who have any of these transactions.
  public init<Failure: Error>(
    _ own: OwnFigures, _ apple: AppleRows, reports: [AppleReport],
    customers: (Set<TransactionKey>) throws(Failure) -> [DatedAppleRow]
  ) throws(Failure) {
    (self.own, names) = (own, own.names)
    let shapes = AppleShapes(apple, &names)
    reportDays = Dictionary(grouping: reports.filter { $0.from == $0.through }, by: \.kind).mapValues {
      Set($0.map(\.through))
    }
    let searched = own.searchedFrom...own.days.upperBound
    func dated(_ rows: [DatedAppleRow]) -> [(key: TransactionKey, row: AppleReportRow)] {
      rows.compactMap { entry in
        entry.report.kind == .subscriber && searched.contains(entry.row.day)
          ? TransactionKey(entry.row).map { (key: $0, row: entry.row) } : nil
      }
    }
    var counts: [TransactionKey: Int] = [:]
    apple.forEach(.subscriber) { entry, _ in
      guard var key = shapes[entry].transaction else { return }
      key.day = CivilDate(daysSince1970: entry.day)
      if searched.contains(key.day) { counts[key, default: 0] += Int(entry.count) }
    }
    let equal = EqualTransactions(apple: counts, ours: own.transactions)
    // Transactions of a day are complete only with the reports of the days around it.
    let subscriberDays = reportDays[.subscriber] ?? []
    func isKnown(_ day: CivilDate) -> Bool { Self.surrounding(day).isSubset(of: subscriberDays) }
    matching = TransactionMatching(equal) { own.days.contains($0) && isKnown($0) }
    matchedDays = own.allDays.count(where: isKnown)
    // Pairs need no reports of neighboring days, which would only add pairs.
    repriced = TransactionMatching(equal) { _ in true }.repricedSales(&names)
    let lacking = TransactionMatching(equal, of: isKnown).onlyApple
    let candidates = lacking.isEmpty ? [] : try customers(Set(lacking.keys))
    let unsigned = Set(own.transactions.keys.filter { $0.storefront == nil && !$0.isRefund }.map(\.product))
    missing = MissingCustomer.all(dated(candidates), lacking: lacking, unsigned: unsigned)
    let subscribers = Set(missing.map(\.subscriber))
    let rows = candidates.filter { $0.row.subscriber.map(subscribers.contains) == true }
    for (key, row) in dated(rows) {
      missingTransactions[key, default: 0] += max(1, Int(clamping: row.units.magnitude))
    }
    compare(apple, shapes, lacking: rows)
  }

  public var days: [CivilDate] { own.allDays }
  public var period: ClosedRange<CivilDate> { own.days }

  private static func surrounding(_ day: CivilDate) -> Set<CivilDate> {
    Set((-1...1).map { CivilDate(daysSince1970: day.daysSince1970 + $0) })
  }

  // MARK: Comparing

  private mutating func compare(_ apple: AppleRows, _ shapes: AppleShapes, lacking: [DatedAppleRow]) {
    let values = appleValues(apple, shapes)
    activeRule =
      ActiveRule.allCases.min { left, right in rest(values, left) < rest(values, right) } ?? .withoutGrace
    let ours = ownValues(activeRule)
    // A pair in `repriced` needs rows for both of its keys, which can differ in day, storefront and currency.
    let keys = Set(values.keys).union(ours.keys).union(repriced.map(\.part.key)).filter { isCompared($0) }
    let states = ReconciledFigure.allCases.map { figure in days.map { state(of: figure.source, on: $0) } }
    let first = own.days.lowerBound.daysSince1970
    rows = names.sorted(keys).map { key in
      let state = states[key.figure.place][Int(key.number) - first]
      return ReconciledRow(
        key, apple: state == .absent ? nil : values[key] ?? 0, ours: ours[key] ?? 0, state)
    }
    var backing = CauseBacking(own, apple, shapes, &names, lacking: lacking, repriced: repriced)
    explainProducts()
    explainStorefronts(&backing)
    markUnpaid()
    totals = lines()
    let compared = days.filter { day in reportDays.values.contains { $0.contains(day) } }
    let differing = Set(rows.filter { $0.state == .final && $0.rest != 0 }.map(\.key.day))
    matchesThrough = compared.prefix { !differing.contains($0) }.last
  }

  /// Marks unexplained differences that a later report may remove: Apple bills some renewals up to
  /// `graceDays` after their date, while the store may already have the payment.
  private mutating func markUnpaid() {
    guard let last = reportDays.values.joined().max() else { return }
    for place in rows.indices where rows[place].state == .final && rows[place].rest != 0 {
      let figure = rows[place].key.figure
      let isRunning = figure.isBalance && figure != .grace && figure != .billingRetry
      let isPaid = isRunning || [.renewed, .recovered, .transactions, .units, .sales].contains(figure)
      let isUnpaid = [.grace, .billingRetry, .enteredRetry].contains(figure)
      guard last.daysSince1970 - rows[place].key.day.daysSince1970 < OwnFigures.graceDays,
        isPaid && rows[place].rest < 0 || isUnpaid && rows[place].rest > 0
      else { continue }
      rows[place].state = .mayChange
    }
  }

  private func ownValues(_ rule: ActiveRule) -> [ReconciledKey: Int128] {
    guard rule == .withGrace else { return own.values }
    var values = own.values
    for (key, count) in own.values where key.figure == .grace {
      var active = key
      active.figure = .activeStandard
      values[active, default: 0] += count
    }
    return values
  }

  private func rest(_ values: [ReconciledKey: Int128], _ rule: ActiveRule) -> UInt128 {
    var differences: [ReconciledKey: Int128] = [:]
    for (key, count) in values where key.figure == .activeStandard { differences[key, default: 0] += count }
    for (key, count) in own.values
    where key.figure == .activeStandard || rule == .withGrace && key.figure == .grace {
      differences[key.with(.activeStandard), default: 0] -= count
    }
    return differences.reduce(0) { sum, difference in
      let (key, count) = difference
      let hasReport = reportDays[.subscription]?.contains(key.day) == true
      return isCompared(key) && hasReport ? sum + count.magnitude : sum
    }
  }

  private func isCompared(_ key: ReconciledKey) -> Bool {
    own.days.contains(key.day) && !(reportDays[key.figure.source] ?? []).isEmpty
  }

  public func state(of kind: AppleReportKind, on day: CivilDate) -> ReconciledRow.State {
    let reports = reportDays[kind] ?? []
    guard reports.contains(day) else { return .absent }
    // Events of a day can also be in the reports of the day before and after.
    let hasNeighbours = kind == .events || kind == .subscriber
    return !hasNeighbours || Self.surrounding(day).isSubset(of: reports) ? .final : .mayChange
  }

  private mutating func appleValues(_ apple: AppleRows, _ shapes: AppleShapes) -> [ReconciledKey: Int128] {
    var values: [ReconciledKey: Int128] = [:]
    func add(_ figure: ReconciledFigure, _ day: Int, _ entry: AppleRows.Entry, _ value: some BinaryInteger) {
      values[shapes.key(figure, day, entry), default: 0] += Int128(value)
    }
    apple.forEach(.subscription) { entry, through in
      if let figure = shapes[entry].balance { add(figure, through, entry, entry.units) }
    }
    apple.forEach(.events) { entry, _ in
      if let figure = shapes[entry].event {
        add(figure, entry.day, entry, entry.units)
      } else if own.days.contains(CivilDate(daysSince1970: entry.day)) {
        otherEvents[shapes[entry].measure, default: 0] += entry.units
      }
    }
    apple.forEach(.subscriber) { entry, _ in
      guard let key = shapes[entry].transaction else { return }
      add(key.isRefund ? .transactionRefunds : .transactions, entry.day, entry, entry.count)
    }
    // A report's day is when Apple billed.
    apple.forEach(.sales) { entry, through in
      if shapes[entry].measure == .sale { add(.units, through, entry, entry.units) }
      guard let amount = entry.amount, let figure = shapes[entry].money else { return }
      add(figure, through, entry, amount)
    }
    return values
  }

  /// Explains differences of Apple's rows without an SKU by opposite differences of products with an SKU.
  private mutating func explainProducts() {
    guard rows.contains(where: { $0.key.product == 0 }) else { return }
    let mapped = rows.indices.filter { rows[$0].key.product != 0 }
    var surplus = Dictionary(grouping: mapped) { rows[$0].key.anywhere }.mapValues { places in
      places.reduce(0) { $0 + rows[$1].rest }
    }
    let candidates = Dictionary(grouping: mapped) { rows[$0].key.ofAnyProduct }
    for unmapped in rows.indices where rows[unmapped].key.product == 0 {
      for place in candidates[rows[unmapped].key.ofAnyProduct] ?? [] {
        let key = rows[place].key
        guard key.storefront == 0 || key.storefront == rows[unmapped].key.storefront,
          let left = surplus[key.anywhere], left.signum() == 0 - rows[unmapped].rest.signum()
        else { continue }
        let bound = min(left.magnitude, rows[unmapped].rest.magnitude)
        let moved = rows[place].explain(.unmappedProduct, upTo: left.signum() * Int128(bound))
        rows[unmapped].explain(.unmappedProduct, exactly: 0 - moved)
        surplus[key.anywhere] = left - moved
      }
    }
  }

  /// Explains rows without a storefront by rows of the same product and day, then applies the other causes.
  private mutating func explainStorefronts(_ backing: inout CauseBacking) {
    let differing = backing.repriced.union(rows.lazy.filter { $0.rest != 0 }.map(\.key.anywhere))
    let places = rows.indices.filter { differing.contains(rows[$0].key.anywhere) }
    let groups = Dictionary(grouping: places) { rows[$0].key.anywhere }
    for (key, places) in groups {
      let unknown = places.first { rows[$0].key == key }
      if let unknown {
        let sign = rows[unknown].rest.signum()
        // The first pass spares differences that another cause can explain.
        for keepsBacked in [true, false] {
          for place in places where place != unknown {
            let kept = keepsBacked ? backing.sum(rows[place].key, sign: 0 - sign) : 0
            let free = min(0 - sign * rows[place].rest - kept, sign * rows[unknown].rest)
            guard free > 0 else { continue }
            rows[place].explain(.storefrontUnknown, exactly: 0 - sign * free)
            rows[unknown].explain(.storefrontUnknown, exactly: sign * free)
          }
        }
      }
      for place in places { backing.explain(&rows[place], backedBy: rows[place].key) }
      for place in places { backing.explain(&rows[place], backedBy: key) }
      // Backing with a storefront can explain the row without a storefront, and the reverse.
      guard unknown != nil else { continue }
      for place in places {
        for other in backing.storefronts[key] ?? [] { backing.explain(&rows[place], backedBy: other) }
      }
    }
  }
}

extension Reconciliation {
  /// Returns the sums by figure and currency, and by `split` if it is given.
  ///
  /// Unless the sums are split by day, a balance is that of the last day with a subscription report.
  public func lines(
    _ figures: [ReconciledFigure] = [], by split: ReconciledLine.Split? = nil
  ) -> [ReconciledLine] {
    let lastBalance = days.last { reportDays[.subscription]?.contains($0) == true }?.daysSince1970
    var lines: [ReconciledKey: ReconciledLine] = [:]
    var absent: [ReconciledKey: Set<Int32>] = [:]
    func line(_ key: ReconciledKey) -> ReconciledLine {
      ReconciledLine(key.figure, names.currency(of: key), key.part(split, names))
    }
    for row in rows where figures.isEmpty || figures.contains(row.key.figure) {
      let isOfLastDay = lastBalance.map { $0 == row.key.number } ?? false
      guard !row.key.figure.isBalance || split == .day || isOfLastDay else { continue }
      let key = row.key.part(split)
      if row.state == .absent {
        absent[key, default: []].insert(row.key.number)
      } else {
        lines[key, default: line(key)].add(row)
      }
    }
    for (key, days) in absent { lines[key, default: line(key)].absentDays = days.count }
    return lines.values.sorted { left, right in
      (left.figure.place, left.part ?? "", left.currency?.rawValue ?? "")
        < (right.figure.place, right.part ?? "", right.currency?.rawValue ?? "")
    }
  }

  /// Largest absolute `finalRest` among the figures that are counts, not amounts.
  public var largestRest: UInt128 {
    totals.filter { !$0.figure.isMoney }.compactMap { $0.finalRest?.magnitude }.max() ?? 0
  }
}

extension TransactionKey {
  /// Creates the key of a subscriber report's row; `nil` unless the row is a sale or a refund.
  ///
  /// Refunds match by product and day alone, because the store counts them without storefronts and prices.
  package init?(_ row: AppleReportRow) {
    switch row.measure {
    case .sale:
      self.init(
        day: row.day, product: row.product, storefront: row.storefront, price: row.price?.positive)
    case .refund:
      self.init(day: row.day, product: row.product, storefront: nil, price: nil, isRefund: true)
    default: return nil
    }
  }
}

extension ReconciledFigure {
  /// Parses Apple's name of a balance; `nil` if the store has no such figure.
  init?(balance measure: AppleMeasure) {
    let words = Set(AppleColumn.words(measure.rawValue))
    func has(_ all: String...) -> Bool { words.isSuperset(of: all) }
    if has("standard", "price") {
      self = .activeStandard
    } else if has("free", "trial") {
      self = .freeTrial
    } else if has("introductory") {
      self = .introductory
    } else if has("promotional") {
      self = .promotional
    } else if has("code") {
      self = .offerCode
    } else if has("win", "back") {
      self = .winBack
    } else if has("billing", "retry") {
      self = .billingRetry
    } else if has("grace", "period") {
      self = .grace
    } else {
      return nil
    }
  }

  /// Parses Apple's name of an event, such as `renewal from billing retry`; `nil` if no figure counts it.
  package init?(event measure: AppleMeasure) {
    let words = AppleColumn.words(measure.rawValue)
    let fromRetry = words.suffix(2) == ["billing", "retry"] && words.count > 2
    switch words.first {
    case "subscribe", "start": self = .started
    case "renew", "paid": self = .renewed
    case "renewal": self = fromRetry ? .recovered : .renewed
    case "upgrade", "downgrade", "crossgrade": self = fromRetry ? .recovered : .renewed
    case "reactivate", "reactivation": self = .reactivated
    case "cancel", "canceled": self = .canceled
    case "billing" where words.starts(with: ["billing", "retry"]): self = .enteredRetry
    case "refund": self = .refunded
    default: return nil
    }
  }

  init?(money measure: AppleMeasure) {
    switch measure {
    case .sale: self = .sales
    case .refund: self = .refunds
    case .credit: self = .credits
    default: return nil
    }
  }
}
