import Screen
import Subscriptions

/// The events panel: events of lines, newest first.
struct EventsPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  var blocks: [Block] {
    let chart = report.chart("Events", [Panel.eventCount], .columns, .accent, in: formatter)
    return figures.events.isEmpty ? [list] : [chart, kinds, list].compactMap(\.self)
  }

  private var kinds: Block {
    // A fixed number of events, so that scrolling does not change the figure.
    let newest = figures.events.prefix(Question.screenLimit)
    let counts = Dictionary(grouping: newest, by: \.type).mapValues(\.count)
    let sorted = counts.sorted {
      $0.value == $1.value ? $0.key.rawValue < $1.key.rawValue : $0.value > $1.value
    }
    let title =
      newest.count < figures["count"] ? "By type, the newest \(CountText.of(newest.count))" : "By type"
    return Block(
      StyledText(title), .bars(.shares(sorted.map { Share($0.key.rawValue, $0.value, $0.key.style) })),
      span: .extra,
      minimumColumns: 46)
  }

  private var list: Block {
    Block(
      StyledText("\(CountText.of(figures["count"], "event")) \(report.windowText), the newest first"),
      .listing(
        figures.events.listing(
          total: figures["count"], emptyText: "Nothing happened.",
          in: formatter)),
      span: .main, minimumColumns: 80)
  }
}

extension [LineEvent] {
  func listing(
    total: Int? = nil, emptyText: String, showsChain: Bool = true, in formatter: DisplayFormatter
  ) -> Listing {
    let isLocated = contains { $0.storefront != nil }
    let rows = map { event in
      Listing.Row(
        id: event.id,
        event.cells(in: formatter), drillDown: showsChain ? .chain(event.originalTransactionID) : nil,
        note: event.note)
    }
    let columns: [ListingColumn] = [
      .whole("When"),
      // Cut in the middle, because the end has the mark.
      .name(
        contains { $0.notificationType != nil } ? "Event, \(formatter.glyphs.tick) notified" : "Event",
        least: 18, priority: 1, cut: .middle),
      .name("Product", priority: 1, cut: .middle).meaning(
        Dictionary(
          compactMap { $0.products(in: formatter).meaning }, uniquingKeysWith: { one, _ in one })),
      .whole("Movement", priority: 2).meaning(Flow.codes), .number("Price", priority: 1),
      .whole("Reason", most: 24, priority: 4).meaning(
        Dictionary(
          compactMap { event in event.detail.flatMap { shown in event.reason.map { (shown, $0) } } },
          uniquingKeysWith: { one, _ in one })),
      .number("Seen after", priority: 5),
      .whole("Apple's name", priority: 7),
      .whole("Subscription", priority: 3).named("chain").present(showsChain),
      .storefront(priority: 6).present(isLocated),
    ]
    return Listing(columns, rows, total: total, emptyText: emptyText, in: formatter.glyphs)
  }
}

extension LineEvent {
  fileprivate func cells(in formatter: DisplayFormatter) -> [StyledText] {
    let glyphs = formatter.glyphs
    let why = detail
    let notified = notificationType == nil ? "" : " \(glyphs.tick)"
    return [
      StyledText(formatter.minute(effectiveAt), .dim),
      [TextSpan(type.rawValue, style), TextSpan(notified, .info)],
      StyledText(products(in: formatter).shown),
      StyledText(flow?.wordsByThemselves ?? glyphs.dash, flow == nil ? .dim : .text),
      .money(price?.micros, price?.currency, unknown: glyphs.dash),
      StyledText(why ?? glyphs.dash, why == nil ? .dim : .text),
      StyledText(lag, .dim), StyledText(appleName.text, .dim), StyledText(originalTransactionID.rawValue),
      .storefront(storefront, in: glyphs),
    ]
  }

  /// Product, or the change from one product to another: as shown, and with full ids. `meaning` is `nil` if
  /// both are equal.
  fileprivate func products(in formatter: DisplayFormatter) -> (shown: String, meaning: (String, String)?) {
    func text(_ names: ProductNames) -> String {
      let old = names.name(of: productID)
      let new = newProductID.map { names.name(of: $0) } ?? (type == .transfer ? appUserID?.rawValue : nil)
      return new.map { "\(old) \(formatter.glyphs.right) \($0)" } ?? old
    }
    let (shown, whole) = (text(formatter.products), text(.whole))
    return (shown, shown == whole ? nil : (shown, whole))
  }

  fileprivate var detail: String? {
    let converted = isTrialConversion && flow != .converted ? "trial converted" : nil
    let period = converted ?? (periodType == "NORMAL" ? nil : periodType?.lowercased())
    let family = isFamilyShare ? "family-shared" : nil
    let parts = [reasonWords, period, family].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Reason in the words of other screens. Reasons unknown to them are unchanged.
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

  /// A negative amount is a refund.
  private var style: Style { (price?.micros ?? 0) < 0 ? .bad : type.style }

  /// Detection lag (METRICS §5). A fact that Apple reports only as a state has an interval, not an instant.
  private var lag: String {
    if observedAfter == observedAt { return "" }
    if let observedAfter { return "within \(AgeText.of(observedAt - observedAfter))" }
    return AgeText.of(max(0, observedAt - effectiveAt))
  }
}

extension Flow {
  /// JSON codes of the flows, by the words that lists show.
  fileprivate static let codes = Dictionary(
    allCases.map { ($0.wordsByThemselves, $0.rawValue) }, uniquingKeysWith: { one, _ in one })
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
