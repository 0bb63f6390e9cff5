import Screen
import Subscriptions

/// Header of the screen: scope of the figures, their reliability, and alerts.
struct Header {
  let state: State

  private var report: Report? { state.panel.flatMap { state.panels[$0]?.report } }
  private var queue: QueueReport? { state.tab == .sweep ? state.sweepView.queue : nil }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let glyphs = canvas.glyphs
    let alerts = state.raisedAlerts
    let alarm = alerts.isEmpty ? [] : [Self.alarm(alerts, in: glyphs)]
    let isLow = rect.rows == 1
    canvas.put(
      condition(in: glyphs),
      beside: { room in
        isLow && !alerts.isEmpty && !isNarrowed ? alarm : scope(room, in: glyphs)
      }, row: rect.row, in: rect)
    guard !isLow else { return }
    let second = alarm + (report?.trust.parts(in: glyphs) ?? queue?.parts ?? [])
    let received = received(beside: second, columns: rect.columns, in: glyphs)
    canvas.put(received, beside: { _ in second }, row: rect.row + 1, in: rect)
  }

  /// Returns the server of a shared view, or else the listener's state, which is omitted if it does not fit.
  ///
  /// A listener that cannot run is always shown. On the events panel, the state takes precedence over all
  /// other parts except an alert, and only its age is omitted.
  private func received(beside others: [StyledText], columns: Int, in glyphs: GlyphSet) -> StyledText {
    if let origin = state.origin { return origin.words }
    let shown = state.tab == .sweep ? state.asOfSweeps : state.asOf
    let words = state.shownReceiving.words(at: shown, in: glyphs)
    if state.receiving == .prevented { return words }
    let kept = state.panel == .events ? others.prefix(state.raisedAlerts.isEmpty ? 0 : 1) : others[...]
    let width = Array(kept).joined(by: "  ").width(in: glyphs) + 2 + words.width(in: glyphs)
    if kept.isEmpty || width <= columns { return words }
    return state.panel == .events ? state.shownReceiving.words(at: nil, in: glyphs) : []
  }

  private static func alarm(_ alerts: [AlertState], in glyphs: GlyphSet) -> StyledText {
    guard let first = alerts.first else { return "" }
    let more = alerts.count > 1 ? ", \(CountText.of(alerts.count - 1)) more" : ""
    return [
      TextSpan(" \(glyphs.warning) \(first.short.harmless)\(more) ", Style(.bad, [.bold, .reverse])),
      TextSpan(" A", .key),
    ]
  }

  /// Returns the scope of the figures, most important parts first.
  private func scope(_ room: Int, in glyphs: GlyphSet) -> [StyledText] {
    let at = state.shownAt
    let isNarrow = state.size.columns < 60
    var parts: [StyledText] = [
      [TextSpan(isNarrow ? "" : "as of ", .dim), TextSpan(state.formatter.moment(at), .strong)]
    ]
    if state.tab != .sweep {
      // The scope describes the visible figures until the requested figures arrive.
      let shown = state.layers.isEmpty ? report : nil
      let environment = shown?.scope.environment ?? state.environment
      let next = state.window.words
      let window = shown?.window.words ?? next
      parts += [
        [TextSpan(environment.words, environment == .production ? .text : .warn)],
        [TextSpan(window == next ? state.windowText : window)],
      ]
    }
    var only: [StyledText] = []
    if state.tab != .sweep, !state.shownNarrowing.isEmpty {
      let words = state.shownNarrowing.words(state.products)
      only = [[TextSpan("only ", .dim), TextSpan(words, .accent)]]
    }
    let others = parts.dropFirst()
    parts += only
    if let fixed = state.fixedAt {
      let words = isOfNow ? "current sweeps, figures of \(state.formatter.minute(fixed))" : "fixed instant"
      parts.append([TextSpan(words, .warn)])
    }
    let program: StyledText = [TextSpan("subtop  ", .heading)]
    let named = [program + parts[0]] + parts.dropFirst() + [StyledText(state.storeName, .dim)]
    guard !isNarrow else { return only + [parts[0]] + others }
    // The narrowing is shown even if other parts do not fit.
    guard only.isEmpty || named.dropLast().map(\.self).joined(by: "  ").width(in: glyphs) <= room else {
      return [StyledText(state.formatter.moment(at), .strong)] + only + others
    }
    return named
  }

  /// Whether a narrowing, a fixed instant or the environment changes the default scope of the figures.
  private var isNarrowed: Bool {
    guard state.tab != .sweep else { return false }
    return !state.shownNarrowing.isEmpty || state.fixedAt != nil || state.environment != .production
  }

  /// Whether sweeps or receipts are shown, which are always current.
  private var isOfNow: Bool {
    guard state.tab == .sweep, let layer = state.layers.last else { return state.tab == .sweep }
    return if case .receipts = layer.content { true } else { false }
  }

  private func condition(in glyphs: GlyphSet) -> StyledText {
    if state.pending.failure != nil, report != nil || queue != nil {
      return StyledText("\(glyphs.warning) not up to date", .bad)
    }
    if state.isSlow { return StyledText("reading\(glyphs.ellipsis)", .info) }
    if state.isFrozen { return StyledText("frozen", .warn) }
    return state.isReadOnly ? StyledText("read-only", .dim) : []
  }
}

extension Canvas {
  /// Draws `right` at the right edge, and beside it as many parts as fit.
  ///
  /// `parts` is called with the remaining width, and returns the parts from left to right.
  fileprivate mutating func put(
    _ right: StyledText, beside parts: (_ room: Int) -> [StyledText], row: Int, in rect: Rect
  ) {
    let width = right.width(in: glyphs)
    let room = width == 0 ? rect.columns : max(0, rect.columns - width - 2)
    put(parts(room).fitting(room, by: "  ", in: glyphs), column: rect.column, row: row, width: room)
    if width > 0 { put(right, column: rect.column, row: row, width: rect.columns, align: .right) }
  }
}

extension EnvironmentScope {
  var words: String { self == .all ? "production + sandbox" : rawValue }
}

extension Trust {
  /// Returns the reliability of the figures, most important parts first.
  func parts(in glyphs: GlyphSet) -> [StyledText] {
    var parts: [StyledText] = [
      [TextSpan("fresh (24 h) ", .dim), freshness(in: glyphs)],
      .part("unverified", overdue, .warn),
      .part("unpriced", unpricedTransactions, .warn),
    ]
    let hidden = [(excludedSandbox, "sandbox"), (excludedFamilyShared, "family-shared")].filter { $0.0 > 0 }
    if !hidden.isEmpty {
      let text = hidden.map { "\(CountText.of($0.0)) \($0.1)" }.joined(separator: ", ")
      parts.append([TextSpan("hidden ", .dim), TextSpan(text)])
    }
    parts.append(
      StyledText("\(CountText.of(lines, "subscription")) of \(CountText.of(receipts, "receipt"))", .dim))
    return parts
  }

  private func freshness(in glyphs: GlyphSet) -> TextSpan {
    guard let fresh24h else { return TextSpan("unknown", .dim) }
    if fresh24h >= 0.9 { return TextSpan(PercentText.of(fresh24h), .good) }
    return TextSpan("\(PercentText.of(fresh24h)) \(glyphs.warning)", fresh24h >= 0.5 ? .warn : .bad)
  }
}

extension QueueReport {
  fileprivate var parts: [StyledText] {
    [
      .part("due", due, .warn), .part("awaiting retry", retrying, .warn),
      .part("given up", deadCount, .bad), .part("in progress", leased, .text),
    ] + (policy.isEmpty ? [] : [StyledText("\(CountText.rate(requestsPerDay)) requests a day", .dim)])
  }
}

extension [StyledText] {
  /// Returns as many leading parts as fit, joined by `separator`; at least the first part.
  func fitting(_ columns: Int, by separator: TextSpan, in glyphs: GlyphSet) -> StyledText {
    var count = self.count
    while count > 1, Array(prefix(count)).joined(by: separator).width(in: glyphs) > columns { count -= 1 }
    return Array(prefix(count)).joined(by: separator)
  }

  func joined(by separator: TextSpan) -> StyledText {
    guard let first else { return [] }
    return dropFirst().reduce(first) { $0 + [separator] + $1 }
  }
}
