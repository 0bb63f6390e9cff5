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

  /// Returns a row of this shape without day, units and amount; any proceeds are 0 in their currency.
  func row(products: [String: ProductID]) -> AppleReportRow {
    let day = CivilDate(daysSince1970: 0)
    var row = AppleReportRow(day: day, measure: measure, appleID: appleID, storefront: storefront)
    (row.product, row.offer, row.price) = (product ?? products[appleID], offer, price)
    row.proceeds = proceedsCurrency.map { Money(micros: 0, currency: $0) }
    return row
  }
}
