/// Which rows of a line count at an instant that only moves on: a line of many rows is looked through once, and not once for
/// each of its phases.
struct StandingRows {
  private struct RowEnding {
    var at: Instant
    var place: Int
  }

  /// In order of purchase.
  private let rows: [Row]
  /// When each row that ends early does so, once it has begun.
  private let endings: [RowEnding]
  private let refunds: [RowEnding]
  private var nextPurchase = 0
  private var nextEnding = 0
  private var nextRefund = 0
  /// Of the live row that reaches farthest.
  private(set) var livePlace: Int?
  /// Of the refunded row that would have reached farthest, whether it has begun or not.
  private(set) var refundedPlace: Int?
  /// Of the row that has begun, is refunded or upgraded away, and would have reached farthest.
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

  /// Of two that reach equally far the first in order.
  private func farther(_ old: Int?, _ new: Int) -> Int {
    guard let old else { return new }
    if rows[old].expires == rows[new].expires { return min(old, new) }
    return rows[old].expires < rows[new].expires ? new : old
  }
}
