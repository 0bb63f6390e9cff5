import Screen
import Subscriptions

/// What happened to the lines, the newest first.
struct EventsPanel {
  let figures: EventFigures
  let report: Report
  let glyphs: GlyphSet

  init(_ figures: EventFigures, _ report: Report, _ glyphs: GlyphSet) {
    (self.figures, self.report, self.glyphs) = (figures, report, glyphs)
  }

  var blocks: [Block] { figures.rows.isEmpty ? [list] : [kinds, list] }

  private var kinds: Block {
    let counts = Dictionary(grouping: figures.rows, by: \.type).mapValues(\.count)
    let sorted = counts.sorted {
      $0.value == $1.value ? $0.key.rawValue < $1.key.rawValue : $0.value > $1.value
    }
    let title = figures.rows.count < figures.count ? "By type, of those listed" : "By type"
    return Block(
      StyledText(title), .bars([Bar].shares(sorted.map { ($0.key.rawValue, $0.value, $0.key.style) })),
      span: .extra,
      minimumColumns: 46)
  }

  private var list: Block {
    Block(
      StyledText("\(CountText.of(figures.count, "event")) \(report.windowText), the newest first"),
      .listing(
        figures.rows.listing(
          total: figures.rows.count < figures.count ? figures.count : nil, emptyText: "Nothing happened.",
          in: glyphs)),
      span: .main, minimumColumns: 80)
  }
}

extension [LineEvent] {
  func listing(total: Int? = nil, emptyText: String, showsChain: Bool = true, in glyphs: GlyphSet) -> Listing
  {
    let rows = map { event in
      Listing.Row(
        id: event.id, showsChain ? event.cells(in: glyphs) : event.cells(in: glyphs).dropLast(),
        opening: .chain(event.originalTransactionId))
    }
    let columns = [
      TableColumn("When", minimum: 16, maximum: 16), TableColumn("Event", minimum: 14, maximum: 24),
      TableColumn("Product", minimum: 10, maximum: 48, priority: 1),
      TableColumn("Reason", minimum: 8, maximum: 20, priority: 4),
      TableColumn("Seen after", minimum: 10, maximum: 14, align: .right, priority: 5),
      TableColumn("Apple's name", minimum: 12, maximum: 48, priority: 6),
    ]
    let chain = TableColumn("Chain", minimum: 10, maximum: 24, priority: 3)
    return Listing(
      columns + (showsChain ? [chain] : []), rows, total: total, emptyText: emptyText, in: glyphs)
  }
}

extension LineEvent {
  fileprivate var id: String {
    "\(type.rawValue) \(originalTransactionId) \(transactionId?.rawValue ?? "") \(effectiveAtMs.rawValue)"
  }

  fileprivate func cells(in glyphs: GlyphSet) -> [StyledText] {
    let product = newProductId.map { "\(productId) \(glyphs.right) \($0)" } ?? productId.rawValue
    return [
      StyledText(effectiveAtMs.minuteText, .dim), StyledText(type.rawValue, type.style), StyledText(product),
      StyledText(reason ?? glyphs.dash, reason == nil ? .dim : .text), StyledText(lag, .dim),
      StyledText(appleType, .dim), StyledText(originalTransactionId.rawValue),
    ]
  }

  /// How long after it happened a sweep learnt of it; of a state there is only the interval in which it began.
  private var lag: String {
    if let observedAfterMs { return "within \(AgeText.of(observedAtMs - observedAfterMs))" }
    return AgeText.of(max(0, observedAtMs - effectiveAtMs))
  }
}

extension LineEvent.Kind {
  var style: Style {
    switch self {
    case .initialPurchase, .renewal, .resubscribe, .uncancellation, .priceConsentAccepted: .good
    case .productChange: .info
    case .cancellation, .priceConsentPending: .warn
    case .billingIssue, .expiration, .revoke: .bad
    }
  }
}
