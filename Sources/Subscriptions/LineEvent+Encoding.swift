extension LineEvent: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, type, appleType, appleSubtype, reason, flow, environment, isFamilyShare, originalTransactionId,
      transactionId
    case productId, newProductId, appUserId, periodType, isTrialConversion, effectiveAtMs, effectivePrecision
    case observedAtMs, observedAfterMs, detectionLagMs, notificationType, notifiedAtMs, source, priceMicros,
      currency, storefront
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(type, forKey: .type)
    try container.encode(appleName.type.isEmpty ? nil : appleName.type, forKey: .appleType)
    try container.encode(appleName.subtype, forKey: .appleSubtype)
    try container.encode(reportedReason, forKey: .reason)
    try container.encode(flow?.rawValue, forKey: .flow)
    try container.encode(environment, forKey: .environment)
    try container.encode(isFamilyShare, forKey: .isFamilyShare)
    try container.encode(originalTransactionID, forKey: .originalTransactionId)
    try container.encode(transactionID, forKey: .transactionId)
    try container.encode(productID, forKey: .productId)
    try container.encode(newProductID, forKey: .newProductId)
    try container.encode(appUserID, forKey: .appUserId)
    try container.encode(periodType, forKey: .periodType)
    try container.encode(isTrialConversion, forKey: .isTrialConversion)
    try container.encode(effectiveAt, forKey: .effectiveAtMs)
    try container.encode(isExact ? "exact" : "interval", forKey: .effectivePrecision)
    try container.encode(observedAt, forKey: .observedAtMs)
    try container.encode(observedAfter, forKey: .observedAfterMs)
    try container.encode(detectionLag, forKey: .detectionLagMs)
    try container.encode(notificationType, forKey: .notificationType)
    try container.encode(notifiedAt, forKey: .notifiedAtMs)
    try container.encode(isToldByNotificationAlone ? "notification" : "validation", forKey: .source)
    try container.encode(price?.micros, forKey: .priceMicros)
    try container.encode(price?.currency, forKey: .currency)
    try container.encode(storefront, forKey: .storefront)
  }
}
