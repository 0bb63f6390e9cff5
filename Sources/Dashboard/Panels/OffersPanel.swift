import Screen
import Subscriptions

/// The offers panel: outcomes of trials and offers, consent to price increases, and opt-outs. Figures of the
/// window's end are labeled `Now` and are below the figures of the window.
extension PanelContent {
  var offersPanel: [Block?] {
    [
      card("Price increases \(window)", 34) {
        count("Price consent requests", "price_increases.asked")
        part("accepted", "price_increases.agreed", .good)
        part("pending", "price_increases.running", .warn)
        part("expired without consent", "price_increases.lapsed", .bad)
        count("Lost to the price increase", "price_increases.lost", Style(.bad, .bold))
        count("Now: pending", "price_increases.pending", .warn)
        if let next = figures.consents.min(by: { $0.expiresMs < $1.expiresMs }) {
          Figure("first expires in", left(next), isPart: true)
            .drillDown(.chain(next.originalTransactionId))
        }
      },
      card("Auto-renew turned off \(window)", 38) {
        count("Turned off", "opt_outs.turned_off")
        part("on again in time", "opt_outs.turned_on_again", .good)
        part("lapsed since", "opt_outs.lapsed", .bad)
        part("still running", "opt_outs.running", .warn)
        count("Now: off, ends within 7 d", "opt_outs.at_stake", Style(.warn, .bold))
        money("Now: MRR at stake", "opt_outs.at_stake_mrr", of: figures["opt_outs.at_stake"])
      }, pending, offers,
    ]
  }

  // MARK: Price increases

  private func left(_ pending: PendingConsent) -> StyledText {
    .left(max(0, pending.expiresMs - report.asOfMs))
  }

  private var pending: Block? {
    guard !figures.consents.isEmpty else { return nil }
    // Rows enough to show the urgency. The figure above opens all of them.
    let shown = Array(figures.consents.sorted { $0.expiresMs < $1.expiresMs }.prefix(8))
    let which =
      shown.count < figures.consents.count
      ? "\(CountText.of(shown.count)) most urgent of \(CountText.of(figures.consents.count))"
      : "most urgent first"
    return Block(
      StyledText("Awaiting price consent, \(which)"), shown,
      [
        Column(.number("Left"), cell: left),
        .user(priority: 2) { $0.appUserId }.optional(),
        .product(in: formatter) { $0.productId },
        .minute(.whole("Ends", priority: 4), in: formatter) { $0.expiresMs },
        Column(.whole("Subscription", priority: 3)) { StyledText($0.originalTransactionId.rawValue) },
      ], emptyText: "", span: .tall, minimumColumns: 74, in: glyphs
    ) {
      Listing.Row(
        id: "\($0.originalTransactionId) \($0.productId)", drillDown: .chain($0.originalTransactionId))
    }
  }

  // MARK: Offers

  /// Title's suffix for offers that were also used in the window before, so their revenue exceeds what the
  /// list shows.
  private var usedBefore: String {
    let names = figures[parts: "offers"].filter { $0["started_before"] > 0 }.compactMap { $0[text: "offer"] }
    guard let name = names.first else { return "" }
    let others = names.count == 1 ? "" : " and \(CountText.of(names.count - 1, "other"))"
    return "; \(name)\(others) also in the previous window"
  }

  private var offers: Block {
    Block(
      [TextSpan("Trials and offers started \(window)"), TextSpan(usedBefore, .warn)],
      figures[parts: "offers"],
      [
        // Long names are cut before the conversions or the net revenue are hidden.
        Column(.whole("Kind"), code: { $0.offerKind == .winback ? "winback" : $0.offerKind.offerName }) {
          let kind = $0.offerKind
          return StyledText(
            kind == .winback ? "win-back" : kind.rawValue, kind == .trial ? .accent : .text)
        },
        Column(.name("Offer", least: 7, cut: .middle)) { $0[text: "offer"].map { StyledText($0) } },
        .product(in: formatter, least: 10, priority: 0) { $0.product },
        .count("Started", "started", .strong), .count("Running", "running", priority: 6),
        .count("Converted", "converted", .good, priority: 1),
        Column(.number("Rate", priority: 1)) {
          .share($0["converted"], of: $0.ended, unknown: glyphs.dash)
        }, .bar(.good) { PercentText.share($0["converted"], in: $0.ended) },
        .count("Repeat offer", priority: 8) { $0.again }, .count("Lost", "lost", .bad, priority: 4),
        .money("Cost", "cost", of: "started", priority: 7, in: glyphs),
        .money("Revenue", "brought", of: "converted", priority: 5, in: glyphs),
        Column(.money("Net")) { $0.balanceText(in: glyphs) },
      ], emptyText: "No trials or offers started.", span: .main, minimumColumns: 80, in: glyphs
    ) { offer in
      let opened =
        offer.counted(["started", "running", "converted"]) + [("renewed", offer.again)]
        + offer.counted(["lost"]) + [("cost", 0), ("brought", 0), ("balance", 0)]
        + offer.counted(["unpriced"])
      let path = offer.offerPath
      return Listing.Row(
        id: path, drillDown: .rows(Breakdown(opened.map { ("\(path).\($0)", $1) })), note: offer.note)
    }
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
    let before = startedBefore > 0 ? ["\(CountText.of(startedBefore)) more in the previous window"] : []
    // Unpriced uses are missing in the sums and in the net revenue.
    let known =
      self["unpriced"] > 0 ? ["\(CountText.of(priced)) of \(CountText.of(started)) priced"] : []
    let open = counts([(self["running"], "running"), (again, "on a repeat offer")])
    let closed = counts([(self["converted"], "converted"), (self["lost"], "lost")])
    let sums = [("cost", self[amounts: "cost"]), ("revenue", self[amounts: "brought"])]
    let money = sums.filter { !$0.1.isEmpty }.map { "\($0.0) \(MoneyText.of($0.1))" }
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
    return [amount, TextSpan(" (\(CountText.of(priced)))", .warn)]
  }

  /// Number of offers that another offer followed.
  fileprivate var again: Int { max(0, self["started"] - self["running"] - self["converted"] - self["lost"]) }
}

extension PeriodKind {
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
