import GRDB
import Subscriptions

struct CohortShape: FetchableShape {
  var environment: StoreEnvironment
  /// `nil` for all lines of the environment and currency.
  var origin: CohortOrigin?
  var currency: CurrencyCode?

  static let table = "cohort_classes"
  static let columns = ["environment", "product_id", "storefront", "kind", "offer", "currency"]

  init(_ origin: CohortOrigin, _ currency: CurrencyCode?) {
    (environment, self.origin, self.currency) = (origin.environment, origin, currency)
  }

  func bind(to values: inout some ColumnValues) {
    values.bind(environment.rawValue)
    values.bind(origin?.product)
    values.bind(origin?.storefront)
    values.bind(origin?.kind)
    values.bind(origin?.offer)
    values.bind(currency)
  }

  /// Class of all lines of the environment and currency.
  var whole: CohortShape {
    var shape = self
    shape.origin = nil
    return shape
  }

  init(_ row: BoundStatement.Columns) {
    environment = StoreEnvironment(row.text(0) ?? "")
    currency = row.text(5)
    guard let product: ProductID = row.text(1) else { return }
    origin = CohortOrigin(
      environment, product: product, storefront: row.text(2),
      kind: row.value(3) ?? .standard, offer: row.text(4))
  }

  static func fetchAll(_ db: Database) throws -> [Int64: CohortShape] {
    var shapes: [Int64: CohortShape] = [:]
    try forEach(after: 0, db) { shapes[$0] = $1 }
    return shapes
  }
}

/// Lengths of time that lines are summed for, by their first payment. Sums per origin have no hours, since
/// the lines of one origin and day are few.
enum CohortGrain: Int, CaseIterable {
  case month = 1
  case day, hour
  case monthOfOrigin, dayOfOrigin

  var isOfOrigin: Bool { self == .monthOfOrigin || self == .dayOfOrigin }

  /// - Parameter hour: Hour since 1970.
  func place(ofHour hour: Int64) -> Int64 {
    let day = flooredQuotient(hour, over: 24)
    return switch self {
    case .hour: hour
    case .day, .dayOfOrigin: day
    case .month, .monthOfOrigin: Int64(CivilMonth(of: CivilDate(daysSince1970: Int(day))).index)
    }
  }
}
