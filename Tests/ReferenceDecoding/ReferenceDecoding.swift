import AppStore
import Subscriptions

/// What is read from answers and notifications, or why it is not, by Foundation's decoder: slower than the scanner that
/// ships, and what that is held equal to.
public enum ReferenceDecoding {
  /// What was read.
  public struct Read: Hashable, Sendable {
    public var status = 0
    public var isRetryable: Bool?
    public var answer: Answer?
    public var user: AppUserID?
    public var observedAt: Instant?
    public var password: String?
    public var digest: UInt128?
    public var reason: String?
  }

  public static func response(_ bytes: [UInt8], from environment: StoreEnvironment?) -> Read {
    attempt("the answer") {
      read(try StrictJSON.decode(WireResponse.self, from: bytes), from: environment)
    }
  }

  public static func keptResponse(_ bytes: [UInt8]) -> Read {
    attempt("the answer") {
      let wire = try StrictJSON.decode(KeptAnswer.self, from: bytes)
      var result = read(wire.response, from: nil)
      (result.user, result.observedAt) = (wire.appUserID, wire.observedAt)
      return result
    }
  }

  public static func keptNotification(_ bytes: [UInt8]) -> Read {
    let version2 =
      "it is of version 2, and not as Apple signed it; give the body that has its signedPayload"
    var result = attempt("the body") {
      do {
        let wire = try StrictJSON.decode(KeptBody.self, from: bytes)
        var result = Read()
        guard let notification = wire.body.notification(for: wire.appUserID, observedAt: wire.observedAt)
        else {
          result.reason = "it holds neither original_transaction_id nor a transaction"
          return result
        }
        result.answer = notification.answer
        result.digest = notification.digest
        (result.user, result.observedAt) = (notification.appUserID, notification.observedAt)
        result.password = wire.body.password.map(\.text)
        return result
      } catch is WireNotification.Version2 {
        var result = Read()
        result.reason = version2
        return result
      }
    }
    if result.reason != nil, bytes.starts(with: Array("eyJ".utf8)) { result.reason = version2 }
    return result
  }

  private static func read(_ wire: WireResponse, from environment: StoreEnvironment?) -> Read {
    let meaning = VerifyReceiptStatus(rawValue: wire.status).meaning(isRetryable: wire.isRetryable)
    return Read(
      status: wire.status, isRetryable: wire.isRetryable,
      answer: meaning == .data ? wire.answer(from: environment) : nil)
  }

  private static func attempt(_ whole: String, _ body: () throws -> Read) -> Read {
    do {
      return try body()
    } catch {
      return Read(reason: (error as? DecodingError).map { reason($0, whole: whole) } ?? "it is not JSON")
    }
  }
}

extension ReferenceDecoding {
  static func reason(_ error: DecodingError, whole: String = "the answer") -> String {
    switch error {
    case .keyNotFound(let key, let context): "\(Self.path(context, key, of: whole)) is missing"
    case .typeMismatch(_, let context): "\(Self.path(context, of: whole)) has the wrong type"
    case .valueNotFound(_, let context): "\(Self.path(context, of: whole)) is null"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      Misfit(rawValue: context.debugDescription)?.rawValue ?? "it is not complete JSON"
    case .dataCorrupted(let context) where context.debugDescription.hasPrefix(Limit.mark):
      "\(Self.path(context, of: whole)) \(context.debugDescription.dropFirst(Limit.mark.count))"
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
}
