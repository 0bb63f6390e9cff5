/// Alters the text of right answers.
enum Forgery {
  private typealias Edit = @Sendable (FakeAnswer) -> [UInt8]

  // MARK: Types

  static func wrongTypes(_ answer: FakeAnswer, _ random: inout SplitMix64) -> [UInt8] {
    let edits = wrongShapes + (answer.hasData ? wrongMembers : [])
    return random.pick(edits)?(answer) ?? answer.body
  }

  /// Possible with every answer.
  private static let wrongShapes: [Edit] = [
    { statusReplaced($0, by: "[0]") }, { statusReplaced($0, by: "true") },
    { statusReplaced($0, by: "\"valid\"") }, { statusReplaced($0, by: "{\"code\":0}") },
    { Array("[".utf8) + $0.body + Array("]".utf8) }, { _ in Array("\"0\"".utf8) }, { _ in Array("0".utf8) },
    { _ in Array("null".utf8) },
  ]

  /// Possible where there are purchases. What stood there before moves under a key that Apple does not know.
  private static let wrongMembers: [Edit] = [
    { $0.body.replacing("\"receipt\":{", with: "\"receipt\":[], \"was\":{", most: 1) },
    { answer in
      answer.body.replacing("\"latest_receipt_info\":[", with: "\"latest_receipt_info\":7, \"was\":[")
        .replacing("\"in_app\":[", with: "\"in_app\":\"none\", \"were\":[")
    },
    { $0.body.replacingText(after: "_date_ms\":", by: "true") },
    { $0.body.replacingText(after: "\"transaction_id\":", by: "{}") },
    { $0.body.replacingText(after: "\"original_transaction_id\":", by: "[1]") },
  ]

  private static func statusReplaced(_ answer: FakeAnswer, by text: String) -> [UInt8] {
    answer.body.replacing("\"status\":\(answer.status)}", with: "\"status\":\(text)}")
  }

  // MARK: Keys

  /// Which of two values counts is every reader's own decision (*RFC 8259, 4*), so neither can be trusted.
  static func duplicateKeys(_ answer: FakeAnswer, _ random: inout SplitMix64) -> [UInt8] {
    let edits = contradictions + (answer.hasData ? contradictionsInData : [])
    return random.pick(edits)?(answer) ?? answer.body
  }

  private static let contradictions: [Edit] = [
    { Array("{\"status\":\($0.status == 0 ? 21005 : 0), ".utf8) + $0.body.dropFirst() },
    { $0.body.dropLast() + Array(", \"status\":\($0.status == 0 ? 21010 : 0)}".utf8) },
  ]

  private static let contradictionsInData: [Edit] = [
    { $0.body.dropLast() + Array(", \"receipt\":{}}".utf8) },
    { answer in
      answer.body.replacing("\"bundle_id\":", with: "\"bundle_id\":\"com.example.elsewhere\", \"bundle_id\":")
        .replacing("\"bid\":", with: "\"bid\":\"com.example.elsewhere\", \"bid\":")
    },
    {
      $0.body.replacing(
        "\"product_id\":", with: "\"product_id\":\"com.example.elsewhere\", \"product_id\":", most: 1)
    },
  ]

  // MARK: Receipts

  static func replacingLatestReceipt(of answer: FakeAnswer, by base64: String) -> [UInt8] {
    answer.body.replacingText(after: "\"latest_receipt\":", by: "\"\(base64)\"")
  }

  /// Base64 of nothing, a receipt cut short, or one that says the right things under a signature that does not hold.
  static func garbageLatestReceipt(_ answer: FakeAnswer, _ random: inout SplitMix64) -> [UInt8] {
    guard let right = answer.body.text(after: "\"latest_receipt\":") else { return answer.body }
    let forged = right.dropLast(8) + (right.last == "=" ? "AAAAAAA=" : "AAAAAAAA")
    let garbage = random.pick(["MIIgarbage=", String(right.prefix(right.count / 8 * 4)), String(forged)])
    return replacingLatestReceipt(of: answer, by: garbage ?? "")
  }

  // MARK: Bytes

  static func deepNesting(_ random: inout SplitMix64) -> [UInt8] {
    let levels = 100_000
    let (open, close) = random.pick([("[", "]"), ("{\"a\":", "}"), ("[", "")]) ?? ("[", "]")
    return Array("{\"environment\":\"Production\", \"receipt\":".utf8)
      + (0..<levels).flatMap { _ in open.utf8 } + Array("0".utf8) + (0..<levels).flatMap { _ in close.utf8 }
      + Array(", \"status\":0}".utf8)
  }

  /// A stray byte, an overlong slash, half of a surrogate pair, a sequence cut short.
  private static let notUTF8: [[UInt8]] = [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]]

  static func invalidUTF8(_ body: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let stray = random.pick(notUTF8) ?? [0xFF]
    for key in ["\"product_id\":\"", "\"environment\":\""] where body.contains(key) {
      let key = Array(key.utf8)
      return body.replacing(key, with: key + stray, maxReplacements: 1)
    }
    return Array("{\"environment\":\"".utf8) + stray + Array("\", ".utf8) + body.dropFirst()
  }

  /// Of an iOS 6 style answer, which names none, the sandbox's.
  static func swappingEnvironments(_ body: [UInt8]) -> [UInt8] {
    if !body.contains("\"environment\":") {
      return Array("{\"environment\":\"Sandbox\", ".utf8) + body.dropFirst()
    }
    let isSandbox = body.contains("\"environment\":\"Sandbox\"")
    let (old, new) = isSandbox ? ("Sandbox", "Production") : ("Production", "Sandbox")
    return body.replacing("\"environment\":\"\(old)\"", with: "\"environment\":\"\(new)\"")
  }
}

extension [UInt8] {
  fileprivate func text(after key: String) -> String? {
    firstRange(of: Array((key + "\"").utf8)).map {
      String(decoding: self[$0.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  /// Puts another value where a key's string stands, wherever the key ends like this.
  fileprivate func replacingText(after key: String, by value: String) -> [UInt8] {
    let (key, value) = (Array((key + "\"").utf8), Array(value.utf8))
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(of: key) {
      result += rest[..<found.upperBound].dropLast() + value
      rest = rest[found.upperBound...].drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    }
    return result + rest
  }
}
