import GRDB
import Subscriptions

/// Count or amount of one UTC day in production, for charts; not a ratio, because ratios of several stores
/// cannot be added up.
package struct DailyFigure: Hashable, Sendable {
  /// Panel and path of the figure, as in `report PANEL --format json`; for example, `active.mrr`.
  package var figure: String
  /// Product id; empty for all products.
  package var product = ""
  /// Currency of an amount, whose value is in micros; empty for a count.
  package var currency = ""
  package var value: Int64
}

extension PublishedSnapshot {
  private static let panels: [Panel] = [.active, .billingRetry, .churn, .refunds, .upgrades]

  /// Returns a range of UTC days (numbered from 1970) with every day that ended, or whose figures may have
  /// changed, since the last publication; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - last: Last day with published figures; `nil` to return every day.
  ///   - count: Maximum number of days; the newest are returned.
  package func changedDays(
    after last: Int64?, atMost count: Int64, at now: Instant
  ) throws -> ClosedRange<Int64>? {
    let yesterday = flooredQuotient(now.rawValue, over: Milliseconds.day) - 1
    let firstCohort = LedgerSeries.cohorts(months: 0).number(of: .own)
    let changed = try changedSums().filter { $0.series < firstCohort && $0.grain == LedgerGrain.day.rawValue }
    let first =
      try last.map { last in min(last + 1, changed.map(\.at).min() ?? .max) }
      ?? firstPurchase().map { flooredQuotient($0.rawValue, over: Milliseconds.day) }
    guard let first, first <= yesterday else { return nil }
    return max(first, yesterday - count + 1)...yesterday
  }

  /// Returns the figures of a UTC day (numbered from 1970): balances at its end, and changes during it.
  package func figures(of day: Int64) throws -> [DailyFigure] {
    let end = Instant(milliseconds: (day + 1) * Milliseconds.day - 1)
    return try Self.panels.flatMap { panel in
      let report = try report(Question(panel: panel, at: end, windowDays: 1))
      return report.data.daily(of: panel.rawValue, product: "")
    }
  }
}

extension FigureValues {
  fileprivate func daily(of panel: String, product: String) -> [DailyFigure] {
    paths.flatMap { path -> [DailyFigure] in
      var figure = DailyFigure(figure: "\(panel).\(path)", product: product, value: 0)
      switch self[value: path] {
      case .count(let count)?:
        figure.value = Int64(count)
        return [figure]
      case .amounts(let amounts)?:
        return amounts.totals.map { total in
          (figure.currency, figure.value) = (total.currency.rawValue, total.single)
          return figure
        }
      case .parts(let parts)? where product.isEmpty:
        return parts.filter { $0[text: "product_id"] != nil && $0.storefront == nil }
          .flatMap { $0.daily(of: panel, product: $0.product.rawValue) }
      default: return []
      }
    }
  }
}
