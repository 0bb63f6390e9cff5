import Subscriptions

/// Reason for a state or a figure, in words for the screen.
///
/// In the JSON, a reason names the deciding fields (METRICS §3). On the screen, words replace the fields, and
/// only Apple's code for the reason stays, as in `cancelled (intent 1)`.
struct ReasonWords {
  let text: String

  /// Creates the words for a reason, without the name of `state` at its start, which is shown elsewhere.
  init(_ reason: String, without state: LineState? = nil) {
    var text = Self.flow(reason.without(state))
    var bytes = Array(text.utf8)
    for (field, words) in Self.all + Self.notified where bytes[...].firstIndex(of: Array(field.utf8)) != nil {
      text = text.replacing(field, with: words)
      bytes = Array(text.utf8)
    }
    text = Self.value("expiration_intent", in: text) { code in
      let intent = ExpirationIntent(code)
      // The words for an unknown code already contain the code.
      if case .unknown = intent { return intent.words }
      return "\(intent.words) (intent \(code))"
    }
    self.text = Self.value("cancellation_reason", in: text) {
      Self.cancellation($0 == "none" ? nil : $0)
    }
  }

  private static let all = fields + offers

  /// Texts of reasons with their words; longer texts come first, because they contain shorter ones.
  private static let fields = [
    ("no expiration_intent: reason unknown", "reason unknown"),
    ("is_in_billing_retry_period = 1 is older", "billing retry is older"),
    ("is_in_billing_retry_period = 1", "in billing retry"),
    ("grace_period_expires_date in", "grace ends in"),
    ("its expires_date is", "its end is"), ("expires_date in", "ends in"), ("expires_date", "ended"),
    ("Apple's cancellation_date", "Apple's cancellation date"),
    ("a cancellation_date", "a cancellation date"), ("cancellation_date", "cancelled by Apple"),
    ("revocationPercentage = ", "partial refund: "), ("is_trial_period = true", "trial period"),
    ("is_upgraded = true", "upgraded"), ("auto_renew_status = 0", "auto-renew off"),
    ("and not validated before it came back", "not checked before it returned"),
    ("every row was upgraded away", "every period was replaced by an upgrade"),
    (" after billing_retry", " after billing retry"), (" after overdue", " after unverified"),
    ("; billing_retry: ", "; billing retry: "), ("; overdue: ", "; unverified: "),
    (" later billing_retry: ", " later billing retry: "), (" later overdue: ", " later unverified: "),
  ]

  private static let notified = (1...5).map { ExpirationIntent("\($0)") }.map {
    ("/\($0.expiredSubtype ?? "") (\($0.name))", "/\($0.expiredSubtype ?? "") (\($0.words))")
  }

  private static let offers = PeriodKind.allCases.filter { $0.offerName != $0.rawValue }.flatMap {
    kind in
    [
      ("\(kind.rawValue) period, ", "\(kind.offerName) period, "),
      (" as \(kind.rawValue)", " as \(kind.offerName)"),
    ]
  }

  /// Returns the reason with words for the codes at its start, as in `to_retry: billing_retry after active`.
  private static func flow(_ reason: String) -> String {
    var text = reason
    if let flow = Flow.allCases.first(where: { text.hasPrefix("\($0.rawValue): ") }) {
      text = "\(flow.wordsByThemselves): \(text.dropFirst(flow.rawValue.count + 2))"
    }
    for (code, words) in [("billing_retry", "billing retry"), ("overdue", "unverified")] {
      text = text.replacing(": \(code) after ", with: ": \(words) after ")
      for ending in [" after ", ", "] where text.hasPrefix(code + ending) {
        text = words + text.dropFirst(code.count)
      }
    }
    return text
  }

  /// Replaces `field = value`, and a name in parentheses after it, with the result of `words` for the value.
  private static func value(_ field: String, in text: String, by words: (String) -> String) -> String {
    guard let place = text.firstRange(of: "\(field) = ") else { return text }
    var rest = text[place.upperBound...]
    let code = rest.prefix { !",; ".contains($0) }
    rest = rest.dropFirst(code.count)
    if rest.hasPrefix(" ("), let end = rest.firstIndex(of: ")") { rest = rest[rest.index(after: end)...] }
    return text[..<place.lowerBound] + words(String(code)) + rest
  }
}

extension String {
  func without(_ state: LineState?) -> String {
    guard let prefix = state.map({ "\($0.rawValue): " }), hasPrefix(prefix) else { return self }
    return String(dropFirst(prefix.count))
  }
}

extension ReasonWords {
  /// Returns words for Apple's code, *App Store Receipts › cancellation_reason*.
  static func cancellation(_ code: String?) -> String {
    switch code {
    case "1"?: "for an app issue (reason 1)"
    case "0"?: "for a reason other than an app issue (reason 0)"
    case let code?: "for reason \(code)"
    case nil: "without a reason"
    }
  }
}
