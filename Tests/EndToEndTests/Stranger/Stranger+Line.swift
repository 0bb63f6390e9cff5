extension Stranger {
  /// A row with what follows from its line's other rows.
  struct Period: Sendable {
    var row: Row
    var end: Int
    var price: Price?
    var successor: Row?
    /// Upgrade instant; nil where it is not known, or the row is not upgraded away.
    var upgradedAt: Int?
    /// How it came about: initial, renewal, recovery, unattributed or reactivation.
    var arrival = ""
    /// Paid days of its line before it are a year or more.
    var isPastFirstYear = false

    var id: String { row.id }
    var isTrial: Bool { row.kind == "trial" }
    /// A refund, or on a shared row a revocation.
    var refundedAt: Int? { row.isUpgraded ? nil : row.cancelled }
    var diesAt: Int? { row.isUpgraded ? upgradedAt ?? row.start : refundedAt }
    var effectiveEnd: Int { min(end, diesAt ?? end) }

    func isRefunded(at instant: Int) -> Bool { refundedAt.map { $0 <= instant } ?? false }
    func isLive(at instant: Int) -> Bool { row.start <= instant && (diesAt.map { $0 > instant } ?? true) }

    var proratedRefund: Int? {
      guard row.isUpgraded, let upgradedAt, let price, end > row.start else { return nil }
      if isTrial { return 0 }
      let part = Exactly.divided(Int128(price.micros) * Int128(end - upgradedAt), by: Int128(end - row.start))
      return max(0, min(price.micros, part))
    }

    /// c of its proceeds, in percent; nil where nothing was paid.
    var commission: Int? { isTrial ? nil : isPastFirstYear ? 15 : 30 }

    var proceeds: Int? {
      guard let commission, let price else { return nil }
      return Exactly.divided(Int128(price.micros) * Int128(100 - commission), by: 100)
    }

    func isAfter(_ other: Period) -> Bool {
      (row.start, end, row.number) > (other.row.start, other.end, other.row.number)
    }

    func isLastingLongerThan(_ other: Period) -> Bool {
      (end, row.start, row.number) > (other.end, other.row.start, other.row.number)
    }
  }

  /// One subscription at t.
  struct Line: Sendable {
    var chain: Chain
    var group: String?
    var periods: [Period]
    var renewals: [Renewal]
    var instant: Int
    var printed: JSON

    init(_ chain: Chain, _ index: Int, at instant: Int, prices: Prices) {
      let evidence = chain.lines[index]
      self.chain = chain
      group = evidence.group
      renewals = evidence.renewals
      self.instant = instant
      printed = evidence.printed
      periods = evidence.rows.compactMap { row in
        row.end.map { Period(row: row, end: $0, price: prices.price(of: row)) }
      }
      .sorted { $1.isAfter($0) }
      dateUpgrades()
      findArrivals()
      countPaidDays()
    }

    /// Its users, or itself where the app gave none.
    var users: [String] { chain.users.isEmpty ? ["chain \(chain.id) \(chain.isSandbox)"] : chain.users }

    /// Without a group, the chain is its own.
    func isOfGroup(of other: Line) -> Bool {
      group == other.group && (group != nil || chain.id == other.chain.id)
    }

    func current(at instant: Int) -> Period? {
      func longest(_ some: [Period]) -> Period? { some.max { $1.isLastingLongerThan($0) } }
      return longest(periods.filter { $0.isLive(at: instant) })
        ?? longest(periods.filter { $0.isRefunded(at: instant) })
        ?? longest(periods.filter { $0.row.isUpgraded })
    }

    var current: Period? { current(at: instant) }

    /// P: of what was last observed, the element of the current row's product. Where there are several and none is of
    /// it, METRICS chooses none of them; the program takes the last by product.
    func renewal(at instant: Int) -> Renewal? {
      let last = renewals.map(\.observedAt).filter { $0 <= instant }.max()
      let seen = renewals.filter { $0.observedAt == last }
      return seen.first { $0.product == current(at: instant)?.row.product } ?? seen.last
    }

    var renewal: Renewal? { renewal(at: instant) }
  }
}
