import GRDB
import Subscriptions

/// What is told of an event apart from whom it happened to and when.
struct EventShape: FetchableShape {
  var event: LineEvent

  static let table = "event_shapes"
  static let columns = [
    "type", "apple_type", "apple_subtype", "reason", "product_id", "new_product_id", "period_type",
    "is_trial_conversion", "is_family_share", "is_told_by_notification_alone", "notification_type", "flow",
  ]

  func bind(to values: inout some ColumnValues) {
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
  /// With no one's ids and dates.
  init(_ row: FetchedRow) {
    event = LineEvent(
      LineEvent.Kind(row[0] as String), apple: "", reason: row[3], environment: .production,
      chain: OriginalTransactionID(""), product: row[4], newProduct: row[5], effectiveAt: .distantPast,
      observedAt: .distantPast)
    event.appleName.type = row[1]
    event.appleName.subtype = row[2]
    event.periodType = row[6]
    event.isTrialConversion = row[7]
    event.isFamilyShare = row[8]
    event.isToldByNotificationAlone = row[9]
    event.notificationType = row[10]
    event.flow = (row[11] as String?).flatMap(Flow.init(rawValue:))
  }
}
