/// Faults of the content, made by modifying correct answers.
enum Forgery {
  /// Returns the body with a fault; unchanged for faults that other code injects.
  static func body(_ body: [UInt8], with fault: Fault, _ random: inout SplitMix64) -> [UInt8] {
    switch fault {
    case .truncated: body.firstHalf
    case .wrongTypes: wrongTypes(body, &random)
    case .duplicateKeys: edited(body, by: contradictions, &random) { "\"\($0)\":\($1), \"\($0)\":" }
    case .deepNesting: deepNesting(&random)
    case .invalidUTF8: invalidUTF8(body, &random)
    case .otherApp:
      ["bundle_id", "bid"].reduce(body) { $0.replacing("\"\($1)\":\"", with: "\"\($1)\":\"\(elsewhere).") }
    case .wrongEnvironment: swappingEnvironments(body)
    default: body
    }
  }

  static let elsewhere = "com.example.elsewhere"

  private typealias Member = (key: String, value: String)

  /// Gives the body or a value a wrong type; the right value moves to the key `was`, which Apple never uses.
  private static func wrongTypes(_ body: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    switch random.between(0, 9) {
    case 0: Array("[".utf8) + body + Array("]".utf8)
    case 1: Array((random.pick(["\"0\"", "0", "null"]) ?? "0").utf8)
    default: edited(body, by: otherTypes, &random) { "\"\($0)\":\($1), \"was\":" }
    }
  }

  private static let otherTypes: [Member] = [
    ("status", "[0]"), ("status", "true"), ("status", "\"valid\""), ("status", "{\"code\":0}"),
    ("receipt", "[]"),
    ("latest_receipt_info", "7"), ("transaction_id", "{}"), ("original_transaction_id", "[1]"),
    ("purchase_date_ms", "true"), ("signedTransactions", "7"), ("data", "{}"),
    ("signedTransactionInfo", "[]"),
  ]

  /// Values for duplicate keys; parsers differ in the value that they keep (*RFC 8259, 4*).
  private static let contradictions: [Member] = [
    ("status", "21005"), ("receipt", "{}"), ("bundle_id", "\"\(elsewhere)\""), ("bid", "\"\(elsewhere)\""),
    ("product_id", "\"\(elsewhere)\""), ("hasMore", "null"), ("data", "[]"), ("signedTransactions", "[]"),
  ]

  private static func edited(
    _ body: [UInt8], by members: [Member], _ random: inout SplitMix64, _ edit: (String, String) -> String
  ) -> [UInt8] {
    guard let member = random.pick(members.filter { body.contains("\"\($0.key)\":") }) else { return body }
    return body.replacing("\"\(member.key)\":", with: edit(member.key, member.value))
  }

  private static func deepNesting(_ random: inout SplitMix64) -> [UInt8] {
    let levels = 100_000
    let (open, close) = random.pick([("[", "]"), ("{\"a\":", "}"), ("[", "")]) ?? ("[", "]")
    let nested = String(repeating: open, count: levels) + "0" + String(repeating: close, count: levels)
    return Array("{\"environment\":\"Production\", \"receipt\":\(nested), \"status\":0}".utf8)
  }

  /// Invalid UTF-8: a stray byte, an overlong slash, half of a surrogate pair, and a truncated sequence.
  private static let notUTF8: [[UInt8]] = [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]]

  private static func invalidUTF8(_ body: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let stray = random.pick(notUTF8) ?? [0xFF]
    for key in ["\"product_id\":\"", "\"environment\":\""] where body.contains(key) {
      let key = Array(key.utf8)
      return body.replacing(key, with: key + stray, maxReplacements: 1)
    }
    return Array("{\"environment\":\"".utf8) + stray + Array("\", ".utf8) + body.dropFirst()
  }

  /// Swaps production and sandbox; iOS 6 style answers, which name no environment, get the sandbox.
  private static func swappingEnvironments(_ body: [UInt8]) -> [UInt8] {
    if !body.contains("\"environment\":") {
      return Array("{\"environment\":\"Sandbox\", ".utf8) + body.dropFirst()
    }
    let isSandbox = body.contains("\"environment\":\"Sandbox\"")
    let (old, new) = isSandbox ? ("Sandbox", "Production") : ("Production", "Sandbox")
    return body.replacing("\"environment\":\"\(old)\"", with: "\"environment\":\"\(new)\"")
  }

  /// Changes signed texts in an answer; `select` gets all their indices, and returns the indices to change.
  static func signed(
    in body: [UInt8], _ select: ([Int]) -> [Int], _ change: (String) -> String
  ) -> [UInt8] {
    var parts = String(decoding: body, as: UTF8.self)
      .split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    // `eyJ` is the base64url of `{"`, the first bytes of a header.
    for place in select(parts.indices.filter { parts[$0].hasPrefix("eyJ") }) {
      parts[place] = change(parts[place])
    }
    return Array(parts.joined(separator: "\"").utf8)
  }

  /// Replaces the answer's receipt by another customer's, by garbage, or by a truncated or forged receipt.
  static func latestReceipt(
    _ body: [UInt8], stranger: String?, _ random: inout SplitMix64
  ) -> [UInt8] {
    let key = Array("\"latest_receipt\":\"".utf8)
    guard let found = body.firstRange(of: key) else { return body }
    let rest = body[found.upperBound...]
    let right = String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    let forged = right.dropLast(8) + (right.last == "=" ? "AAAAAAA=" : "AAAAAAAA")
    let garbage = ["MIIgarbage=", String(right.prefix(right.count / 8 * 4)), String(forged)]
    let other = random.chance(0.5) ? stranger : random.pick(garbage)
    return body[..<found.upperBound] + Array((other ?? "").utf8) + rest.dropFirst(right.utf8.count)
  }
}

extension [UInt8] {
  var firstHalf: [UInt8] { Array(prefix(count - count / 2)) }

  func replacing(_ old: String, with new: String) -> [UInt8] {
    replacing(Array(old.utf8), with: Array(new.utf8))
  }

  func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

extension FakePopulation {
  /// Returns another customer of the same kind and app whose account is never deleted; `nil` if none exists.
  func neighbour(of asked: Subscriber, _ random: inout SplitMix64) -> Subscriber? {
    let first = Int(random.between(1, Int64(max(1, count - 1))))
    return (0..<count).lazy.map { subscriber((asked.index + first + $0) % count, founded: asked.founded) }
      .first {
        $0.index != asked.index && $0.kind == asked.kind && $0.bundleID == asked.bundleID
          && $0.accountGoneFrom == nil
      }
  }
}
