extension ReferenceModel {
  /// Line as known at t.
  struct Line: Sendable {
    var chain: Chain
    var group: String?
    var periods: [Period]
    /// Observations of P, the renewal info, oldest first.
    var snapshots: [Snapshot]
    var instant: Int
    var printed: JSON
    /// Positions from each instant at which they may change; empty before the first purchase.
    private(set) var course: [(from: Int, position: Position)] = []

    init(_ chain: Chain, _ index: Int, at instant: Int, prices: Prices) {
      let evidence = chain.lines[index]
      self.chain = chain
      group = evidence.group
      self.instant = instant
      printed = evidence.printed
      periods = evidence.rows.compactMap { row in
        row.end.map { Period(row: row, end: $0, price: prices.price(of: row)) }
      }
      .sorted { $1.isAfter($0) }
      snapshots = chain.snapshots(ofLine: index)
      dateUpgrades()
      countPaidDays()
      course = turningPoints.compactMap { moment in judged(at: moment).map { (moment, $0) } }
      findArrivals()
    }

    var isShared: Bool { periods.contains { $0.row.isShared } }

    /// Users of the line, or the chain if the app gave none.
    var users: [String] { chain.users.isEmpty ? ["chain \(chain.id) \(chain.isSandbox)"] : chain.users }

    func isOfGroup(of other: Line) -> Bool {
      group == other.group && (group != nil || chain.id == other.chain.id)
    }

    func position(at moment: Int) -> Position? { course.last { $0.from <= moment }?.position }

    var position: Position? { position(at: instant) }

    /// Renewal info P at t.
    var renewal: Renewal? {
      let last = snapshots.last { $0.at <= instant }
      return position.flatMap { position in last?.renewal(for: position.row) }
    }

    /// Purchase N: the first later one that is not dead from its start.
    func purchase(after moment: Int) -> Int? {
      periods.first { $0.row.start > moment && !$0.isDeadFromItsPurchase }?.row.start
    }
  }
}

extension [ReferenceModel.Period] {
  var longest: ReferenceModel.Period? { self.max { $1.isLastingLongerThan($0) } }
}
