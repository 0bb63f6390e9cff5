import Testing

/// Texts that would affect a terminal or a spreadsheet, with letters that prove that they were drawn.
enum HostileText {
  static let all = [
    "\u{1B}[31337mowned", "\u{1B}]0;owned\u{7}", "\u{1B}]52;c;b3duZWQ=\u{1B}\\owned", "\u{1B}cowned",
    "owned\u{1B}[6n\u{1B}[c\u{5}", "\u{9B}31337mowned\u{9D}0;owned\u{9C}", "owned\r\nowned\u{85}owned\rowned",
    "owned\u{8}\u{8}\u{B}\u{E}\u{7F}", "owned\u{202E}dwo\u{202C}\u{2066}\u{2069}\u{200F}",
    "👩\u{200D}🚀owned🏴\u{E0067}\u{E007F}",
    "ow\u{200B}ne\u{2060}d\u{FEFF}\u{AD}\u{200D}", "owned\u{E0001}\u{E0061}\u{E007F}",
    "owned\u{2028}owned\u{2029}", "owned" + String(repeating: "\u{301}", count: 60), "owned\u{E0B0}\u{F8FF}",
    "=HYPERLINK(\"http://127.0.0.1\",\"owned\")", "+1+owned", "-1+owned", "@SUM(owned)", "=\u{301}owned",
    "＝owned", "\t=owned", "\r\n=owned", "owned\",=1+1", "owned\"\u{301},=1+1",
    String(repeating: "owned", count: 25),
  ]

  static let at = "2026-06-01T00:00:00Z"
  private static let (now, day): (Int64, Int64) = (1_780_272_000_000, 86_400_000)

  static func store() async throws -> Subtop {
    let subtop = try Subtop()
    let file = try subtop.file("answers.jsonl", all.enumerated().map { answer($1, $0) + "\n" }.joined())
    let outcome = try await subtop.run("import", "responses", file)
    guard outcome.ending == .code(0) else { throw NotLoaded(said: outcome.errors) }
    return subtop
  }

  private struct NotLoaded: Error { let said: String }

  /// - Parameter place: Number that makes the chains' ids unique, since they cannot contain such a text.
  private static func answer(_ text: String, _ place: Int) -> String {
    let chains = [("a", 20), ("r", -5)] as [(String, Int64)]
    let rows = chains.map { chain, end in
      """
      {"product_id":\(json(text)),"transaction_id":"\(chain)\(place)","quantity":"1",\
      "original_transaction_id":"\(chain)\(place)","subscription_group_identifier":"g\(place)",\
      "in_app_ownership_type":\(json(text)),"offer_code_ref_name":\(json(text)),\
      "purchase_date_ms":"\(now - 30 * day)","expires_date_ms":"\(now + end * day)"}
      """
    }
    let pending = chains.map { chain, end in
      """
      {"original_transaction_id":"\(chain)\(place)","product_id":\(json(text)),"auto_renew_status":"1",\
      "auto_renew_product_id":\(json(text)),"is_in_billing_retry_period":"\(end < 0 ? 1 : 0)",\
      "expiration_intent":\(end < 0 ? "\"2\"" : json(text))}
      """
    }
    return """
      {"app_user_id":\(json("all" + text)),"observed_at_ms":\(now - 1000),"response":{"status":0,\
      "environment":"Production","receipt":{"receipt_type":"Production","bundle_id":\(json(text)),\
      "request_date_ms":"\(now - 1000)","in_app":[]},"latest_receipt_info":[\(rows.joined(separator: ","))],\
      "pending_renewal_info":[\(pending.joined(separator: ","))]}}
      """
  }

  private static func json(_ text: String) -> String {
    let units = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(units.joined())\""
  }
}

/// Characters that could control a terminal, except line feeds.
func commands(in text: String) -> [String] {
  text.unicodeScalars.filter { scalar in
    scalar != "\n"
      && [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate].contains(
        scalar.properties.generalCategory)
  }.map { "U+" + String($0.value, radix: 16, uppercase: true) }
}
