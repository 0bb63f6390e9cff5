/// Which rows of a line count at an instant that only moves on: a line of many rows is looked through once, and not once for
/// each of its phases.
struct StandingRows {
  private struct Turn {
    var at: Instant
    var place: Int
  }

  /// In order of purchase.
  private let rows: [Row]
  /// When each row that ends early does so, once it has begun.
  private let deaths: [Turn]
  private let refunds: [Turn]
  private var bought = 0
  private var died = 0
  private var paidBack = 0
  /// Of the live row that reaches farthest.
  private(set) var livePlace: Int?
  /// Of the refunded row that would have reached farthest, whether it has begun or not.
  private(set) var refundedPlace: Int?
  /// Of the row that has begun, is refunded or upgraded away, and would have reached farthest.
  private(set) var deadPlace: Int?

  init(_ rows: [Row]) {
    self.rows = rows
    deaths = Self.turns(rows) { row in row.deadFrom.map { max($0, row.purchase) } }
    refunds = Self.turns(rows, \.refundedAt)
  }

  private static func turns(_ rows: [Row], _ instant: (Row) -> Instant?) -> [Turn] {
    rows.enumerated().compactMap { place, row in instant(row).map { Turn(at: $0, place: place) } }
      .sorted { ($0.at, $0.place) < ($1.at, $1.place) }
  }

  mutating func move(to t: Instant) {
    while bought < rows.count, rows[bought].purchase <= t {
      if !rows[bought].isDead(at: t), livePlace.map({ Row.reachesLess(rows[$0], rows[bought]) }) ?? true {
        livePlace = bought
      }
      bought += 1
    }
    var isBereft = false
    while died < deaths.count, deaths[died].at <= t {
      deadPlace = farther(deadPlace, deaths[died].place)
      if livePlace == deaths[died].place { isBereft = true }
      died += 1
    }
    if isBereft {
      livePlace = (0..<bought).filter { !rows[$0].isDead(at: t) }.max { Row.reachesLess(rows[$0], rows[$1]) }
    }
    while paidBack < refunds.count, refunds[paidBack].at <= t {
      refundedPlace = farther(refundedPlace, refunds[paidBack].place)
      paidBack += 1
    }
  }

  /// Of two that reach equally far the first in order.
  private func farther(_ old: Int?, _ new: Int) -> Int {
    guard let old else { return new }
    if rows[old].expires == rows[new].expires { return min(old, new) }
    return rows[old].expires < rows[new].expires ? new : old
  }
}
