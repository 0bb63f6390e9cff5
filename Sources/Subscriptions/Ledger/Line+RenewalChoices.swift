/// Episodes of auto-renew choices and price consent (METRICS §5, Opt-outs).
extension Line {
  /// Episodes of auto-renew turned off; the awaited event is a renewal, or auto-renew turned on again.
  ///
  /// Each lasts from the snapshot that shows the change to the period's end, or a renewal up to 24 h later.
  var optOuts: [Episode] {
    let spans = timeline.spans
    guard !isFamilyShared else { return [] }
    return spans.indices.dropFirst().compactMap { place in
      let (span, row) = (spans[place], rows[spans[place].position.row])
      guard spans[place - 1].position.autoRenew == true, span.position.autoRenew == false,
        span.position.state.isRunning, span.from < row.effectiveEnd
      else { return nil }
      let renewed = rows.first {
        $0.purchase > span.from && $0.purchase <= row.effectiveEnd + Milliseconds.day
          && !$0.isDead(at: $0.purchase)
      }?.purchase
      let turnedOn = spans[place...].prefix { $0.from < row.effectiveEnd }.first {
        $0.position.autoRenew == true
      }?.from
      let back = [renewed, turnedOn].compactMap(\.self).min()
      return episode(
        .optOut, span, lasting: [span.from..<max(row.effectiveEnd, back ?? row.effectiveEnd)], next: back)
    }
  }

  var endingSoon: [Episode] {
    guard !isFamilyShared else { return [] }
    return timeline.spans.compactMap { span in
      guard span.position.state.isRunning, span.position.autoRenew == false else { return nil }
      let expires = rows[span.position.row].expires
      let (from, until) = (max(span.from, expires - Self.soon), min(span.until, expires))
      return from < until ? episode(.endingSoon, span, from: from, lasting: [from..<until]) : nil
    }
  }

  /// Milliseconds before the end of a period at which `endingSoon` begins.
  static let soon = 7 * Milliseconds.day

  /// Episodes of requests for consent to a higher price; the awaited event is the consent.
  ///
  /// Each begins with the first snapshot that shows the request or the consent. It ends with the consent or
  /// the period, even if Apple still reports the request. A renewal without a new request counts as consent.
  var consents: [Episode] {
    let spans = timeline.spans
    guard !isFamilyShared, renewals.contains(where: { $0.info.consent != nil }) else { return [] }
    // A request begins only in a running period.
    var words: [ConsentWord] = []
    for span in spans {
      let isOpen = span.position.state.isRunning || words.last?.consent != nil
      words.append((isOpen ? consent(span) : nil, span.position.row))
    }
    let known = Self.consentsKnown(words)
    func begins(_ place: Int) -> Bool {
      guard let now = known[place] else { return false }
      guard place > 0, let before = known[place - 1] else { return true }
      return before && !now
    }
    return spans.indices.filter(begins).map { place in
      let end = (place + 1..<spans.endIndex).first { known[$0] == nil || begins($0) } ?? spans.endIndex
      let agreed = (place..<end).first { known[$0] == true } ?? renewed(after: place, by: end, spans)
      let lasting = (place..<(agreed ?? end)).filter {
        spans[$0].position.state.isRunning && known[$0] == false
      }
      return episode(
        .consent, spans[place], lasting: lasting.reduce(into: []) { $0.join(spans[$1].stretch) },
        next: agreed.map { spans[$0].from })
    }
  }

  /// Consent in a span or an answer (`RenewalInfo.consent`), with a number that identifies the current row.
  typealias ConsentWord = (consent: Bool?, row: Int?)

  /// Returns the consents, with each gap between two values for the same row filled with the earlier value.
  ///
  /// Any other missing value means that no request is open (METRICS §3, Price consent).
  static func consentsKnown(_ words: [ConsentWord]) -> [Bool?] {
    var known = words.map(\.consent)
    var last: Int?
    for place in words.indices where words[place].consent != nil {
      if let last, words[last].row == words[place].row {
        for gap in last + 1..<place { known[gap] = known[last] }
      }
      last = place
    }
    return known
  }

  /// Returns the index of the first span of the row that runs in span `end`; `nil` if no new row runs there.
  private func renewed(after place: Int, by end: Int, _ spans: [Span]) -> Int? {
    guard end < spans.endIndex, spans[end].position.state.isRunning,
      spans[end].position.row != spans[place].position.row
    else { return nil }
    return (place + 1...end).first { spans[$0].position.row == spans[end].position.row }
  }

  /// Episodes of a running period with an unanswered request for consent.
  var pendingConsents: [Episode] {
    guard !isFamilyShared, renewals.contains(where: { $0.info.consent != nil }) else { return [] }
    return timeline.spans.compactMap { span in
      guard span.position.state.isRunning, consent(span) == false else { return nil }
      return episode(.pendingConsent, span, lasting: [span.stretch])
    }
  }

  private func consent(_ span: Span) -> Bool? { span.renewal.flatMap { renewals[$0].info.consent } }

  private func episode(
    _ kind: FactKind, _ span: Span, from: Instant? = nil, lasting: [Range<Instant>], next: Instant? = nil
  ) -> Episode {
    let position = classified(span)
    return Episode(
      kind: position.kind.fact(kind), from: from ?? span.from, lasting: lasting, next: next,
      row: span.position.row, micros: position.monthlyMicros, converted: position.converted)
  }
}
