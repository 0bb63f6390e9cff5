/// Apple's figures beside the store's, with the causes of each difference. Fiscal months are compared by
/// `Payout`.
public struct Reconciliation: Sendable {
  /// Content of Apple's count of active subscriptions, which Apple does not document. The variant with the
  /// smaller rest over all days is used.
  public enum ActiveRule: String, Hashable, Sendable, Codable, CaseIterable {
    case withoutGrace = "without_grace"
    case withGrace = "with_grace"

    public var words: String {
      self == .withGrace
        ? "active includes subscriptions in grace" : "active excludes subscriptions in grace"
    }
  }

  public private(set) var rows: [ReconciledRow] = []
  public private(set) var matching: TransactionMatching
  public private(set) var missing: [MissingCustomer] = []
  public private(set) var activeRule = ActiveRule.withoutGrace
  /// Days of each kind of report.
  public let reportDays: [AppleReportKind: Set<CivilDate>]
  /// Events of Apple's reports that belong to no figure, with their numbers.
  public private(set) var otherEvents: [AppleMeasure: Int64] = [:]

  private let own: OwnFigures
  private var apple: [DatedAppleRow]

  /// - Parameters:
  ///   - apple: Rows of the reports of these days, and of the day before and after.
  ///   - earlier: Returns the earlier rows of missing customers, whose subscriptions may still be active.
  public init<Failure: Error>(
    _ own: OwnFigures, _ apple: [DatedAppleRow], reports: [AppleReport],
    earlier: ([MissingCustomer]) throws(Failure) -> [DatedAppleRow]
  ) throws(Failure) {
    (self.own, self.apple) = (own, apple)
    reportDays = Dictionary(grouping: reports.filter { $0.from == $0.through }, by: \.kind).mapValues {
      Set($0.map(\.through))
    }
    let dated = apple.compactMap { entry in
      entry.report.kind == .subscriber && own.days.contains(entry.row.day)
        ? TransactionKey(entry.row).map { (key: $0, row: entry.row) } : nil
    }
    var counts: [TransactionKey: Int] = [:]
    for (key, row) in dated { counts[key, default: 0] += max(1, Int(clamping: row.units.magnitude)) }
    // Only days whose transactions are all known take part.
    let subscriberDays = reportDays[.subscriber] ?? []
    let known = Set(Self.all(own.days).filter { Self.surrounding($0).isSubset(of: subscriberDays) })
    matching = TransactionMatching(
      apple: counts.filter { known.contains($0.key.day) },
      ours: own.transactions.filter { known.contains($0.key.day) })
    missing = MissingCustomer.all(dated, lacking: matching.onlyApple)
    if !missing.isEmpty { self.apple += try earlier(missing) }
    compare()
  }

  public var days: [CivilDate] { Self.all(own.days) }

  private static func all(_ days: ClosedRange<CivilDate>) -> [CivilDate] {
    (days.lowerBound.daysSince1970...days.upperBound.daysSince1970).map { CivilDate(daysSince1970: $0) }
  }

  private static func surrounding(_ day: CivilDate) -> Set<CivilDate> {
    Set((-1...1).map { CivilDate(daysSince1970: day.daysSince1970 + $0) })
  }

  // MARK: Comparing

  private mutating func compare() {
    let values = appleValues()
    activeRule =
      ActiveRule.allCases.min { left, right in rest(values, left) < rest(values, right) } ?? .withoutGrace
    let ours = ownValues(activeRule)
    var backing = own.backing
    addMissing(to: &backing)
    addBilledEarly(to: &backing)
    addUnpaid(to: &backing)
    for (key, micros) in matching.repricedSales {
      backing[.init(cause: .catalogPrice, key: key), default: 0] += micros
    }
    let keys = Set(values.keys).union(ours.keys).filter { isCompared($0) }
    rows = keys.sorted(by: ReconciledKey.inOrder).map { key in
      var row = ReconciledRow(key, apple: apple(values, key), ours: ours[key] ?? 0, state(of: key))
      for cause in DifferenceCause.allCases where !Self.needsStorefronts.contains(cause) {
        guard let rows = backing[.init(cause: cause, key: key)], rows != 0 else { continue }
        backing[.init(cause: cause, key: key)] = rows - row.explain(cause, upTo: rows)
      }
      return row
    }
    explainProducts()
    explainStorefronts()
    for place in rows.indices {
      var key = rows[place].key
      key.storefront = nil
      for cause in Self.needsStorefronts {
        guard let bound = backing[.init(cause: cause, key: key)] else { continue }
        for bound in [bound, 0 - bound] { _ = rows[place].explain(cause, upTo: bound) }
      }
    }
    markUnpaid()
  }

  /// Marks rests that a later report of Apple's may remove: it bills renewals up to `graceDays` after their
  /// date, and the store may have seen the payment already.
  private mutating func markUnpaid() {
    guard let last = reportDays.values.joined().max() else { return }
    for place in rows.indices where rows[place].state == .final {
      let figure = rows[place].key.figure
      let isRunning = figure.isBalance && figure != .grace && figure != .billingRetry
      let isPaid = isRunning || [.renewed, .recovered, .transactions, .units, .sales].contains(figure)
      let isUnpaid = [.grace, .billingRetry, .enteredRetry].contains(figure)
      guard last.daysSince1970 - rows[place].key.day.daysSince1970 < Self.graceDays,
        isPaid && rows[place].rest < 0 || isUnpaid && rows[place].rest > 0
      else { continue }
      rows[place].state = .mayChange
    }
  }

  /// Causes of differences between refunds and credits. The store has no storefront of these.
  private static let needsStorefronts: [DifferenceCause] = [.wholeDays, .rounding]

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

  /// Sum of the differences of active subscriptions without regard to their sign.
  private func rest(_ values: [ReconciledKey: Int128], _ rule: ActiveRule) -> UInt128 {
    let ours = ownValues(rule)
    return Set(values.keys).union(ours.keys).reduce(0) { sum, key in
      guard key.figure == .activeStandard, reportDays[.subscription]?.contains(key.day) == true else {
        return sum
      }
      return sum + ((values[key] ?? 0) - (ours[key] ?? 0)).magnitude
    }
  }

  private func isCompared(_ key: ReconciledKey) -> Bool {
    own.days.contains(key.day) && !(reportDays[key.figure.source] ?? []).isEmpty
  }

  private func apple(_ values: [ReconciledKey: Int128], _ key: ReconciledKey) -> Int128? {
    state(of: key) == .absent ? nil : values[key] ?? 0
  }

  private func state(of key: ReconciledKey) -> ReconciledRow.State {
    state(of: key.figure.source, on: key.day)
  }

  public func state(of kind: AppleReportKind, on day: CivilDate) -> ReconciledRow.State {
    let reports = reportDays[kind] ?? []
    guard reports.contains(day) else { return .absent }
    // Events of a day can also be in the reports of the day before and after.
    let hasNeighbours = kind == .events || kind == .subscriber
    return !hasNeighbours || Self.surrounding(day).isSubset(of: reports) ? .final : .mayChange
  }

  private mutating func appleValues() -> [ReconciledKey: Int128] {
    var values: [ReconciledKey: Int128] = [:]
    for entry in apple {
      let row = entry.row
      func add(
        _ figure: ReconciledFigure, _ day: CivilDate, _ value: some BinaryInteger,
        _ currency: CurrencyCode? = nil
      ) {
        let key = ReconciledKey(
          figure, day, product: row.product, storefront: row.storefront, currency: currency)
        values[key, default: 0] += Int128(value)
      }
      switch entry.report.kind {
      case .subscription:
        if let figure = ReconciledFigure(balance: row.measure) {
          add(figure, entry.report.through, row.units)
        }
      case .events:
        if let figure = ReconciledFigure(event: row.measure) {
          add(figure, row.day, row.units)
        } else if own.days.contains(row.day) {
          otherEvents[row.measure, default: 0] += row.units
        }
      case .subscriber:
        guard let key = TransactionKey(row) else { continue }
        let count = max(1, row.units.magnitude)
        add(key.isRefund ? .transactionRefunds : .transactions, row.day, count)
      case .sales:
        // A report's day is when Apple billed.
        let day = entry.report.through
        if row.measure == .sale { add(.units, day, row.units) }
        guard let amount = row.amount, let figure = ReconciledFigure(money: row.measure) else { continue }
        add(figure, day, amount.micros, amount.currency)
      case .financial, .financeDetail: continue
      }
    }
    return values
  }

  // MARK: Causes

  /// Adds the transactions of missing customers, and for balances the customers themselves.
  private func addMissing(to backing: inout [OwnFigures.Backing: Int128]) {
    let ids = Set(missing.map(\.subscriber))
    var balances: [ReconciledKey: Set<String>] = [:]
    func add(
      _ figure: ReconciledFigure, _ entry: DatedAppleRow, _ value: some BinaryInteger,
      _ currency: CurrencyCode? = nil
    ) {
      let (row, isSale) = (entry.row, figure.source == .sales)
      let key = ReconciledKey(
        figure, isSale ? entry.report.through : row.day, product: row.product, storefront: row.storefront,
        currency: currency)
      backing[.init(cause: .notInStore, key: key), default: 0] += Int128(value)
    }
    for entry in apple where entry.report.kind == .subscriber {
      let row = entry.row
      guard let subscriber = row.subscriber, ids.contains(subscriber), let key = TransactionKey(row) else {
        continue
      }
      let count = max(1, row.units.magnitude)
      guard !key.isRefund else {
        for figure in [ReconciledFigure.transactionRefunds, .refunded] { add(figure, entry, count) }
        if let amount = row.amount { add(.refunds, entry, amount.micros, amount.currency) }
        continue
      }
      let events: [ReconciledFigure] = [.transactions, .units, .started, .renewed, .recovered, .reactivated]
      for figure in events { add(figure, entry, count) }
      if let amount = row.amount { add(.sales, entry, amount.micros, amount.currency) }
      for day in days where day >= row.day && day.daysSince1970 <= row.day.daysSince1970 + 366 {
        for figure in ReconciledFigure.allCases where figure.isBalance {
          let place = ReconciledKey(figure, day, product: row.product, storefront: row.storefront)
          balances[place, default: []].insert(subscriber)
        }
      }
    }
    for (key, customers) in balances {
      backing[.init(cause: .notInStore, key: key), default: 0] += Int128(customers.count)
    }
  }

  /// Adds what Apple billed on a day other than the date of the sale, by the subscriber reports of these days.
  private func addBilledEarly(to backing: inout [OwnFigures.Backing: Int128]) {
    for entry in apple where entry.report.kind == .subscriber && entry.row.day != entry.report.through {
      guard let key = TransactionKey(entry.row), !key.isRefund else { continue }
      let count = Int128(max(1, entry.row.units.magnitude))
      for (day, sign) in [(entry.report.through, Int128(1)), (entry.row.day, -1)] {
        let (product, storefront) = (entry.row.product, entry.row.storefront)
        let units = ReconciledKey(.units, day, product: product, storefront: storefront)
        backing[.init(cause: .billedEarly, key: units), default: 0] += sign * count
        guard let amount = entry.row.amount else { continue }
        let sales = ReconciledKey(
          .sales, day, product: product, storefront: storefront, currency: amount.currency)
        backing[.init(cause: .billedEarly, key: sales), default: 0] += sign * amount.micros
      }
    }
  }

  /// Adds renewals that were paid late, and subscriptions that were canceled while unpaid, by Apple's events.
  /// Apple counts the former as unpaid until it bills them; the store as paid from their date. Apple ends the
  /// latter at once; the store at the end of grace and billing retry.
  private func addUnpaid(to backing: inout [OwnFigures.Backing: Int128]) {
    let running = ReconciledFigure.allCases.filter { $0.isBalance && $0 != .grace && $0 != .billingRetry }
    for entry in apple where entry.report.kind == .events {
      let words = AppleColumn.words(entry.row.measure.rawValue)
      let isOfGrace = words.suffix(2) == ["grace", "period"]
      guard isOfGrace || words.suffix(2) == ["billing", "retry"] else { continue }
      func add(_ cause: DifferenceCause, _ figures: [ReconciledFigure], _ days: Range<Int>, _ units: Int64) {
        for number in days {
          let day = CivilDate(daysSince1970: number)
          guard own.days.contains(day) else { continue }
          for figure in figures {
            let key = ReconciledKey(figure, day, product: entry.row.product, storefront: entry.row.storefront)
            backing[.init(cause: cause, key: key), default: 0] += Int128(units)
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
        let end = day + Self.unpaidDays
        add(.canceledUnpaid, [.canceled], day..<day + 1, units)
        add(.canceledUnpaid, [.canceled], day + 1..<end, 0 - units)
        add(.canceledUnpaid, [.grace, .billingRetry, .enteredRetry], day..<end, 0 - units)
      default: break
      }
    }
  }

  /// Days of the longest grace period and billing retry.
  package static let unpaidDays = graceDays + 60
  /// Days of the longest grace period, after which Apple may still bill a renewal.
  package static let graceDays = 28

  /// Explains Apple's rows of products without an SKU, and the store's rows that they may be.
  private mutating func explainProducts() {
    for unmapped in rows.indices where rows[unmapped].key.product == nil {
      let missing = rows[unmapped].rest
      rows[unmapped].explain(.unmappedProduct, exactly: missing)
      var left = missing
      for place in rows.indices where left != 0 && rows[place].key.product != nil {
        var key = rows[place].key
        key.product = nil
        if key.storefront == nil { key.storefront = rows[unmapped].key.storefront }
        guard key == rows[unmapped].key, rows[place].apple == 0 else { continue }
        left += rows[place].explain(.unmappedProduct, upTo: 0 - left)
      }
    }
  }

  /// Moves what is left of rows without a storefront to the rows of the same product and day that have one.
  private mutating func explainStorefronts() {
    let places = Dictionary(grouping: rows.indices) { place in
      var key = rows[place].key
      key.storefront = nil
      return key
    }
    for (key, places) in places {
      guard let unknown = places.first(where: { rows[$0].key == key }) else { continue }
      for place in places where place != unknown && rows[unknown].rest != 0 {
        let moved = rows[place].explain(.storefrontUnknown, upTo: 0 - rows[unknown].rest)
        rows[unknown].explain(.storefrontUnknown, exactly: 0 - moved)
      }
    }
  }
}

extension TransactionKey {
  /// Key of a row of a subscriber report; `nil` for an upgrade credit, which is no transaction of its own.
  /// Refunds match by product and day, since the store knows neither their storefront nor a single price.
  init?(_ row: AppleReportRow) {
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
  /// - Returns: `nil` for a count that the store has no figure for.
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

  /// Reads the name of an event as a sentence: what happened, then where from.
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
