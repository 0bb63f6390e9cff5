import Screen
import Subscriptions

extension QueueReport {
  /// Returns the sizes of the queues, with the age of the figures if `read` is not `nil`.
  func queues(at now: Instant, readAt read: Instant? = nil) -> Block {
    let age = read.map { ", \(AgeText.since($0, at: now))" } ?? ""
    return Block(StyledText("Queues\(age)"), .figures(figures(at: now)), minimumColumns: 27)
  }

  @FigureBuilder private func figures(at now: Instant) -> [Figure] {
    Figure.count("Due", due, Style(.warn, .bold)).drillDown(.due())
    if overdueByAge.count > 1 {
      for (index, bucket) in overdueByAge.enumerated() where bucket.count > 0 {
        let next = overdueByAge.dropFirst(index + 1).first?.fromMs
        Figure.part(
          Self.span(from: bucket.fromMs, to: next), bucket.count,
          bucket.fromMs >= Milliseconds.day ? .bad : .text
        ).drillDown(.due(from: bucket.fromMs, until: next))
      }
    }
    Figure.count("Due in 24 h", next24h.reduce(0, +), .text).drillDown(.dueSoon)
    Figure.count("Due later", later, .text).drillDown(.dueLater)
    Figure.count("Given up", deadCount, Style(.bad, .bold)).drillDown(.dead(nil))
    // These receipts are also counted above, by due date.
    Figure("Of all of these", "")
    Figure.part("awaiting retry", retrying, .warn).drillDown(.failed(nil))
    if let next = nextRetryAtMs {
      Figure("next retry", StyledText(AgeText.ago(max(next, now), at: now)), isPart: true)
    }
    Figure.part("in progress", leased, .text).drillDown(.inProgress)
  }

  /// Returns a range of ages, such as `under 1 h`, `1 h to 6 h` or `7 d and more`.
  static func span(from: Int64, to next: Int64?) -> String {
    func bound(_ age: Int64) -> String {
      age <= Milliseconds.day ? "\(age / Milliseconds.hour) h" : AgeText.of(age)
    }
    guard let next else { return "\(bound(from)) and more" }
    return from == 0 ? "under \(bound(next))" : "\(bound(from)) to \(bound(next))"
  }

  func nextDue(in formatter: DisplayFormatter) -> Block {
    let peak = next24h.enumerated().max { $0.element < $1.element }
    var title: StyledText = [TextSpan("Due in 24 h", .heading)]
    if let peak, peak.element > 0 {
      let clock = formatter.clock(asOfMs + Int64(peak.offset) * Milliseconds.hour)
      title = title + [TextSpan(", peak \(CountText.of(peak.element)) an hour from \(clock)", .dim)]
    }
    return Block(
      title,
      .chart(
        SeriesChart(
          next24h.map(Double.init), .columns, .accent, top: CountText.of(peak?.element ?? 0), bottom: "0",
          times: [0, 12, 24].map { formatter.clock(asOfMs + $0 * Milliseconds.hour) })),
      minimumColumns: 60)
  }

  var costs: Block {
    let lines = CountText.aligned(policy.map(\.lines))
    let requests = CountText.aligned(policy.map { CountText.rate($0.requestsPerDay) })
    let bars = policy.enumerated().map { index, cost in
      FigureBar(
        Bar(
          label: TextSpan(cost.rule.words), value: cost.requestsPerDay,
          text: "\(requests[index]) a day for \(lines[index])", cost.rule == .overdue ? .warn : .accent))
    }
    guard !policy.isEmpty else {
      // Before the first sweep, receipts are due although no subscription is known.
      let first = "\(CountText.of(due, "receipt")) due now. The first sweep makes the schedule."
      let text = StyledText(due == 0 ? "Nothing to check." : first, .dim)
      return Block("Re-check schedule", .text([text]), minimumColumns: 56)
    }
    return Block(
      [
        TextSpan("Re-check schedule: ", .heading),
        TextSpan("\(CountText.rate(requestsPerDay)) a day", .strong),
        TextSpan(" for \(CountText.of(policy.lines, "subscription"))", .heading),
      ],
      .bars(bars), minimumColumns: 56)
  }

  var ages: Block {
    guard let freshness else {
      return Block(
        "Time since last check (active)", .text([StyledText("None has been checked yet.", .dim)]),
        minimumColumns: 34)
    }
    let isOld = freshness.max > Milliseconds.day
    return Block(
      "Time since last check (active)",
      .figures([
        Figure("median", StyledText(AgeText.of(freshness.p50), .strong)),
        Figure("95th percentile", StyledText(AgeText.of(freshness.p95), .strong)),
        Figure("oldest", StyledText(AgeText.of(freshness.max), isOld ? .warn : .text)),
        Figure("within 24 h", StyledText(PercentText.of(freshness.within24h), .strong)),
      ]), minimumColumns: 34)
  }

  func lag(in glyphs: GlyphSet) -> Block {
    Block(
      "Detection lag, 28 d; exact times only", detectionLag,
      [
        Column(.name("Event", least: 12)) { StyledText($0.type) }, .count("Seen", priority: 2) { $0.count },
        Column(.number("Median")) { StyledText(AgeText.delay($0.p50), .strong) },
        Column(.number("95th percentile", priority: 1)) { StyledText(AgeText.delay($0.p95)) },
      ], emptyText: "No re-check has detected a change yet.", minimumColumns: 46, in: glyphs
    ) { Listing.Row(id: $0.type) }
  }

  func troubles(in glyphs: GlyphSet) -> [Block] {
    let retries =
      failures.isEmpty
      ? [] : [Self.list(failures, "Awaiting retry, by reason", .warn, in: glyphs) { .failed($0) }]
    return retries + [Self.list(dead, "Given up, by reason", .bad, in: glyphs) { .dead($0) }]
  }

  func setAside(in glyphs: GlyphSet) -> [Block] {
    setAside.isEmpty
      ? [] : [Self.list(setAside, "Checked rarely, by reason", .warn, in: glyphs) { .setAside($0) }]
  }

  private static func list(
    _ reasons: [DeadReason], _ title: String, _ style: Style, in glyphs: GlyphSet,
    drillDown: (String) -> ReceiptQuestion
  ) -> Block {
    typealias Entry = (name: StyledText, count: Int, receipt: ReceiptID?, question: ReceiptQuestion?)
    let (shown, others) = (reasons.prefix(10), reasons.dropFirst(10))
    var entries = shown.map { reason -> Entry in
      (StyledText(reason.reason), reason.count, reason.exampleReceipt, drillDown(reason.reason))
    }
    if !others.isEmpty {
      let name = StyledText(CountText.of(others.count, "other reason"), .dim)
      entries.append((name, others.reduce(0) { $0 + $1.count }, nil, nil))
    }
    return Block(
      StyledText(title, .heading), entries,
      [
        Column(.name("Reason", least: 16, most: 96)) { $0.name }, .count("Count", style) { $0.count },
        Column(.number("Receipt", priority: 1)) {
          StyledText($0.receipt.map { "\($0)" } ?? glyphs.dash, .dim)
        },
      ], emptyText: "None.", minimumColumns: 48, in: glyphs
    ) { Listing.Row(id: $0.name.text, drillDown: $0.question.map { .receipts($0) }) }
  }
}

extension DuePolicy.Rule {
  var words: String {
    switch self {
    case .aroundExpiry: "around expiry"
    case .important: "important, last hours"
    case .trial: "trial"
    case .active: "active, mid-period"
    case .priceConsentPending: "price increase pending"
    case .overdue: "unverified"
    case .grace: "grace"
    case .billingRetry: "billing retry"
    case .lapsed: "lapsed"
    case .longLapsed: "long lapsed"
    case .noLines: "no subscription"
    case .new: "new"
    case .failed: "failed"
    case .tooLong: "answer too long"
    }
  }
}
