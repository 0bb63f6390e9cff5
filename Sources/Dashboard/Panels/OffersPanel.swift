import Screen
import Subscriptions

/// The offers panel: outcomes of trials and offers, consent to price increases, and opt-outs.
struct OffersPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] { [prices, optOuts, pending, offers].compactMap(\.self) }

  // Figures of the window's end are labeled `Now` and are below the figures of the window.

  // MARK: Price increases

  private var prices: Block {
    Block(
      StyledText("Price increases \(report.windowText)"),
      .figures(
        [
          figures.count("Requests to agree", "price_increases.asked"),
          figures.part("agreed", "price_increases.agreed", .good),
          figures.part("not answered yet", "price_increases.running", .warn),
          figures.part("ended, not agreed", "price_increases.lapsed", .bad),
          figures.count("Lost, not agreed", "price_increases.lost", Style(.bad, .bold)),
          figures.count("Now: all not answered", "price_increases.pending", .warn),
        ] + [first].compactMap(\.self)), minimumColumns: 34)
  }

  private var first: Figure? {
    guard let next = figures.consents.min(by: { $0.expiresMs < $1.expiresMs }) else { return nil }
    var figure = Figure("the first ends in", left(next), isPart: true)
    figure.drillDown = .chain(next.originalTransactionId)
    return figure
  }

  private func left(_ pending: PendingConsent) -> StyledText {
    let days = pending.daysLeft
    return StyledText(
      AgeText.of(max(0, pending.expiresMs - report.asOfMs)), days < 3 ? .bad : days < 8 ? .warn : .text)
  }

  /// Rows enough to show the urgency. The figure above opens all of them.
  private static let mostUrgent = 8

  private var pending: Block? {
    guard !figures.consents.isEmpty else { return nil }
    let isNamed = figures.consents.contains { $0.appUserId != nil }
    let shown = figures.consents.sorted { $0.expiresMs < $1.expiresMs }.prefix(Self.mostUrgent)
    let rows = shown.map { pending in
      Listing.Row(
        id: "\(pending.originalTransactionId) \(pending.productId)",
        [
          left(pending), .user(pending.appUserId, in: glyphs),
          StyledText(formatter.products.name(of: pending.productId)),
          StyledText(formatter.minute(pending.expiresMs), .dim),
          StyledText(pending.originalTransactionId.rawValue),
        ], drillDown: .chain(pending.originalTransactionId))
    }
    let which =
      shown.count < figures.consents.count
      ? "the \(CountText.of(shown.count)) most urgent of \(CountText.of(figures.consents.count))"
      : "the most urgent first"
    return Block(
      StyledText("Higher price not agreed yet, \(which)"),
      .listing(
        Listing(
          [
            .number("Left"),
            .id("App user", most: 36, priority: 2).present(isNamed),
            .product(of: formatter.products), .whole("Ends", priority: 4),
            .whole("Subscription", priority: 3),
          ], rows, emptyText: "", in: glyphs)), span: .tall, minimumColumns: 74)
  }

  // MARK: Auto-renew turned off

  private var optOuts: Block {
    Block(
      StyledText("Auto-renew turned off \(report.windowText)"),
      .figures(
        [
          figures.count("Turned off", "opt_outs.turned_off"),
          figures.part("on again in time", "opt_outs.turned_on_again", .good),
          figures.part("ended since", "opt_outs.lapsed", .bad),
          figures.part("still running", "opt_outs.running", .warn),
          figures.count("Now: off, ends within 7 d", "opt_outs.at_stake", Style(.warn, .bold)),
        ]
          + figures.money(
            "Now: MRR at stake", "opt_outs.at_stake_mrr", of: figures["opt_outs.at_stake"])),
      minimumColumns: 38)
  }

  // MARK: Offers

  /// Title's suffix for offers that were also used in the window before, so their revenue exceeds what the
  /// list shows.
  private var usedBefore: String {
    let names = figures[parts: "offers"].filter { $0["started_before"] > 0 }.compactMap { $0[text: "offer"] }
    guard let name = names.first else { return "" }
    let others = names.count == 1 ? "" : " and \(CountText.of(names.count - 1, "other"))"
    return "; \(name)\(others) also in the window before"
  }

  private var offers: Block {
    let rows = figures[parts: "offers"].map { offer in
      let (path, kind, lost) = (offer.offerPath, offer.offerKind, offer["lost"])
      let (started, running, converted) = (offer["started"], offer["running"], offer["converted"])
      let (cost, brought) = (offer[amounts: "cost"], offer[amounts: "brought"])
      return Listing.Row(
        id: path,
        [
          StyledText(kind == .winback ? "win-back" : kind.rawValue, kind == .trial ? .accent : .text),
          offer[text: "offer"].map { StyledText($0) } ?? .dash(in: glyphs),
          StyledText(formatter.products.name(of: offer.product)), .number(started, .strong),
          .number(running), .number(converted, .good),
          .share(converted, of: offer.ended, unknown: glyphs.dash),
          "", .number(offer.again), .number(lost, .bad),
          .amount(cost, of: started, in: glyphs), .amount(brought, of: converted, in: glyphs),
          offer.balanceText(in: glyphs),
        ],
        drillDown: .rows(
          Breakdown([
            ("\(path).started", started), ("\(path).running", running),
            ("\(path).converted", converted), ("\(path).renewed", offer.again),
            ("\(path).lost", lost), ("\(path).cost", 0), ("\(path).brought", 0),
            ("\(path).balance", 0), ("\(path).unpriced", offer["unpriced"]),
          ])), bar: PercentText.share(converted, in: offer.ended).map { RowBar($0, .good) },
        note: offer.note)
    }
    return Block(
      [TextSpan("Trials and offers started \(report.windowText)"), TextSpan(usedBefore, .warn)],
      .listing(
        Listing(
          [
            // Long names are cut before the conversions or the balance are hidden.
            .whole("Kind").meaning([
              "intro": "intro offer", "promo": "promo offer", "code": "offer code", "win-back": "winback",
            ]),
            .name("Offer", least: 7, cut: .middle),
            .product(of: formatter.products, least: 10, priority: 0), .number("Started"),
            .number("Running", priority: 6), .number("Converted", priority: 1),
            .number("Rate", priority: 1), .bar(), .number("Again", priority: 8),
            .number("Lost", priority: 4), .money("Cost", priority: 7), .money("Brought", priority: 5),
            .money("Balance"),
          ], rows, emptyText: "No trial and no offer started.", in: glyphs)), span: .main, minimumColumns: 80)
  }
}

extension Report {
  /// Returns the uses that a balance covers; `nil` if the figure is no balance, or all uses have prices.
  func uses(behind figure: String) -> OfferUses? {
    FigurePath(figure, of: .offers).flatMap(data.uses)
  }
}

/// Uses of one kind, offer and product.
extension FigureValues {
  /// Number of offers that have ended, converted or not.
  fileprivate var ended: Int { self["converted"] + self["lost"] }

  /// Details that narrow lists hide.
  fileprivate var note: String {
    let (startedBefore, started) = (self["started_before"], self["started"])
    let before = startedBefore > 0 ? ["\(CountText.of(startedBefore)) more from the window before"] : []
    // Uses without a price are missing in the sums and in the balance.
    let known =
      self["unpriced"] > 0 ? ["\(CountText.of(priced)) of \(CountText.of(started)) with all prices"] : []
    let open = counts([(self["running"], "running"), (again, "again at an offer")])
    let closed = counts([(self["converted"], "converted"), (self["lost"], "lost")])
    let money = ["cost", "brought"].map { ($0, self[amounts: $0]) }.filter { !$0.1.isEmpty }.map {
      "\($0.0) \(MoneyText.of($0.1))"
    }
    return (money + known + open + closed + before).joined(separator: ", ")
  }

  private func counts(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\(CountText.of($0.0)) \($0.1)" }
  }

  /// Revenue less cost, and the number of uses it covers if some lack a price.
  fileprivate func balanceText(in glyphs: GlyphSet) -> StyledText {
    let balance = self[amounts: "balance"]
    guard !balance.isEmpty else { return .dash(in: glyphs) }
    let sums = balance.inReportingCurrency.map { [$0] } ?? balance.totals
    let amount = TextSpan(MoneyText.of(balance), sums.allSatisfy { $0.micros >= 0 } ? .good : .bad)
    guard self["unpriced"] > 0 else { return [amount] }
    return [amount, TextSpan(" of \(CountText.of(priced))", .warn)]
  }

  /// Number of offers that another offer followed.
  fileprivate var again: Int { max(0, self["started"] - self["running"] - self["converted"] - self["lost"]) }
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
