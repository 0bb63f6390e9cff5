import Screen
import Subscriptions

/// The offers panel: outcomes of trials and offers, consent to price increases, and opt-outs.
///
/// Figures labeled `Now` or `At end` are balances at the window's end. The others are counted in the window.
extension PanelContent {
  var offersPanel: [Block?] {
    [
      card(title("Price increases", .warn, " \(window)"), 34) {
        count("Price consent requests", "price_increases.asked")
        part("accepted", "price_increases.agreed", .good)
        part("pending", "price_increases.running", .warn)
        part("expired without consent", "price_increases.lapsed", .bad)
        count("Lost to the price increase", "price_increases.lost", Style(.bad, .bold))
        count("\(nowTitle): pending", "price_increases.pending", .warn)
        if let next = figures.consents.min(by: { $0.expiresMs < $1.expiresMs }) {
          Figure("first expires in", left(next), isPart: true)
            .drillDown(.chain(next.originalTransactionId))
        }
      },
      card(title("Opt-outs", .bad, " \(window)"), 38) {
        count("Auto-renew turned off", "opt_outs.turned_off")
        part("on again in time", "opt_outs.turned_on_again", .good)
        part("lapsed since", "opt_outs.lapsed", .bad)
        part("still running", "opt_outs.running", .warn)
        count("\(nowTitle): off, ends within 7 d", "opt_outs.at_stake", Style(.warn, .bold))
        money("\(nowTitle): MRR at stake", "opt_outs.at_stake_mrr", of: figures["opt_outs.at_stake"])
      }, pending, offers,
    ]
  }

  /// Returns a title that begins with a coloured word, which distinguishes the three kinds of boxes.
  private func title(_ kind: String, _ style: Style, _ rest: String) -> StyledText {
    [TextSpan(kind, style.adding(.bold)), TextSpan(rest)]
  }

  // MARK: Price increases

  private func left(_ pending: PendingConsent) -> StyledText {
    .left(max(0, pending.expiresMs - report.asOfMs))
  }

  private var pending: Block? {
    guard !figures.consents.isEmpty else { return nil }
    // Only the most urgent rows are shown; the figure `pending` opens all of them.
    let shown = Array(figures.consents.sorted { $0.expiresMs < $1.expiresMs }.prefix(8))
    let which =
      shown.count < figures.consents.count
      ? "\(CountText.of(shown.count)) most urgent of \(CountText.of(figures.consents.count))"
      : "most urgent first"
    return Block(
      title("Price increases", .warn, " awaiting consent, \(which)"), shown,
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

  /// Uses by offer and product, most used offers first; the total of an offer's parts precedes the parts.
  private var campaigns: [FigureValues] {
    let all = figures[parts: "offers"]
    func name(_ uses: FigureValues) -> String {
      uses[text: "offer"].map { ".\($0)" } ?? uses.offerKind.rawValue
    }
    var groups = Dictionary(grouping: all, by: name)
    return all.compactMap { groups.removeValue(forKey: name($0)) }
      .map { $0.count > 1 ? [FigureValues.total(of: $0)] + $0 : $0 }
      .sorted { $0[0]["started"] > $1[0]["started"] }.flatMap(\.self)
  }

  private var offers: Block {
    Block(
      title("Offers", .info, " and trials started \(window)"), campaigns,
      [
        // Long names are cut before the conversions or the net revenue are hidden.
        Column(
          .whole("Kind"),
          code: { $0.offerKinds.map { $0 == .winback ? "winback" : $0.offerName }.joined(separator: " ") }
        ) {
          StyledText(
            $0.offerKinds.map { $0 == .winback ? "win-back" : $0.rawValue }.joined(separator: ", "),
            $0.offerKinds == [.trial] ? .accent : .text)
        },
        Column(.name("Offer", least: 7, cut: .middle).beforeDetails()) {
          $0[text: "offer"].map { StyledText($0) }
        },
        Column(.product(of: formatter.products, least: 10, priority: 0).beforeDetails()) { uses in
          uses.products.map { StyledText($0 > 1 ? "all \(CountText.of($0))" : "all kinds", .strong) }
            ?? StyledText(formatter.products.name(of: uses.product))
        },
        Column(.number("Uses").named("started")) { .number($0["started"], .strong) },
        .count("Running", "running", priority: 6),
        .count("Converted", "converted", .good, priority: 1),
        Column(.number("Rate", priority: 2)) {
          .share($0["converted"], of: $0.ended, unknown: glyphs.dash)
        }, .bar(.good) { PercentText.share($0["converted"], in: $0.ended) },
        .count("Repeat offer", priority: 8) { $0.again }, .count("Lost", "lost", .bad, priority: 4),
        .money("Cost", "cost", of: "started", priority: 7, in: glyphs),
        .money("Revenue", "brought", of: "converted", priority: 5, in: glyphs),
        Column(.number("Net", most: 32)) { $0.balanceText(in: glyphs) },
      ], emptyText: "No trials or offers started.", span: .main, minimumColumns: 80,
      records: .figures(report, "offers"), in: glyphs
    ) { offer in
      let opened =
        offer.counted(["started", "running", "converted"]) + [("renewed", offer.again)]
        + offer.counted(["lost"]) + [("cost", 0), ("brought", 0), ("balance", 0)]
        + offer.counted(["unpriced"])
      return Listing.Row(
        id: offer.offerPath,
        drillDown: .rows(Breakdown(opened.map { ("\(offer.offerPath).\($0)", $1) })), note: offer.note)
    }
  }
}

extension Report {
  func uses(behind figure: String) -> OfferUses? {
    FigurePath(figure, of: .offers).flatMap(data.uses)
  }
}

/// Figures about the uses of one offer, kind and product.
extension FigureValues {
  /// Number of uses that ended with a conversion or a loss, not with another offer.
  fileprivate var ended: Int { self["converted"] + self["lost"] }

  /// Text for the frame's lower edge, with details whose columns a narrow screen hides.
  fileprivate var note: String {
    let startedBefore = self["started_before"]
    let before = startedBefore > 0 ? ["\(CountText.of(startedBefore)) more in the previous window"] : []
    let open = counts([(self["running"], "running"), (again, "on a repeat offer")])
    let closed = counts([(self["converted"], "converted"), (self["lost"], "lost")])
    let sums = [("cost", self[amounts: "cost"]), ("revenue", self[amounts: "brought"])]
    let known = self["unpriced"] > 0 ? " of \(CountText.of(priced)) priced" : ""
    let money = sums.filter { !$0.1.isEmpty }.map {
      "\($0.0) \(MoneyText.of($0.1))\($0.0 == "cost" ? known : "")"
    }
    return (money + open + closed + before).joined(separator: ", ")
  }

  private func counts(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\(CountText.of($0.0)) \($0.1)" }
  }

  /// Returns revenue less cost, with the number of priced uses if some uses lack a price.
  fileprivate func balanceText(in glyphs: GlyphSet) -> StyledText {
    let balance = self[amounts: "balance"]
    let sums = balance.inReportingCurrency.map { [$0] } ?? balance.totals
    let style: Style = sums.allSatisfy { $0.micros >= 0 } ? .good : .bad
    guard self["unpriced"] > 0 else {
      return balance.isEmpty ? .dash(in: glyphs) : StyledText(MoneyText.of(balance), style)
    }
    let about = MoneyText.converted(balance) == nil ? "" : "\(glyphs.about) "
    let whole = sums.map { StyledText("\(about)\($0.currency) \(MoneyText.units(of: $0.micros))", style) }
    let known = StyledText("\(CountText.of(priced)) of \(CountText.of(self["started"])) priced", .warn)
    return (whole + [known]).joined(by: ", ")
  }

  /// Number of uses that were followed by another offer.
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
