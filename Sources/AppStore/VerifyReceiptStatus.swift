import Subscriptions

/// The `status` of an answer: *App Store Receipts › status*. The HTTP status is always 200.
public struct VerifyReceiptStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Consequence of a status for the client.
  public enum Meaning: Hashable, Sendable {
    /// 0, and 21006 of iOS 6 style receipts, which carries data too.
    case data
    /// 21005, 21009 and retryable 21100–21199: a temporary fault of Apple.
    case retry
    /// 21002: a malformed receipt or a temporary fault of Apple. Only another attempt shows which.
    case malformedOrPassing
    /// 21004: the configuration is wrong, not the receipt.
    case secretRefused
    /// 21007 and 21008: the receipt belongs to the other environment.
    case elsewhere(StoreEnvironment)
    /// 21010: stop asking, keep the history.
    case accountGone
    /// Permanent: asking again will not help.
    case rejected
  }

  /// - Parameter isRetryable: the answer's `is-retryable`, which Apple documents for 21100–21199 alone.
  public func meaning(isRetryable: Bool?) -> Meaning {
    switch rawValue {
    case 0, 21006: .data
    case 21002: .malformedOrPassing
    case 21004: .secretRefused
    case 21005, 21009: .retry
    case 21007: .elsewhere(.sandbox)
    case 21008: .elsewhere(.production)
    case 21010: .accountGone
    case 21100...21199: isRetryable ?? true ? .retry : .rejected
    default: isRetryable == true ? .retry : .rejected
    }
  }

  /// Apple's description, shortened.
  public var text: String {
    switch rawValue {
    case 0: "valid"
    case 21000: "the request was not made with POST"
    case 21002: "the receipt data is malformed, or a temporary issue"
    case 21003: "the receipt could not be authenticated"
    case 21004: "the shared secret does not match"
    case 21005: "the receipt server was temporarily unable to provide the receipt"
    case 21006: "valid, but the subscription has expired"
    case 21007: "a sandbox receipt was sent to production"
    case 21008: "a production receipt was sent to the sandbox"
    case 21009: "internal data access error"
    case 21010: "the user account cannot be found or has been deleted"
    case 21100...21199: "internal data access error"
    default: "a status that Apple does not document"
    }
  }
}
