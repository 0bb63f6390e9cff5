import Subscriptions

/// `status` of an answer (*App Store Receipts › status*), whose HTTP status is 200 even for an error.
public struct VerifyReceiptStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// How the client handles a status.
  public enum Meaning: Hashable, Sendable {
    /// 0, or 21006 for expired iOS 6 style receipts: the answer contains data.
    case data
    /// Temporary error at Apple: 21005, 21009, and 21100–21199 unless `is-retryable` is false.
    ///
    /// A status that would otherwise be `rejected` also has this meaning if `is-retryable` is true.
    case retry
    /// 21002: a malformed receipt, or a temporary error at Apple; only another attempt shows which.
    case malformedOrPassing
    /// 21004: the configuration is wrong, not the receipt.
    case secretRefused
    /// 21007 and 21008: the receipt belongs to the other environment.
    case elsewhere(StoreEnvironment)
    /// 21010: the user account is gone, so requests stop and the history is kept.
    case accountGone
    /// Permanent error, or a status that Apple does not document: another request will not help.
    case rejected
  }

  private static let table: [(codes: ClosedRange<Int>, meaning: Meaning, text: String)] = [
    (0...0, .data, "valid"), (21000...21000, .rejected, "the request was not made with POST"),
    (21002...21002, .malformedOrPassing, "the receipt data is malformed, or a temporary issue"),
    (21003...21003, .rejected, "the receipt could not be authenticated"),
    (21004...21004, .secretRefused, "the shared secret does not match"),
    (21005...21005, .retry, "the receipt server was temporarily unable to provide the receipt"),
    (21006...21006, .data, "valid, but the subscription has expired"),
    (21007...21007, .elsewhere(.sandbox), "a sandbox receipt was sent to production"),
    (21008...21008, .elsewhere(.production), "a production receipt was sent to the sandbox"),
    (21009...21009, .retry, "internal data access error"),
    (21010...21010, .accountGone, "the user account cannot be found or has been deleted"),
    (21100...21199, .retry, "internal data access error"),
  ]

  /// Returns how to handle the status; Apple documents `is-retryable` only for 21100–21199.
  public func meaning(isRetryable: Bool?) -> Meaning {
    let meaning = Self.table.first { $0.codes.contains(rawValue) }?.meaning ?? .rejected
    if meaning == .rejected, isRetryable == true { return .retry }
    return rawValue >= 21100 && isRetryable == false ? .rejected : meaning
  }

  public var text: String {
    Self.table.first { $0.codes.contains(rawValue) }?.text ?? "a status that Apple does not document"
  }
}
