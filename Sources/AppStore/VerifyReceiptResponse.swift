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
    do {
      let wire = try StrictJSON.decode(WireResponse.self, from: bytes)
      self.init(wire, environment: environment)
    } catch let error as DecodingError {
      throw UnreadableAnswer(error)
    } catch {
      throw UnreadableAnswer(reason: "it is not JSON")
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

  public init(reason: String) { self.reason = reason }

  /// - Parameter whole: what a body is called that is wrong as a whole.
  init(_ error: DecodingError, whole: String = "the answer") {
    reason =
      switch error {
      case .keyNotFound(let key, let context): "\(Self.path(context, key, of: whole)) is missing"
      case .typeMismatch(_, let context): "\(Self.path(context, of: whole)) has the wrong type"
      case .valueNotFound(_, let context): "\(Self.path(context, of: whole)) is null"
      case .dataCorrupted(let context) where context.codingPath.isEmpty:
        Misfit(rawValue: context.debugDescription)?.rawValue ?? "it is not complete JSON"
      case .dataCorrupted(let context):
        "\(Self.path(context, of: whole)) cannot be read: \(Misfit(rawValue: context.debugDescription)?.rawValue ?? "bad value")"
      @unknown default: "it is not what it should be"
      }
  }

  private static func path(
    _ context: DecodingError.Context, _ last: (any CodingKey)? = nil, of whole: String
  ) -> String {
    let keys = context.codingPath + (last.map { [$0] } ?? [])
    let path = keys.reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : "." + key.stringValue)
    }
    return path.isEmpty ? whole : path
  }

  public var description: String { reason }
}
