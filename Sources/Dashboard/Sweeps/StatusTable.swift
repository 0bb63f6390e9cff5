import Screen
import Subscriptions

/// Table of Apple's statuses with counts and an example of each. Enter opens the receipts.
struct StatusTable {
  var statuses: [StatusTally]
  /// Answers with other HTTP statuses than 200.
  var http: [Int: Int] = [:]
  var unanswered = 0
  /// Start of the sweep that the statuses are from; `nil` if they are the last status of each receipt.
  var since: Instant?
  let now: Instant
  let glyphs: GlyphSet

  init(_ statuses: [StatusTally], at now: Instant, in glyphs: GlyphSet) {
    (self.statuses, self.now, self.glyphs) = (statuses, now, glyphs)
  }

  init(_ swept: SweptFigures, at now: Instant, in glyphs: GlyphSet) {
    self.init(swept.statuses, at: now, in: glyphs)
    http = swept.counts.http.filter { $0.key != 200 }
    unanswered = swept.counts.transportErrors
    since = swept.started
  }

  var listing: Listing {
    let failures =
      http.sorted { $0.key < $1.key }.map { ("HTTP \($0.key)", Self.meaning(ofHTTP: $0.key), $0.value) }
      + (unanswered > 0 ? [(glyphs.dash, "no answer", unanswered)] : [])
    let whole = statuses.reduce(0) { $0 + $1.count } + failures.reduce(0) { $0 + $1.2 }
    func row(
      _ id: String, _ name: StyledText, _ meaning: String, _ count: Int, seen: StyledText,
      example: ReceiptID?, drillDown: ReceiptQuestion? = nil
    ) -> Listing.Row {
      Listing.Row(
        id: id,
        [
          name, StyledText(meaning), StyledText(CountText.of(count), .strong),
          StyledText(PercentText.of(count, in: whole, unknown: ""), .dim), seen,
          StyledText(example.map { "\($0)" } ?? glyphs.dash, .dim),
        ], drillDown: drillDown.map { .receipts($0) })
    }
    let rows =
      statuses.map { tally in
        let status = AppleStatus(tally.status)
        return row(
          "\(tally.status)", StyledText("\(tally.status)", status.style), status.meaning ?? "undocumented",
          tally.count, seen: StyledText(AgeText.since(tally.lastSeenAtMs, at: now)),
          example: tally.exampleReceipt, drillDown: .status(tally.status, since: since))
      }
      + failures.map { name, meaning, count in
        row(name, StyledText(name, .warn), meaning, count, seen: .dash(in: glyphs), example: nil)
      }
    return Listing(
      [
        .number("Status"), .name("Meaning", least: 15), .number("Count"), .number("Share", priority: 3),
        .number("Seen", priority: 1), .number("Receipt", priority: 2),
      ], rows, emptyText: "Nothing has been answered yet.", in: glyphs)
  }

  /// RFC 9110, section 15.
  private static func meaning(ofHTTP status: Int) -> String {
    switch status {
    case 429: "too many requests"
    case 503: "unavailable"
    case 500...599: "server error"
    case 400...499: "refused"
    case 300...399: "redirect"
    default: "not an answer"
    }
  }
}
