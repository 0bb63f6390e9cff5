import Subscriptions

/// Values that many rows of Apple's reports share, stored once.
struct AppleReportShape: StoredRow {
  private var measure = AppleMeasure.other
  private(set) var appleID = ""
  private var product: ProductID?
  private var storefront = StorefrontCode("")
  private var offer = ""
  private var price: Money?
  private var proceedsCurrency: CurrencyCode?

  static let sql = RowSQL(Self(), "apple_report_shapes")

  init() {}

  init(of row: AppleReportRow) {
    (measure, appleID, product) = (row.measure, row.appleID, row.product)
    (storefront, offer) = (row.storefront, row.offer)
    (price, proceedsCurrency) = (row.price, row.proceeds?.currency)
  }

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("measure", &measure)
    columns.map("apple_id", &appleID)
    columns.map("product_id", &product)
    columns.map("storefront", &storefront)
    columns.map("offer", &offer)
    columns.map(amount: "price_micros", currency: "currency", &price)
    columns.map("proceeds_currency", &proceedsCurrency)
  }

  /// Returns the report row with this shape's values; `amount` and `proceeds` are in micros.
  func row(
    on day: CivilDate, units: Int64, amount: Int128?, proceeds: Int128?, products: [String: ProductID]
  ) -> AppleReportRow {
    var row = AppleReportRow(day: day, measure: measure, appleID: appleID, storefront: storefront)
    (row.product, row.offer, row.price, row.units) = (product ?? products[appleID], offer, price, units)
    row.amount = amount.flatMap { micros in price.map { Money(micros: micros, currency: $0.currency) } }
    row.proceeds = proceeds.flatMap { micros in proceedsCurrency.map { Money(micros: micros, currency: $0) } }
    return row
  }
}
