import Screen
import Subscriptions

/// The offers panel: outcomes of trials and offers, consent to price increases, and opt-outs.
struct OffersPanel {
  let figures: OfferFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] { [prices, optOuts, pending, offers].compactMap(\.self) }

  // Figures of the window's end are labeled `Now` and are below the figures of the window.

  // MARK: Price increases

  private var prices: Block {
    let prices = figures.priceIncreases
    return Block(
      StyledText("Price increases \(report.windowText)"),
      .figures(
        [
          .count("Requests to agree", prices.asked, opens: "price_increases.asked"),
          .part("agreed", prices.agreed, .good, opens: "price_increases.agreed"),
          .part("not answered yet", prices.running, .warn, opens: "price_increases.running"),
          .part("ended, not agreed", prices.lapsed, .bad, opens: "price_increases.lapsed"),
          .count("Lost, not agreed", prices.lost, Style(.bad, .bold), opens: "price_increases.lost"),
          .count("Now: all not answered", prices.pending, .warn, opens: "price_increases.pending"),
        ] + [first].compactMap(\.self)), minimumColumns: 34)
  }

  private var first: Figure? {
    guard let next = figures.pending.min(by: { $0.expiresMs < $1.expiresMs }) else { return nil }
    var figure = Figure("the first ends in", left(next), isPart: true)
    figure.opening = .chain(next.originalTransactionId)
    return figure
  }

  private func left(_ pending: OfferFigures.Pending) -> StyledText {
    let days = pending.daysLeft
    return StyledText(
      AgeText.of(max(0, pending.expiresMs - report.asOfMs)), days < 3 ? .bad : days < 8 ? .warn : .text)
  }

  /// Rows enough to show the urgency. The figure above opens all of them.
  private static let mostUrgent = 8

  private var pending: Block? {
    guard !figures.pending.isEmpty else { return nil }
    let isNamed = figures.pending.contains { $0.appUserId != nil }
    let shown = figures.pending.sorted { $0.expiresMs < $1.expiresMs }.prefix(Self.mostUrgent)
    let rows = shown.map { pending in
      Listing.Row(
        id: "\(pending.originalTransactionId) \(pending.productId)",
        [
          left(pending), .user(pending.appUserId, in: glyphs),
          StyledText(wording.products.name(of: pending.productId)),
          StyledText(wording.minute(pending.expiresMs), .dim),
          StyledText(pending.originalTransactionId.rawValue),
        ], opening: .chain(pending.originalTransactionId))
    }
    let which =
      shown.count < figures.pending.count
      ? "the \(CountText.of(shown.count)) most urgent of \(CountText.of(figures.pending.count))"
      : "the most urgent first"
    return Block(
      StyledText("Higher price not agreed yet, \(which)"),
      .listing(
        Listing(
          [
            .number("Left"),
            .name("App user", least: 8, ordinary: 24, most: 36, priority: 2).present(isNamed),
            .product(of: wording.products, least: 10), .whole("Ends", priority: 4),
            .whole("Subscription", priority: 3),
          ], rows, emptyText: "", in: glyphs)), span: .tall, minimumColumns: 74)
  }

  // MARK: Auto-renew turned off

  private var optOuts: Block {
    let outs = figures.optOuts
    return Block(
      StyledText("Auto-renew turned off \(report.windowText)"),
      .figures(
        [
          .count("Turned off", outs.turnedOff, opens: "opt_outs.turned_off"),
          .part("on again in time", outs.turnedOnAgain, .good, opens: "opt_outs.turned_on_again"),
          .part("ended since", outs.lapsed, .bad, opens: "opt_outs.lapsed"),
          .part("still running", outs.running, .warn, opens: "opt_outs.running"),
          .count("Now: off, ends within 7 d", outs.atStake, Style(.warn, .bold), opens: "opt_outs.at_stake"),
        ]
          + Figure.money(
            "Now: MRR at stake", outs.atStakeMrr, of: outs.atStake, opens: "opt_outs.at_stake_mrr")),
      minimumColumns: 38)
  }

  // MARK: Offers

  /// Title's suffix for offers that were also used in the window before, so their revenue exceeds what the
  /// list shows.
  private var usedBefore: String {
    let names = figures.offers.filter { $0.startedBefore > 0 }.compactMap(\.offer)
    guard let name = names.first else { return "" }
    let others = names.count == 1 ? "" : " and \(CountText.of(names.count - 1, "other"))"
    return "; \(name)\(others) also in the window before"
  }

  private var offers: Block {
    let rows = figures.offers.map { offer in
      let path = offer.figurePath
      return Listing.Row(
        id: path,
        [
          StyledText(offer.kind.offerName, offer.kind == .trial ? .accent : .text),
          offer.offer.map { StyledText($0) } ?? .dash(in: glyphs),
          StyledText(wording.products.name(of: offer.productId)), .number(offer.started, .strong),
          .number(offer.running), .number(offer.converted, .good),
          .share(offer.converted, of: offer.ended, unknown: glyphs.dash),
          "", .number(offer.again), .number(offer.lost, .bad),
          .amount(offer.cost, of: offer.started, in: glyphs),
          .amount(offer.brought, of: offer.converted, in: glyphs),
          offer.balanceText(MoneyText.of, in: glyphs),
        ],
        short: [
          0: StyledText(offer.kind.offerShort, offer.kind == .trial ? .accent : .text),
          10: offer.short(offer.cost), 11: offer.short(offer.brought),
          12: offer.balanceText({ MoneyText.short($0) }, isShort: true, in: glyphs),
        ],
        counted: [
          10: .currencies(offer.cost), 11: .currencies(offer.brought),
          12: offer.balanceText(
            { MoneyText.currencies($0) ?? MoneyText.short($0) }, isShort: true, in: glyphs),
        ],
        opening: .rows(
          Breakdown([
            ("\(path).started", offer.started), ("\(path).running", offer.running),
            ("\(path).converted", offer.converted), ("\(path).renewed", offer.again),
            ("\(path).lost", offer.lost), ("\(path).cost", 0), ("\(path).brought", 0),
            ("\(path).balance", 0), ("\(path).unpriced", offer.unpriced),
          ])), bar: PercentText.share(offer.converted, in: offer.ended).map { Listing.RowBar($0, .good) },
        note: offer.notes.first, shorterNotes: Array(offer.notes.dropFirst()))
    }
    return Block(
      [TextSpan("Trials and offers started \(report.windowText)"), TextSpan(usedBefore, .warn)],
      .listing(
        Listing(
          [
            // Long names are cut before the conversions or the balance are hidden.
            .whole("Kind").meaning(PeriodKind.codes), .middle("Offer", least: 8, ordinary: 10, priority: 0),
            .product(of: wording.products, least: 7, ordinary: 10, priority: -1), .number("Started"),
            .number("Running", priority: 6), .number("Converted", priority: 1).shortened("Conv."),
            .number("Rate", priority: 1), .bar(), .number("Again", priority: 8),
            .number("Lost", priority: 4), .number("Cost", priority: 7), .number("Brought", priority: 5),
            .number("Balance", priority: 1),
          ], rows, emptyText: "No trial and no offer started.", in: glyphs)), span: .main, minimumColumns: 80)
  }
}

extension Report {
  /// Returns the uses of an offer that a balance covers; `nil` if the figure is not a balance, or if all uses
  /// have prices.
  func uses(behind figure: String) -> OfferFigures.Uses? {
    guard case .offers(let figures) = data else { return nil }
    return FigurePath(figure, of: .offers).flatMap(figures.uses)
  }
}

extension OfferFigures.Offer {
  /// Uses with a known outcome. Running ones may still convert.
  fileprivate var ended: Int { converted + lost }

  /// Notes with details that narrow lists hide, longest first.
  var notes: [String] {
    let before = startedBefore > 0 ? ["\(CountText.of(startedBefore)) more from the window before"] : []
    // The sums lack unknown prices; the balance leaves such uses out.
    let known = unpriced > 0 ? ["\(CountText.of(priced)) of \(CountText.of(started)) with all prices"] : []
    let open = counts([(running, "running"), (again, "again at an offer")])
    let closed = counts([(converted, "converted"), (lost, "lost")])
    let short = money { MoneyText.short($0) }
    return [
      money { MoneyText.of($0) } + known + open + closed + before, money { MoneyText.of($0) } + known + open,
      short + known + open, short + known, short, Array(short.prefix(1)),
    ].map { $0.joined(separator: ", ") }
  }

  private func counts(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\(CountText.of($0.0)) \($0.1)" }
  }

  private func money(_ text: (Amounts) -> String) -> [String] {
    [("cost", cost), ("brought", brought)].filter { !$0.1.isEmpty }.map { "\($0.0) \(text($0.1))" }
  }

  /// Revenue less cost, and the number of uses it covers if some lack a price.
  fileprivate func balanceText(
    _ money: (Amounts) -> String, isShort: Bool = false, in glyphs: GlyphSet
  ) -> StyledText {
    guard !balance.isEmpty else { return .dash(in: glyphs) }
    let sums = balance.inReportingCurrency.map { [$0] } ?? balance.totals
    let amount = TextSpan(money(balance), sums.allSatisfy { $0.micros >= 0 } ? .good : .bad)
    guard unpriced > 0 else { return [amount] }
    let count = CountText.of(priced)
    return [amount, TextSpan(isShort ? " of \(count)" : " (\(count) of \(CountText.of(started)))", .warn)]
  }

  fileprivate func short(_ amounts: Amounts) -> StyledText? {
    amounts.isEmpty ? nil : StyledText(MoneyText.short(amounts), .money)
  }

  /// Uses followed by another period at an offer.
  fileprivate var again: Int { max(0, started - running - converted - lost) }

  fileprivate var figurePath: String {
    "by_product.\(productId).offers.\(kind.rawValue)" + (offer.map { ".\($0)" } ?? "")
  }
}

extension PeriodKind {
  /// JSON codes of the kinds, by the words that lists show.
  static let codes = Dictionary(
    allCases.map { ($0.offerName, $0.rawValue) }.filter { $0.0 != $0.1 }, uniquingKeysWith: { one, _ in one })

  var offerName: String {
    switch self {
    case .trial: "trial"
    case .intro: "intro offer"
    case .promo: "promo offer"
    case .code: "offer code"
    case .winback: "win-back offer"
    case .standard: "standard"
    }
  }
}

extension StyledText {
  static func kind(_ kind: String) -> StyledText {
    let name = kind == PeriodKind.winback.rawValue ? PeriodKind.winback.offerName : kind
    return StyledText(name.replacing("_", with: "-"), kind == PeriodKind.trial.rawValue ? .accent : .text)
  }
}

extension PeriodKind {
  fileprivate var offerShort: String {
    switch self {
    case .intro: "intro"
    case .promo: "promo"
    case .code: "code"
    case .winback: "win-back"
    case .trial, .standard: offerName
    }
  }
}
