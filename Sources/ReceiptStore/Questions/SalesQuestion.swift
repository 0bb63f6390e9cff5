import GRDB
import Subscriptions

extension StoreQuery {
  func sales(_ facts: WindowFacts) throws -> SalesFigures {
    var figures = SalesFigures()
    if !question.smallBusinessProgram.changes(within: question) {
      for group in facts.whole.groups(.bought, question) {
        guard let detail = group.kind.bought, detail.isPaid else { continue }
        figures.count(
          price: detail.price(in: group.amount?.currency), isPastFirstYear: detail.isPastFirstYear,
          isSmallBusiness: question.smallBusinessProgram.contains(detail.app, at: question.at), by: group.rows
        )
      }
      return figures
    }
    for row in try rows(
      """
      SELECT x.price_micros, x.currency, x.is_past_first_year, \(isSmallBusiness) AS is_small_business, count(*)
      FROM \(sold) GROUP BY x.price_micros, x.currency, x.is_past_first_year, is_small_business
      """)
    {
      figures.count(
        price: row.money(micros: 0, currency: 1), isPastFirstYear: row[2], isSmallBusiness: row[3], by: row[4]
      )
    }
    return figures
  }

  /// The course of what was sold as a small business, where a membership begins or ends within it: no class tells then.
  func addSmallBusiness(to trend: inout Trend) throws {
    var earlier = self
    earlier.question = question.before
    for (query, isBefore) in [(self, false), (earlier, true)] {
      let stretch = query.question.window.stretch(ofColumn: "x.purchase_date_ms")
      let sold = try query.rows(
        """
        SELECT \(stretch) AS stretch, count(*)
        FROM \(query.sold) AND NOT x.is_past_first_year AND \(query.isSmallBusiness) GROUP BY stretch
        """)
      // The window before is one stretch.
      for row in sold {
        trend.add(row[1] as Int64, to: "sales.small_business", at: isBefore ? nil : row[0] as Int)
      }
    }
  }

  /// Paid transactions bought in the window.
  var sold: String {
    transactions("x.kind <> 'trial' AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to")
  }
}

extension SmallBusinessProgram {
  /// Whether a membership begins or ends in the window of a question or the one before.
  func changes(within question: Question) -> Bool {
    let start = question.before.window.from
    return memberships.values.joined().contains { membership in
      [membership.from, membership.until].contains { $0 > start && $0 <= question.at }
    }
  }
}
