import Subscriptions
import TestSupport

/// What airlytics calls a purchase: a sequence of periods, ended by a gap of more than 7 days, another product, a refund
/// or a trial that begins; or one purchase that does not renew.
struct AirlyticsPurchase {
  var rows: [Row] = []
  var oneTime: Transaction?
  /// Of the line that the rows belong to, at the answer's own time.
  var verdict: Verdict?

  var start: Instant { rows.first?.purchase ?? oneTime?.purchaseDate ?? .distantPast }
  var product: ProductID? { rows.last?.productID ?? oneTime?.productID }
  /// The item of its first period, which airlytics names it by.
  var id: String? { rows.first?.transaction.webOrderLineItemID?.rawValue }
  var upgrade: Upgrade? { rows.last?.upgrade }
  var trial: Row? { rows.first { $0.kind == .trial } }
  var paidPeriods: Int { rows.count(where: \.kind.isPaid) + (oneTime == nil ? 0 : 1) }

  /// Whether it gives access now.
  var isActive: Bool {
    guard let verdict, [.active, .trial, .grace].contains(verdict.state) else { return false }
    return rows.contains { $0.id == verdict.current.id }
  }

  /// What was paid less what came back, in micros; nil where something is unpriced.
  var revenue: Int64? {
    rows.reduce(0 as Int64?) { sum, row in
      guard let sum, let price = row.price?.amount.micros else { return nil }
      return sum + price - (row.isRefund ? price : 0) - (row.upgrade?.proratedRefund?.micros ?? 0)
    }
  }

  static func all(in answer: Answer, _ catalog: Catalog) -> [AirlyticsPurchase] {
    let oneTime = answer.chains.flatMap(\.oneTime).map { AirlyticsPurchase(oneTime: $0) }
    let renewing = answer.lines(catalog).flatMap { sequences(of: $0, at: answer.now) }
    return (oneTime + renewing).sorted { $0.start < $1.start }
  }

  private static func sequences(of line: Line, at t: Instant) -> [AirlyticsPurchase] {
    var all: [AirlyticsPurchase] = []
    for row in line.rows {
      if let last = all.last?.rows.last, last.productID == row.productID, last.refundedAt == nil,
        row.kind != .trial, row.purchase <= last.expires + 7.days
      {
        all[all.count - 1].rows.append(row)
      } else {
        all.append(AirlyticsPurchase(rows: [row], verdict: line.verdict(at: t)))
      }
    }
    return all
  }
}
