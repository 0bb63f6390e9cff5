/// Cursor that finds the current row of a line at ascending instants, in a single pass over the rows.
struct CurrentRowCursor {
  private struct RowEnding {
    var at: Instant
    var place: Int
  }

  private let rows: [Row]
  /// Instants from which rows are dead, in order.
  ///
  /// A refund or an upgrade before the row's purchase is dated by the purchase.
  private let endings: [RowEnding]
  private let refunds: [RowEnding]
  private var nextPurchase = 0
  private var nextEnding = 0
  private var nextRefund = 0
  /// Index of the live row with the latest expiry.
  private(set) var livePlace: Int?
  /// Index of the refunded row with the latest expiry, even if the row has not begun.
  private(set) var refundedPlace: Int?
  /// Index of the row with the latest expiry among the begun rows that were refunded or upgraded away.
  private(set) var deadPlace: Int?

  init(_ rows: [Row]) {
    self.rows = rows
    endings = Self.sorted(rows) { row in row.deadFrom.map { max($0, row.purchase) } }
    refunds = Self.sorted(rows, \.refundedAt)
  }

  private static func sorted(_ rows: [Row], _ instant: (Row) -> Instant?) -> [RowEnding] {
    rows.enumerated().compactMap { place, row in instant(row).map { RowEnding(at: $0, place: place) } }
      .sorted { ($0.at, $0.place) < ($1.at, $1.place) }
  }

  mutating func move(to t: Instant) {
    while nextPurchase < rows.count, rows[nextPurchase].purchase <= t {
      if !rows[nextPurchase].isDead(at: t),
        livePlace.map({ Row.reachesLess(rows[$0], rows[nextPurchase]) }) ?? true
      {
        livePlace = nextPurchase
      }
      nextPurchase += 1
    }
    var lostLiveRow = false
    while nextEnding < endings.count, endings[nextEnding].at <= t {
      deadPlace = farther(deadPlace, endings[nextEnding].place)
      if livePlace == endings[nextEnding].place { lostLiveRow = true }
      nextEnding += 1
    }
    if lostLiveRow {
      livePlace = (0..<nextPurchase).filter { !rows[$0].isDead(at: t) }.max {
        Row.reachesLess(rows[$0], rows[$1])
      }
    }
    while nextRefund < refunds.count, refunds[nextRefund].at <= t {
      refundedPlace = farther(refundedPlace, refunds[nextRefund].place)
      nextRefund += 1
    }
  }

  private func farther(_ old: Int?, _ new: Int) -> Int {
    guard let old else { return new }
    if rows[old].expires == rows[new].expires { return min(old, new) }
    return rows[old].expires < rows[new].expires ? new : old
  }
}
