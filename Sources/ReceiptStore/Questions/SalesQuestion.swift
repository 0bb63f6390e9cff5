import GRDB
import Subscriptions

extension Asking {
  func sales() throws -> SalesFigures {
    var figures = SalesFigures()
    if let tallied {
      for (group, detail) in tallied.window.whole.bought(question) where detail.isPaid {
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
