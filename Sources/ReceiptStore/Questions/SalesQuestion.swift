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
