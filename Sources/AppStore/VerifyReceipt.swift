import FoundationEssentials
import Subscriptions

/// Body of a request to verifyReceipt: *App Store Receipts › requestBody*.
public struct VerifyReceiptRequest: Codable, Sendable, CustomReflectable, CustomStringConvertible {
  public let receiptData: String
  public let password: String?
  public let excludeOldTransactions: Bool

  package init(receiptData: String, password: String, excludeOldTransactions: Bool) {
    (self.receiptData, self.password) = (receiptData, password)
    self.excludeOldTransactions = excludeOldTransactions
  }

  public init(decoding bytes: [UInt8]) throws { self = try StrictJSON.decode(from: bytes, as: "the request") }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    receiptData = try values.text(.receiptData) ?? ""
    password = try values.text(.password)
    excludeOldTransactions = try values.flag(.excludeOldTransactions) ?? false
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: WireName.self)
    try values.encode(receiptData, forKey: .receiptData)
    try values.encodeIfPresent(password, forKey: .password)
    if excludeOldTransactions { try values.encode(true, forKey: .excludeOldTransactions) }
  }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  public var description: String { "verifyReceipt request" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Answer of verifyReceipt: *App Store Receipts › responseBody*.
public struct VerifyReceiptResponse: Sendable {
  public let status: VerifyReceiptStatus
  /// `is-retryable`, also spelt `is_retryable`; `nil` if the answer has neither.
  public let isRetryable: Bool?
  /// Content of the answer; `nil` if the status is an error, because an error must not change stored data.
  public let answer: Answer?

  public var meaning: VerifyReceiptStatus.Meaning { status.meaning(isRetryable: isRetryable) }

  /// Decodes an answer; an answer that names no environment gets `environment`, or a guess if that is `nil`.
  public init(decoding bytes: [UInt8], from environment: StoreEnvironment? = nil) throws(UnreadableAnswer) {
    self.init(try StrictJSON.decode(from: bytes, as: "the answer"), environment: environment)
  }

  init(_ wire: WireResponse, environment: StoreEnvironment?) {
    status = VerifyReceiptStatus(rawValue: wire.status)
    isRetryable = wire.isRetryable
    answer = status.meaning(isRetryable: wire.isRetryable) == .data ? wire.answer(from: environment) : nil
  }
}

/// Answer of verifyReceipt in a file: bare, or `{"app_user_id": …, "observed_at_ms": …, "response": {…}}`.
public struct KeptResponse: Sendable {
  public let appUserID: AppUserID?
  public let observedAt: Instant?
  public let response: VerifyReceiptResponse

  /// Answer without the chains that are missing from its `latest_receipt`, if that is readable.
  ///
  /// If answer and receipt share no chain, only the receipt is removed, because it is another customer's.
  public var ownAnswer: Answer? {
    guard var own = response.answer, let shown = own.chainsOfLatestReceipt else { return response.answer }
    if own.namedChains.isDisjoint(with: shown) {
      own.latestReceipt = nil
    } else {
      own.leaveOut(own.namedChains.subtracting(shown))
    }
    return own
  }

  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let kept = try StrictJSON.decode(Kept<WireResponse>.self, from: bytes, as: "the answer")
    (appUserID, observedAt) = (kept.appUserID, kept.observedAt)
    response = VerifyReceiptResponse(kept.body, environment: nil)
  }
}
