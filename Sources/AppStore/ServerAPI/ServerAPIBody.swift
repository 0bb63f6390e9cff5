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
