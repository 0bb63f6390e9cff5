import Screen
import Subscriptions

extension [AlertState] {
  /// Returns the list of alerts, raised ones first. Enter opens the rows of an alert's figure.
  func block(in wording: Wording) -> Block {
    let glyphs = wording.glyphs
    let order = indices.sorted { (self[$0].verdict.rank, $0) < (self[$1].verdict.rank, $1) }
    let rows = order.map { index -> Listing.Row in
      let state = self[index]
      return Listing.Row(
        id: state.alert.name,
        [
          StyledText(state.alert.name.harmless), state.mark(in: glyphs),
          StyledText(ValueText.of(state.value), state.value == nil ? .dim : .strong),
          StyledText(ValueText.of(state.limit), .dim),
          StyledText(state.raisedSince.map(wording.minute) ?? glyphs.dash, .dim),
          StyledText(state.toldAt.map(wording.minute) ?? glyphs.dash, .dim),
          StyledText(state.alert.condition.text.harmless, .dim),
        ], opening: .alert(index), note: state.sentence.harmless)
    }
    return Block(
      title,
      .listing(
        Listing(
          [
            .name("Alert", least: 8, most: 40), .whole("State"), .number("Now"),
            .number("Limit", priority: 1),
            .whole("Raised since", priority: 2), .whole("Told", priority: 4),
            .name("Condition", least: 12, most: 80, priority: 3),
          ], rows, emptyText: "The configuration has no alerts; subtop help alerts tells how to write them.",
          in: glyphs)),
      span: .main)
  }

  private var title: StyledText {
    let raised = count(where: \.isRaised)
    return [
      TextSpan("Alerts", .heading),
      TextSpan(": \(CountText.of(raised)) raised of \(CountText.of(count))", raised > 0 ? .bad : .text),
    ]
  }
}

extension AlertState {
  fileprivate func mark(in glyphs: GlyphSet) -> StyledText {
    switch verdict {
    case .raised: StyledText("\(glyphs.warning) raised", Style(.bad, .bold))
    case .clear: StyledText("\(glyphs.tick) clear", .good)
    case .unknown: StyledText("unknown", .dim)
    }
  }
}

extension AlertState.Verdict {
  fileprivate var rank: Int { self == .raised ? 0 : self == .unknown ? 1 : 2 }
}

/// Returns the alerts as plain text, for `subtop status`.
public func text(
  of alerts: [AlertState], width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let wording = Wording(glyphs: glyphs, zone: zone)
  let lines = alerts.filter { $0.verdict != .clear }.map { StyledText($0.inWords) }
  return BlockText(width: width, glyphs: glyphs).text(
    of: [alerts.block(in: wording)] + (lines.isEmpty ? [] : [Block("", .text(lines))]), under: [])
}

extension AlertState {
  /// Alert's name, unless the name of its figure contains it, and its sentence, without control characters.
  public var inWords: String { "\(prefix)\(sentence)".harmless }
}
