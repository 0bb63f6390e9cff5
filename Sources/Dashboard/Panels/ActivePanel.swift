import Screen
import Subscriptions

/// The active panel: paid subscribers by kind, auto-renew, product and storefront, with trials and MRR.
struct ActivePanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    [
      report.chart("Active paid, grace apart", ["paid"], .line, .good, in: formatter),
      report.chart("MRR, grace apart", amount: "mrr", .line, in: formatter), kinds, renewal, beside,
      products, currencies,
      StorefrontTable.subscribers(figures).block(in: formatter),
    ].compactMap(\.self)
  }

  /// MRR of each currency and its converted value; `nil` without a reporting currency, or if there is a
  /// single currency.
  private var currencies: Block? {
    let mrr = figures[amounts: "mrr"]
    guard let reporting = report.reportingCurrency, mrr.totals.count > 1 else { return nil }
    let rows = mrr.totals.map { total in
      let converted = mrr.converted(total.currency)
      return Listing.Row(
        id: total.currency.rawValue,
        [
          StyledText(total.currency.rawValue), StyledText(MoneyText.of(total), .money),
          converted.map { StyledText(MoneyText.about(Money(micros: $0, currency: reporting)), .money) }
            ?? StyledText("no rate", .warn),
        ])
    }
    return Block(
      "MRR by currency",
      .listing(
        Listing(
          [.name("Currency"), .number("MRR", most: 24), .number("In \(reporting)", most: 24)], rows,
          emptyText: "Nothing is paid.", in: glyphs)), span: .main, minimumColumns: 50)
  }

  private var kinds: Block {
    Block(
      StyledText("Active paid \(CountText.of(figures["paid"]))"),
      .bars(
        .shares([
          figures.share("standard", "by_kind.standard", .good),
          figures.share("intro offer", "by_kind.intro", .info),
          figures.share("promo offer", "by_kind.promo", .info),
          figures.share("offer code", "by_kind.code", .info),
          figures.share("win-back", "by_kind.winback", .info), figures.share("in grace", "grace", .warn),
        ])), minimumColumns: 38)
  }

  /// Leaves out lines in grace, whose auto-renew is on by definition.
  private var renewal: Block {
    Block(
      "Auto-renew, grace apart",
      .bars(
        .shares([
          figures.share("on", "renewing", .good), figures.share("off", "auto_renew_off", .warn),
          figures.share("unknown", "auto_renew_unknown", .dim),
        ])), minimumColumns: 34)
  }

  private var beside: Block {
    Block(
      "Active, trials, MRR",
      .figures(
        [
          figures.count("Active paid", "paid", Style(.good, .bold)).following(report, in: glyphs),
          figures.count("Trials", "trial", Style(.accent, .bold)).following(report, in: glyphs),
          figures.part("renewal off", "trial_auto_renew_off", .warn),
          figures.count("Not confirmed yet", "overdue", Style(.warn, .bold)),
        ]
          + figures.money("MRR", "mrr", of: figures["paid"], in: report, glyphs)
          + Figure.money("ARR", figures[amounts: "mrr"].times(12), of: figures["paid"], opens: "mrr")),
      minimumColumns: 28)
  }

  /// The products, the largest first; Enter shows one alone.
  private var products: Block {
    let parts = figures[parts: "by_product"]
    let top = parts.map { $0["paid"] }.max() ?? 0
    let rows = parts.map { part in
      let (paid, mrr) = (part["paid"], part[amounts: "mrr"])
      return Listing.Row(
        id: part.product.rawValue,
        [
          StyledText(formatter.products.name(of: part.product)), StyledText(CountText.of(paid), .strong), "",
          .number(part["trial"]), .number(part["grace"], .warn), .amount(mrr, of: paid, in: glyphs),
        ], drillDown: .product(part.product),
        bar: PercentText.share(paid, in: top).map { RowBar($0, .good) })
    }
    return Block(
      "By product",
      .listing(
        Listing(
          [
            .product(of: formatter.products, priority: 0), .number("Paid"),
            .bar(),
            .number("Trial", priority: 2), .number("Grace", priority: 3),
            .money("MRR", priority: 1),
          ], rows, emptyText: "No active subscription and no trial.", in: glyphs)), span: .main,
      minimumColumns: 50)
  }
}

extension StyledText {
  static func number(_ number: Int, _ style: Style = .text) -> StyledText {
    StyledText(CountText.of(number), number == 0 ? .dim : style)
  }
}
