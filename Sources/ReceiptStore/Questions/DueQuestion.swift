import GRDB
import Subscriptions

extension StoreQuery {
  func due() throws -> [DueFigures] {
    try DueFigures.horizons.compactMap { days -> DueFigures? in
      guard let family = FactFamily(dueWithin: days) else { return nil }
      var figures = DueFigures(days: days)
      let sums = try facts.sums(family, after: nil, through: question.at).map { (kind: $0, sum: $1) }
      for group in sums.groups(family, question) {
        figures.count(renewing: group.detail == "1", together: group.amount, by: group.rows)
      }
      return figures
    }
  }

  /// The lines whose period ends soon; the amount is what a renewal is expected to cost.
  var dueLines: FigureRowSource {
    func isDue(_ days: Int) -> String { "expires_date_ms <= :t + \(Int64(days) * Milliseconds.day)" }
    let names = DueFigures.horizons.map { days in
      let names = DueFigures.names(within: days).map { $0 + FigureRowSource.mark }
      return """
        iif(\(isDue(days)), '\(names[0])' || iif(auto_renew_status = 1,
          '\(names[1])' || iif(expected_micros IS NULL, '\(names[2])', ''), ''), '')
        """
    }
    let (micros, currency) = (Self.standardPrice("price_micros"), Self.standardPrice("currency"))
    let t = question.at
    let sql = """
      SELECT '\(FigureRowSource.mark)' || \(names.joined(separator: " || ")) AS figures, environment,
        original_transaction_id, subscription_group_id, chain_id, transaction_id, product_id, kind, state,
        access_end_ms AS at_ms, iif(auto_renew_status = 1, expected_micros, NULL) AS amount_micros,
        expected_currency AS currency, expires_date_ms
      FROM (SELECT *, \(micros) AS expected_micros, \(currency) AS expected_currency FROM (\(standing)) AS j
        WHERE state IN ('trial', 'active') AND expires_date_ms > :t AND \(isDue(DueFigures.horizons.max() ?? 0))
          AND \(product("j.product_id")))
      """
    return FigureRowSource(sql: sql) { row in
      guard let state = row[8] as LineState?, let kind = row[7] as PeriodKind? else { return "" }
      return
        "\(state.rawValue): \(FigureReason.running(state, kind, expires: row[FigureRowSource.reason], at: t))"
    }
  }

  /// A column of the catalogue's standard price, at the expiry of a row `j`, of the product that it renews as.
  private static func standardPrice(_ column: String) -> String {
    """
    (SELECT k.\(column) FROM catalog k WHERE k.product_id = ifnull(j.auto_renew_product_id, j.product_id)
        AND k.offer = '' AND k.valid_from_ms <= j.expires_date_ms ORDER BY k.valid_from_ms DESC LIMIT 1)
    """
  }
}
