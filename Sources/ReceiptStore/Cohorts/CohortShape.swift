import GRDB
import Subscriptions

/// A class of lines within a cohort as the table keeps it.
struct CohortShape: FetchableShape {
  var environment: StoreEnvironment
  /// Nil where all lines of the currency are meant.
  var origin: CohortOrigin?
  /// Of what the lines bring a month.
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

  /// What all lines of the environment and currency have in common.
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

  /// All that are in the table, by their numbers.
  static func fetchAll(_ db: Database) throws -> [Int64: CohortShape] {
    var shapes: [Int64: CohortShape] = [:]
    try forEach(after: 0, db) { shapes[$0] = $1 }
    return shapes
  }
}

/// How long the times are for which lines that were first paid in them are added up. Those of every origin are few; of single
/// origins days are the shortest, since of their last day the lines themselves are few enough.
enum CohortGrain: Int, CaseIterable {
  case month = 1
  case day, hour
  case monthOfOrigin, dayOfOrigin

  var isOfOrigin: Bool { self == .monthOfOrigin || self == .dayOfOrigin }

  /// - Parameter hour: since 1970.
  func place(ofHour hour: Int64) -> Int64 {
    let day = flooredQuotient(hour, over: 24)
    return switch self {
    case .hour: hour
    case .day, .dayOfOrigin: day
    case .month, .monthOfOrigin: Int64(CivilMonth(of: CivilDate(daysSince1970: Int(day))).index)
    }
  }
}
