/// Why a body is not an answer, in words that name the field and never quote its content.
public struct UnreadableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  /// It holds more than any that is taken, so that asking again soon would not help.
  public let isTooLong: Bool

  public init(reason: String, isTooLong: Bool = false) {
    (self.reason, self.isTooLong) = (reason, isTooLong)
  }

  public var description: String { reason }
}

/// Reasons for errors of the decoder, whose own descriptions may quote a receipt.
enum DecodingProblem {
  static func text(_ error: any Error, whole: String = "the whole") -> String {
    func name(_ path: [any CodingKey]) -> String { path.isEmpty ? whole : self.path(path) }
    return switch error {
    case DecodingError.keyNotFound(let key, let context): "\(name(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(_, let context): "\(name(context.codingPath)) is null"
    case DecodingError.typeMismatch(_, let context): "\(name(context.codingPath)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(name(context.codingPath)) cannot be read"
    default: "it is not complete JSON"
    }
  }

  /// A place as in `latest_receipt_info[0].product_id`.
  static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
  }
}
