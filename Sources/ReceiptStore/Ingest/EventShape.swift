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
