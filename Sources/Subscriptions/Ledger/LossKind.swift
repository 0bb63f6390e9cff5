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

  /// - Parameter reason: `nil` counts as unknown.
  init(_ reason: LossReason?) {
    switch reason {
    case .refunded?: self = .refunded
    case .unknown?, nil: self = .unknown
    case .intent(let intent)?:
      self =
        switch intent {
        case .customerCancelled: .cancelled
        case .billingError: .billingError
        case .customerDidNotConsentToPriceIncrease: .priceIncrease
        case .productNotAvailable: .unavailable
        default: .other
        }
    }
  }

  public var words: String {
    switch self {
    case .cancelled: ExpirationIntent.customerCancelled.words
    case .billingError: ExpirationIntent.billingError.words
    case .priceIncrease: ExpirationIntent.customerDidNotConsentToPriceIncrease.words
    case .unavailable: ExpirationIntent.productNotAvailable.words
    case .other: ExpirationIntent.other.words
    case .refunded: "refunded"
    case .unknown: "unknown"
    }
  }
}
