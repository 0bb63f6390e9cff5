import Screen
import Subscriptions

extension PanelContent {
  var eventsPanel: [Block?] {
    let list = Block(
      StyledText("\(CountText.of(figures["count"], "event")) \(window), newest first"),
      .listing(
        figures.events.listing(total: figures["count"], emptyText: "No events.", in: formatter)),
      span: .main, minimumColumns: 80)
    guard !figures.events.isEmpty else { return [list] }
    return [chart("Events", [Panel.eventCount], .columns, .accent), kinds, list]
  }

  private var kinds: Block {
    // Only a fixed number of events is counted, because scrolling reads more events.
    let newest = figures.events.prefix(Question.screenLimit)
    let counts = Dictionary(grouping: newest, by: \.type).mapValues(\.count)
    let sorted = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let title =
      newest.count < figures["count"] ? "By type (newest \(CountText.of(newest.count)))" : "By type"
    let bars = sorted.map { FigureBar($0.key.rawValue, $0.value, $0.key.style) }
    return Block(StyledText(title), .bars(bars.shares()), span: .extra, minimumColumns: 46)
  }
}

extension [LineEvent] {
  func listing(
    total: Int? = nil, emptyText: String, showsChain: Bool = true, in formatter: DisplayFormatter
  ) -> Listing {
    let glyphs = formatter.glyphs
    let columns: [Column<LineEvent>] = [
      .minute(.whole("When"), in: formatter) { $0.effectiveAt },
      // Cut in the middle, because the mark is at the end.
      Column(
        .name(
          contains { $0.notificationType != nil } ? "Event, \(glyphs.tick) notified" : "Event",
          least: 18, priority: 1, cut: .middle)
      ) { event in
        let notified = event.notificationType == nil ? "" : " \(glyphs.tick)"
        return [TextSpan(event.type.rawValue, event.style), TextSpan(notified, .info)]
      },
      Column(
        .name("Product", priority: 1, cut: .middle), code: { $0.products(.whole, glyphs) }
      ) { StyledText($0.products(formatter.products, glyphs)) },
      Column(.whole("Movement", priority: 2), code: \.flow?.rawValue) {
        $0.flow.map { StyledText($0.wordsByThemselves) }
      },
      Column(.number("Price", priority: 1)) {
        .money($0.price?.micros, $0.price?.currency, unknown: glyphs.dash)
      },
      Column(.whole("Reason", most: 24, priority: 4), code: \.reason) { $0.detail.map { StyledText($0) } },
      Column(.number("Lag", priority: 5)) { StyledText($0.lag, .dim) },
      Column(.whole("Apple type", priority: 7)) { StyledText($0.appleName.text, .dim) },
      .chain(priority: 3, isPresent: showsChain) { $0.originalTransactionID },
      .storefront(priority: 6) { $0.storefront },
    ]
    return Listing(
      self, columns, total: total, emptyText: emptyText, records: .events(self), in: glyphs
    ) {
      Listing.Row(
        id: $0.id, drillDown: showsChain ? .chain($0.originalTransactionID) : nil, note: $0.note)
    }
  }
}

extension LineEvent {
  fileprivate func products(_ names: ProductNames, _ glyphs: GlyphSet) -> String {
    let old = names.name(of: productID)
    let new = newProductID.map { names.name(of: $0) } ?? (type == .transfer ? appUserID?.rawValue : nil)
    return new.map { "\(old) \(glyphs.right) \($0)" } ?? old
  }

  fileprivate var detail: String? {
    let converted = isTrialConversion && flow != .converted ? "trial converted" : nil
    let period = converted ?? (periodType == "NORMAL" ? nil : periodType?.lowercased())
    let family = isFamilyShare ? "family-shared" : nil
    let parts = [reasonWords, period, family].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Reason in the words of other screens, or unchanged if they have no words for it.
  private var reasonWords: String? {
    switch reason {
    case "CUSTOMER_SUPPORT": LossKind.refunded.words
    case "UNKNOWN": LossKind.unknown.words
    case LineEvent.Kind.unattributed.rawValue: Flow.returned.words.lowercased()
    default: reason.map { ExpirationIntent.named(byEventReason: $0)?.words ?? $0 }
    }
  }

  fileprivate var note: String {
    let notified = notificationType.map { "notified by \($0.rawValue)" }
    return [appleName.text, flow?.wordsByThemselves, detail, notified].compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  fileprivate var style: Style { (price?.micros ?? 0) < 0 ? .bad : type.style }

  /// Detection lag (METRICS §5), or `within 5 h` for an event that Apple does not date; empty if unknown.
  fileprivate var lag: String {
    if observedAfter == observedAt { return "" }
    if let observedAfter { return "within \(AgeText.of(observedAt - observedAfter))" }
    return AgeText.of(max(0, observedAt - effectiveAt))
  }
}

extension LineEvent.Kind {
  var style: Style {
    switch self {
    case .initialPurchase, .renewal, .resubscribe, .uncancellation, .priceConsentAccepted, .offerRedeemed,
      .refundReversed, .subscriptionExtended, .nonRenewingPurchase:
      .good
    case .productChange, .transfer: .info
    case .cancellation, .priceConsentPending, .overdue, .unattributed: .warn
    case .billingIssue, .expiration, .revoke, .gracePeriodExpired: .bad
    default: .text
    }
  }
}
