import Screen
import Subscriptions

private struct AnswerTally {
  let name: StyledText
  let meaning: String
  let count: Int
  /// Details of Apple's status; `nil` for HTTP errors and missing answers.
  var tally: StatusTally?
}

extension Listing {
  /// Creates the list of a sweep's answers; Enter on an answer opens its receipts.
  ///
  /// - Parameters:
  ///   - http: Counts of answers by HTTP status, without 200.
  ///   - start: Start of the sweep; `nil` if `statuses` has the last status of each receipt.
  init(
    _ statuses: [StatusTally], http: [Int: Int] = [:], unanswered: Int = 0, since start: Instant? = nil,
    at now: Instant, in glyphs: GlyphSet
  ) {
    // A Server API error is counted by its code, whose first three digits are its HTTP status.
    let unnamed = statuses.reduce(into: http) { counts, tally in
      if tally.status >= 1_000_000 { counts[tally.status / 10_000, default: 0] -= tally.count }
    }.filter { $0.value > 0 }
    let answers =
      statuses.map { tally in
        let status = AppleStatus(tally.status)
        return AnswerTally(
          name: StyledText("\(tally.status)", status.style), meaning: status.meaning ?? "undocumented",
          count: tally.count, tally: tally)
      }
      + unnamed.sorted { $0.key < $1.key }.map {
        AnswerTally(name: StyledText("HTTP \($0)", .warn), meaning: Self.meaning(ofHTTP: $0), count: $1)
      }
      + (unanswered > 0
        ? [AnswerTally(name: StyledText(glyphs.dash, .warn), meaning: "no answer", count: unanswered)] : [])
    let whole = answers.reduce(0) { $0 + $1.count }
    self.init(
      answers,
      [
        Column(.number("Status")) { $0.name },
        Column(.name("Meaning", least: 15)) { StyledText($0.meaning) },
        Column(.number(start == nil ? "Receipts" : "Answers")) {
          StyledText(CountText.of($0.count), .strong)
        },
        Column(.number("Share", priority: 3)) {
          StyledText(PercentText.of($0.count, in: whole, unknown: ""), .dim)
        },
        Column(.number("Seen", priority: 1)) { answer in
          answer.tally.map { StyledText(AgeText.since($0.lastSeenAtMs, at: now)) }
        },
        Column(.number("Receipt", priority: 2)) { answer in
          StyledText(answer.tally.map { "\($0.exampleReceipt)" } ?? glyphs.dash, .dim)
        },
      ], emptyText: "No answers yet.", in: glyphs
    ) { answer in
      Row(
        id: answer.name.text,
        drillDown: answer.tally.map { .receipts(.status($0.status, since: start)) })
    }
  }

  /// Returns the meaning of an HTTP status by RFC 9110, section 15, and for 429 by RFC 6585.
  private static func meaning(ofHTTP status: Int) -> String {
    switch status {
    case 429: "too many requests"
    case 503: "unavailable"
    case 500...599: "server error"
    case 400...499: "refused"
    case 300...399: "redirect"
    default: "unexpected"
    }
  }
}
