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
    do throws(Misread) {
      self.init(try StrictJSON.read(bytes, WireResponse.init), environment: environment)
    } catch {
      throw UnreadableAnswer(error)
    }
  }

  init(_ wire: WireResponse, environment: StoreEnvironment?) {
    status = VerifyReceiptStatus(rawValue: wire.status)
    isRetryable = wire.isRetryable
    answer = status.meaning(isRetryable: wire.isRetryable) == .data ? wire.answer(from: environment) : nil
  }
}

/// Why a body is not an answer, in words that name the field and never quote its content.
public struct UnreadableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  /// It holds more than any that is taken, so that asking again soon would not help.
  public let isTooLong: Bool

  public init(reason: String) { (self.reason, isTooLong) = (reason, false) }

  /// - Parameter whole: what a body is called that is wrong as a whole.
  init(_ misread: Misread, whole: String = "the answer") {
    reason = misread.reason(whole: whole)
    if case .tooMany = misread.fault { isTooLong = true } else { isTooLong = false }
  }

  public var description: String { reason }
}
