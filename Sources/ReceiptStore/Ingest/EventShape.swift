import GRDB
import Subscriptions

/// What is told of an event apart from whom it happened to and when.
struct EventShape: StoredShape {
  var event: LineEvent

  static let table = "event_shapes"
  static let columns = [
    "type", "apple_type", "apple_subtype", "reason", "product_id", "new_product_id", "period_type",
    "is_trial_conversion", "is_family_share", "is_told_by_notification_alone", "notification_type", "flow",
  ]

  func tell(_ values: inout some ColumnValues) {
    values.bind(event.type.rawValue)
    values.bind(event.appleName.type)
    values.bind(event.appleName.subtype)
    values.bind(event.reason)
    values.bind(event.productID)
    values.bind(event.newProductID)
    values.bind(event.periodType)
    values.bind(event.isTrialConversion)
    values.bind(event.isFamilyShare)
    values.bind(event.isToldByNotificationAlone)
    values.bind(event.notificationType?.rawValue)
    values.bind(event.flow?.rawValue)
  }
}

extension EventShape {
  /// The shape of a number, with no one's ids and dates; nil where there is none.
  static func fetch(_ number: Int64, _ db: Database) throws -> EventShape? {
    var statement = try BoundStatement(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE id = ?", db)
    statement.bind(number)
    var shape: EventShape?
    try statement.forEach { shape = EventShape($0) }
    return shape
  }

  private init(_ row: BoundStatement.Columns) {
    event = LineEvent(
      row.text(0) ?? LineEvent.Kind(""), apple: "", reason: row.text(3), environment: .production,
      chain: OriginalTransactionID(""), product: row.text(4) ?? ProductID(""), newProduct: row.text(5),
      effectiveAt: .distantPast, observedAt: .distantPast)
    event.appleName.type = row.text(1) ?? ""
    event.appleName.subtype = row.text(2)
    event.periodType = row.text(6)
    event.isTrialConversion = row[7] != 0
    event.isFamilyShare = row[8] != 0
    event.isToldByNotificationAlone = row[9] != 0
    event.notificationType = (row.text(10) as String?).map(NotificationType.init)
    event.flow = (row.text(11) as String?).flatMap(Flow.init(rawValue:))
  }
}
