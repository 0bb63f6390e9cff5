import GRDB
import Subscriptions

/// Part of an event that is independent of customer and date.
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
  init(_ row: BoundStatement.Columns) {
    event = LineEvent(
      LineEvent.Kind(row.text(0) ?? ""), apple: "", reason: row.text(3), environment: .production,
      chain: OriginalTransactionID(""), product: ProductID(row.text(4) ?? ""), newProduct: row.text(5),
      effectiveAt: .distantPast, observedAt: .distantPast)
    event.appleName.type = row.text(1) ?? ""
    event.appleName.subtype = row.text(2)
    event.periodType = row.text(6)
    event.isTrialConversion = row.isTrue(7)
    event.isFamilyShare = row.isTrue(8)
    event.isToldByNotificationAlone = row.isTrue(9)
    event.notificationType = row.text(10)
    event.flow = row.value(11)
  }
}
