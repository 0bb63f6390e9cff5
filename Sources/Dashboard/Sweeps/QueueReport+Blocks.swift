import Screen
import Subscriptions

extension QueueReport {
  func queues(at now: Instant) -> Block {
    var figures = [Figure.count("Due", due, Style(.warn, .bold)).drillDown(.due())]
    for (index, bucket) in overdueByAge.enumerated() where bucket.count > 0 && overdueByAge.count > 1 {
      let next = overdueByAge.dropFirst(index + 1).first?.fromMs
      figures.append(
        .part(
          Self.span(from: bucket.fromMs, to: next), bucket.count,
          bucket.fromMs >= Milliseconds.day ? .bad : .text
        ).drillDown(.due(from: bucket.fromMs, until: next)))
    }
    figures.append(.count("To be tried again", retrying, Style(.warn, .bold)).drillDown(.failed(nil)))
    if let next = nextRetryAtMs {
      figures.append(Figure("the next", StyledText(AgeText.ago(max(next, now), at: now)), isPart: true))
    }
    figures += [
      .count("Given up", deadCount, Style(.bad, .bold)).drillDown(.dead(nil)),
      .count("In progress", leased, .text).drillDown(.inProgress),
      .count("Due in 24 h", next24h.reduce(0, +), .text).drillDown(.dueSoon),
      .count("Due later", later, .text).drillDown(.dueLater),
    ]
    return Block("Queues", .figures(figures), minimumColumns: 27)
  }

  /// Examples: `under 1 h`, `1 h to 6 h`, `7 d and more`.
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
      title = title + [TextSpan(", at most \(CountText.of(peak.element)) an hour from \(clock)", .dim)]
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
    let bars = policy.indices.map { index in
      let cost = policy[index]
      return FigureBar(
        bar: Bar(
          label: TextSpan(cost.rule.words), value: cost.requestsPerDay,
          text: "\(requests[index]) a day for \(lines[index])", cost.rule == .overdue ? .warn : .accent))
    }
    return Block(
      [
        TextSpan("Due policy: ", .heading),
        TextSpan("\(CountText.rate(requestsPerDay)) requests a day", .strong),
        TextSpan(", \(CountText.of(policy.lines, "subscription"))", .heading),
      ],
      policy.isEmpty ? .text([StyledText("Nothing to ask about.", .dim)]) : .bars(bars), minimumColumns: 56)
  }

  /// Time since the last check of active lines.
  var ages: Block {
    let title: StyledText = "Age of the active base"
    guard let freshness else {
      return Block(title, .text([StyledText("None has been checked yet.", .dim)]), minimumColumns: 32)
    }
    return Block(
      title,
      .figures([
        Figure("median", StyledText(AgeText.of(freshness.p50), .strong)),
        Figure("95th percentile", StyledText(AgeText.of(freshness.p95), .strong)),
        Figure(
          "the oldest",
          StyledText(AgeText.of(freshness.max), freshness.max > Milliseconds.day ? .warn : .text)
        ),
        .share("within 24 h", freshness.within24h),
      ]), minimumColumns: 32)
  }

  func lag(in glyphs: GlyphSet) -> Block {
    let rows = detectionLag.map { lag in
      Listing.Row(
        id: lag.type,
        [
          StyledText(lag.type), .number(lag.count), StyledText(AgeText.delay(lag.p50), .strong),
          StyledText(AgeText.delay(lag.p95)),
        ])
    }
    return Block(
      "Detection lag, 28 d; exact times only",
      .listing(
        Listing(
          [
            .name("Event", least: 12), .number("Seen", priority: 2), .number("Median"),
            .number("95th percentile", priority: 1),
          ], rows, emptyText: "None was noticed by asking Apple again.", in: glyphs)), minimumColumns: 46)
  }

  private static let reasonsShown = 10

  func givenUpByReason(in glyphs: GlyphSet) -> Block {
    Self.list(dead, "Given up, by reason", .bad, in: glyphs) { .dead($0) }
  }

  func retries(in glyphs: GlyphSet) -> Block? {
    failures.isEmpty
      ? nil : Self.list(failures, "To be tried again, by reason", .warn, in: glyphs) { .failed($0) }
  }

  func setAside(in glyphs: GlyphSet) -> Block? {
    setAside.isEmpty
      ? nil : Self.list(setAside, "Asked rarely, by reason", .warn, in: glyphs) { .setAside($0) }
  }

  private static func list(
    _ reasons: [DeadReason], _ title: String, _ style: Style, in glyphs: GlyphSet,
    drillDown: (String) -> ReceiptQuestion
  ) -> Block {
    let rows = reasons.prefix(reasonsShown).map { reason in
      Listing.Row(
        id: reason.reason,
        [
          StyledText(reason.reason), .number(reason.count, style),
          StyledText("\(reason.exampleReceipt)", .dim),
        ],
        drillDown: .receipts(drillDown(reason.reason)))
    }
    let others = reasons.dropFirst(reasonsShown)
    let rest = Listing.Row(
      id: "",
      [
        StyledText(CountText.of(others.count, "other reason"), .dim),
        .number(others.reduce(0) { $0 + $1.count }, style), .dash(in: glyphs),
      ])
    return Block(
      StyledText(title, .heading),
      .listing(
        Listing(
          [.name("Reason", least: 16, most: 96), .number("Count"), .number("Receipt", priority: 1)],
          rows + (others.isEmpty ? [] : [rest]), emptyText: "None.", in: glyphs)), minimumColumns: 48)
  }
}

extension DuePolicy.Rule {
  var words: String {
    switch self {
    case .aroundExpiry: "around an expiry"
    case .important: "important, last hours"
    case .trial: "trial"
    case .active: "active, mid-period"
    case .priceConsentPending: "price not agreed yet"
    case .overdue: "not confirmed yet"
    case .grace: "grace"
    case .billingRetry: "billing retry"
    case .lapsed: "lapsed"
    case .longLapsed: "long lapsed"
    case .noLines: "without a subscription"
    case .new: "new"
    case .failed: "failed"
    case .tooLong: "answer too long"
    }
  }
}
