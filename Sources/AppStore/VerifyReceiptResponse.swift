import Subscriptions

/// An answer of `POST verifyReceipt`: *App Store Receipts › responseBody*.
public struct VerifyReceiptResponse: Sendable {
  public let status: VerifyReceiptStatus
  /// `is-retryable`, also spelt `is_retryable`; nil where Apple left it out.
  public let isRetryable: Bool?
  /// What the answer says of subscriptions. Nil where the status carries no data, so that an error never changes what is known.
  public let answer: Answer?

  public var meaning: VerifyReceiptStatus.Meaning { status.meaning(isRetryable: isRetryable) }

  /// Decodes an answer.
  ///
  /// - Parameter environment: where the answer came from, for old answers that do not say; nil guesses by the ids.
  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8], from environment: StoreEnvironment? = nil) throws(UnreadableAnswer) {
    self.init(try StrictJSON.decode(from: bytes, as: "the answer"), environment: environment)
  }

  init(_ wire: WireResponse, environment: StoreEnvironment?) {
    status = VerifyReceiptStatus(rawValue: wire.status)
    isRetryable = wire.isRetryable
    answer = status.meaning(isRetryable: wire.isRetryable) == .data ? wire.answer(from: environment) : nil
  }
}
