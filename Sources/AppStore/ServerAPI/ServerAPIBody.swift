import FoundationEssentials

/// Reads bodies of the Server API.
enum ServerAPIBody {
  static func decode<Value: Decodable>(
    _ type: Value.Type, from body: [UInt8], as name: String
  ) throws(UnreadableAnswer) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      throw UnreadableAnswer(reason: "it is not \(name): \(DecodingProblem.text(error))")
    }
  }

  /// Rows are verified one by one later, their form as well: one that was cut tells of no outage, as little as one that was forged.
  static func rows(
    _ texts: [String], _ name: String, atMost most: Int
  ) throws(UnreadableAnswer) -> [String] {
    guard texts.count <= most else {
      throw UnreadableAnswer(reason: "\(name) has more than \(most) elements")
    }
    for text in texts { _ = try checked(text, name, atMost: FieldLimits.signedRow) }
    return texts
  }

  static func checked(
    _ text: String, _ name: String, atMost most: Int
  ) throws(UnreadableAnswer) -> String {
    if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: most) {
      throw UnreadableAnswer(reason: "\(name) \(breach)")
    }
    // The store would end the text there.
    if text.utf8.contains(0) { throw UnreadableAnswer(reason: "\(name) holds a NUL") }
    return text
  }
}

/// What a decoder found wrong, by the field's name and without what stood there.
enum DecodingProblem {
  static func text(_ error: any Error) -> String {
    func name(_ path: [any CodingKey], _ key: (any CodingKey)? = nil) -> String {
      let path = (path + [key].compactMap(\.self)).map(\.stringValue)
      return path.isEmpty ? "the whole" : path.joined(separator: ".")
    }
    return switch error {
    case DecodingError.keyNotFound(let key, let context): "\(name(context.codingPath, key)) is missing"
    case DecodingError.valueNotFound(_, let context): "\(name(context.codingPath)) is null"
    case DecodingError.typeMismatch(_, let context): "\(name(context.codingPath)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: "it is not complete JSON"
    case DecodingError.dataCorrupted(let context): "\(name(context.codingPath)) cannot be read"
    default: "it is not complete JSON"
    }
  }
}
