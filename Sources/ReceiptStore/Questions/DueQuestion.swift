import GRDB
import Subscriptions

extension Asking {
  func due() throws -> [DueFigures] {
    let horizons = DueFigures.horizons
    if let tallied {
      return try zip(horizons, tallied.due(within: horizons, self)).map { days, groups in
        var figures = DueFigures(days: days)
        for group in groups {
          figures.count(renewing: group.detail == "1", together: group.amount, by: group.rows)
        }
        return figures
      }
    }
    return try horizons.map { days in
      var figures = DueFigures(days: days)
      for row in try rows(
        """
        SELECT ifnull(auto_renew_status = 1, 0) AS renewing, expected_micros, expected_currency, count(*)
        FROM (\(coming(within: days))) GROUP BY renewing, expected_micros, expected_currency
        """)
      {
        figures.count(renewing: row[0], expected: row.money(micros: 1, currency: 2), by: row[3])
      }
      return figures
    }
  }

  func isDue(within days: Int) -> String { "expires_date_ms <= :t + \(Int64(days) * Milliseconds.day)" }

  /// The lines whose period ends within so many days, with what the product that they renew as costs then.
  func coming(within days: Int) -> String {
    let (micros, currency) = (
      Self.standardPrice("price_micros", renewal: "j", row: "j"),
      Self.standardPrice("currency", renewal: "j", row: "j")
    )
    return """
      SELECT *, \(micros) AS expected_micros, \(currency) AS expected_currency
      FROM (\(judged)) AS j WHERE state IN ('trial', 'active') AND \(isDue(within: days)) AND \(product("j.product_id"))
      """
  }
  /// A column of the catalogue's standard price, at the expiry of a row, of the product that it renews as.
  static func standardPrice(_ column: String, renewal: String, row: String) -> String {
    """
    (SELECT k.\(column) FROM catalog k WHERE k.product_id = ifnull(\(renewal).auto_renew_product_id, \(row).product_id)
        AND k.offer = '' AND k.valid_from_ms <= \(row).expires_date_ms ORDER BY k.valid_from_ms DESC LIMIT 1)
    """
  }
}
