import Screen
import Subscriptions

/// What the figures are of and how far they can be trusted.
struct Header {
  private let state: State
  private let report: Report?
  /// Where the sweeps show.
  private let queue: QueueReport?

  init(_ state: State) {
    self.state = state
    report = state.panel.flatMap { state.panels[$0]?.report }
    queue = state.tab == .sweep ? state.sweepView.queue : nil
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let glyphs = canvas.glyphs
    let condition = condition(in: glyphs)
    let width = condition.width(in: glyphs)
    let room = width == 0 ? rect.columns : max(0, rect.columns - width - 2)
    let line = scope.fitting(room, by: "  ", in: glyphs)
    canvas.put(line, column: rect.column, row: rect.row, width: room)
    if width > 0 {
      canvas.put(condition, column: rect.column, row: rect.row, width: rect.columns, align: .right)
    }
    let second = report?.trust.parts(in: glyphs) ?? queue?.parts
    guard rect.rows > 1 else { return }
    let received = received(beside: second ?? [], columns: rect.columns, in: glyphs)
    let receivedWidth = received.width(in: glyphs)
    if receivedWidth > 0 {
      canvas.put(received, column: rect.column, row: rect.row + 1, width: rect.columns, align: .right)
    }
    guard let second else { return }
    let secondRoom = receivedWidth == 0 ? rect.columns : max(0, rect.columns - receivedWidth - 2)
    canvas.put(
      second.fitting(secondRoom, by: "  ", in: glyphs), column: rect.column, row: rect.row + 1,
      width: secondRoom)
  }

  /// At the right of the second row: what came of notifications. Among events it comes first; elsewhere it shows where there is room.
  private func received(beside others: [StyledText], columns: Int, in glyphs: GlyphSet) -> StyledText {
    let words = state.receiving.words(at: state.asOf, in: glyphs)
    if state.panel == .events || state.receiving == .prevented { return words }
    let width = others.joined(by: "  ").width(in: glyphs)
    return width + 2 + words.width(in: glyphs) <= columns ? words : []
  }

  /// The parts without which figures would mislead come first.
  private var scope: [StyledText] {
    let at = state.layers.last?.at ?? report?.asOfMs ?? queue?.asOfMs ?? state.asOf
    let isNarrow = state.size.columns < 60
    var parts: [StyledText] = [
      [TextSpan(isNarrow ? "" : "as of ", .dim), TextSpan(state.wording.moment(at), .strong)]
    ]
    if state.tab != .sweep {
      // Of the figures that show, until those come that were asked for.
      let shown = state.layers.isEmpty ? report : nil
      let environment = shown?.scope.environment ?? state.environment
      let days = shown?.window.days ?? state.windowDays
      parts += [
        [TextSpan(environment.words, environment == .production ? .text : .warn)],
        [TextSpan(days == state.windowDays ? state.windowText : "\(CountText.of(days)) d")],
      ]
    }
    if state.tab != .sweep, let product = state.product {
      parts.append([TextSpan("only ", .dim), TextSpan(state.products.name(of: product), .accent)])
    }
    if state.fixedAt != nil { parts.append([TextSpan("a fixed instant", .warn)]) }
    let program: StyledText = [TextSpan("subtop  ", .heading)]
    let named = [program + parts[0]] + parts.dropFirst() + [StyledText(state.storeName, .dim)]
    return isNarrow ? parts : named
  }

  /// At the right: what is going on with what is shown.
  private func condition(in glyphs: GlyphSet) -> StyledText {
    if state.pending.failure != nil, report != nil || queue != nil {
      return StyledText("\(glyphs.warning) not up to date", .bad)
    }
    if state.isSlow { return StyledText("reading\(glyphs.ellipsis)", .info) }
    return state.isReadOnly ? StyledText("read-only", .dim) : []
  }
}

extension EnvironmentScope {
  fileprivate var words: String { self == .all ? "production + sandbox" : rawValue }
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

extension QueueReport {
  /// What there is to do, the most telling first.
  fileprivate var parts: [StyledText] {
    func part(_ name: String, _ number: Int, _ style: Style) -> StyledText {
      [TextSpan("\(name) ", .dim), TextSpan(CountText.of(number), number > 0 ? style : .text)]
    }
    return [
      part("due", due, .warn), part("to be tried again", retrying, .warn), part("dead", deadCount, .bad),
      part("taken", leased, .text), StyledText("\(CountText.rounding(requestsPerDay)) requests a day", .dim),
    ]
  }
}

extension [StyledText] {
  /// As many of the first as fit into so many columns; the first in any case.
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
