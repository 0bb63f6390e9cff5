import Screen
import Subscriptions

/// What the figures are of and how far they can be trusted.
struct Header {
  private let state: State
  private let report: Report?

  init(_ state: State) {
    self.state = state
    report = state.panels[state.panel]?.report
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.put(scope(in: canvas.glyphs), column: rect.column, row: rect.row, width: rect.columns)
    let right = condition(in: canvas.glyphs)
    let width = right.width(in: canvas.glyphs)
    if width > 0, width < rect.columns {
      canvas.put([" "], column: rect.endColumn - width - 1, row: rect.row)
      canvas.put(right, column: rect.endColumn - width, row: rect.row)
    }
    guard rect.rows > 1 else { return }
    canvas.put(trust(in: canvas.glyphs), column: rect.column, row: rect.row + 1, width: rect.columns)
  }

  private func scope(in glyphs: GlyphSet) -> StyledText {
    let at = report?.asOfMs ?? state.asOf
    var parts: [StyledText] = [
      [TextSpan("subtop", .heading), TextSpan(" \(state.storeName)", .dim)],
      [TextSpan("as of ", .dim), TextSpan("\(at.minuteText) UTC")],
      [TextSpan(state.environment.rawValue, state.environment == .production ? .text : .warn)],
      [TextSpan("\(state.windowDays) d")],
    ]
    if let product = state.product {
      parts.append([TextSpan("product ", .dim), TextSpan("\(product)", .accent)])
    }
    if state.fixedAt != nil { parts.append([TextSpan("time stands still", .warn)]) }
    return parts.joined(by: "  ")
  }

  /// At the right: what is going on with what is shown.
  private func condition(in glyphs: GlyphSet) -> StyledText {
    if state.inquiries.failure != nil, report != nil {
      return StyledText("\(glyphs.warning) not up to date", .bad)
    }
    if state.isSlow { return StyledText("reading\(glyphs.ellipsis)", .info) }
    return state.isReadOnly ? StyledText("read-only", .dim) : []
  }

  private func trust(in glyphs: GlyphSet) -> StyledText {
    guard let trust = report?.trust else { return [] }
    return trust.parts(in: glyphs).joined(by: "  ")
  }
}

extension Trust {
  /// How far the figures can be trusted, the most telling first.
  func parts(in glyphs: GlyphSet) -> [StyledText] {
    var parts: [StyledText] = [
      [TextSpan("fresh 24h ", .dim), freshness(in: glyphs)],
      Self.part("overdue", overdue, .warn),
      Self.part("unpriced", unpricedTransactions, .warn),
    ]
    let hidden = [(excludedSandbox, "sandbox"), (excludedFamilyShared, "family-shared")].filter { $0.0 > 0 }
    if !hidden.isEmpty {
      let text = hidden.map { "\(CountText.of($0.0)) \($0.1)" }.joined(separator: ", ")
      parts.append([TextSpan("hidden ", .dim), TextSpan(text)])
    }
    parts.append(
      StyledText("\(CountText.of(lines, "line")) of \(CountText.of(receipts, "receipt"))", .dim))
    return parts
  }

  private func freshness(in glyphs: GlyphSet) -> TextSpan {
    guard let fresh24h else { return TextSpan("unknown", .dim) }
    if fresh24h >= 0.9 { return TextSpan(PercentText.of(fresh24h), .good) }
    return TextSpan("\(PercentText.of(fresh24h)) \(glyphs.warning)", fresh24h >= 0.5 ? .warn : .bad)
  }

  private static func part(_ name: String, _ number: Int, _ style: Style) -> StyledText {
    [TextSpan("\(name) ", .dim), TextSpan(CountText.of(number), number > 0 ? style : .text)]
  }
}

extension [StyledText] {
  func joined(by separator: TextSpan) -> StyledText {
    guard let first else { return [] }
    return dropFirst().reduce(first) { $0 + [separator] + $1 }
  }
}
