/// Reason for a lost subscriber, in the categories of figures (METRICS §5).
public enum LossKind: String, Hashable, Sendable, CaseIterable {
  case cancelled
  case billingError = "billing_error"
  case priceIncrease = "price_increase"
  case unavailable
  case refunded
  /// Intent 5, and intents that Apple has not documented.
  case other
  case unknown

  private static let intents: KeyValuePairs<Self, ExpirationIntent> = [
    .cancelled: .customerCancelled, .billingError: .billingError,
    .priceIncrease: .customerDidNotConsentToPriceIncrease, .unavailable: .productNotAvailable,
  ]

  init(_ reason: LossReason?) {
    self =
      switch reason {
      case .refunded?: .refunded
      case .unknown?, nil: .unknown
      case .intent(let intent)?: Self.intents.first { $0.value == intent }?.key ?? .other
      }
  }

  public var words: String { Self.intents.first { $0.key == self }?.value.words ?? rawValue }
}
