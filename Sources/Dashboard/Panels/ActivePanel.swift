import Screen
import Subscriptions

/// The active panel: paid subscribers by kind, auto-renew, product and storefront, with trials and MRR.
struct ActivePanel {
  let figures: ActiveFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [
      report.chart("Active paid, grace apart", ["paid"], .line, .good, in: wording),
      report.chart("MRR, grace apart", amount: "mrr", .line, in: wording), kinds, renewal, beside,
      figures.byProduct.block(in: wording, minimumColumns: 50), currencies,
      figures.byStorefront.block(in: wording),
    ].compactMap(\.self)
  }

  /// MRR of each currency and its converted value; `nil` without a reporting currency, or if there is a
  /// single currency.
  private var currencies: Block? {
    guard let reporting = report.reportingCurrency, figures.mrr.totals.count > 1 else { return nil }
    let rows = figures.mrr.totals.map { total in
      let converted = figures.mrr.converted(total.currency)
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
          [.name("Currency", least: 8), .number("MRR", most: 24), .number("In \(reporting)", most: 24)], rows,
          emptyText: "Nothing is paid.", in: glyphs)), span: .main, minimumColumns: 50)
  }

  private var kinds: Block {
    let kinds = figures.byKind
    return Block(
      StyledText("Active paid \(CountText.of(figures.paid))"),
      .bars(
        .shares([
          Share("standard", kinds.standard, .good, opens: "by_kind.standard"),
          Share("intro offer", kinds.intro, .info, opens: "by_kind.intro"),
          Share("promo offer", kinds.promo, .info, opens: "by_kind.promo"),
          Share("offer code", kinds.code, .info, opens: "by_kind.code"),
          Share("win-back", kinds.winback, .info, opens: "by_kind.winback"),
          Share("in grace", figures.grace, .warn, opens: "grace"),
        ])), minimumColumns: 38)
  }

  /// Leaves out lines in grace, whose auto-renew is on by definition.
  private var renewal: Block {
    Block(
      "Auto-renew, grace apart",
      .bars(
        .shares([
          Share("on", figures.renewing, .good, opens: "renewing"),
          Share("off", figures.autoRenewOff, .warn, opens: "auto_renew_off"),
          Share("unknown", figures.autoRenewUnknown, .dim, opens: "auto_renew_unknown"),
        ])), minimumColumns: 34)
  }

  private var beside: Block {
    Block(
      "Active, trials, MRR",
      .figures(
        [
          .count("Active paid", figures.paid, Style(.good, .bold), opens: "paid")
            .following(report.trend.state("paid", rise: .good, in: glyphs)),
          .count("Trials", figures.trial, Style(.accent, .bold), opens: "trial")
            .following(report.trend.state("trial", rise: .good, in: glyphs)),
          .part("renewal off", figures.trialAutoRenewOff, .warn, opens: "trial_auto_renew_off"),
          .count("Not confirmed yet", figures.overdue, Style(.warn, .bold), opens: "overdue"),
        ]
          + Figure.money("MRR", figures.mrr, of: figures.paid, opens: "mrr") {
            report.trend.state("mrr", $0, rise: .good, in: glyphs)
          }
          + Figure.money("ARR", figures.mrr.times(12), of: figures.paid, opens: "mrr")), minimumColumns: 28)
  }
}

extension [ActiveFigures.ByProduct] {
  func block(in wording: Wording, minimumColumns: Int) -> Block {
    let glyphs = wording.glyphs
    let top = map(\.paid).max() ?? 0
    let rows = map { product in
      Listing.Row(
        id: product.productId.rawValue,
        [
          StyledText(wording.products.name(of: product.productId)),
          StyledText(CountText.of(product.paid), .strong),
          "",
          .number(product.trial), .number(product.grace, .warn),
          .amount(product.mrr, of: product.paid, in: glyphs),
        ], counted: [5: .currencies(product.mrr)], opening: .product(product.productId),
        bar: PercentText.share(product.paid, in: top).map { Listing.RowBar($0, .good) })
    }
    return Block(
      "By product",
      .listing(
        Listing(
          [
            .product(of: wording.products, priority: 0), .number("Paid"),
            .bar(),
            .number("Trial", priority: 2), .number("Grace", priority: 3),
            .number("MRR", most: 48, priority: 1),
          ], rows, emptyText: "No active subscription and no trial.", in: glyphs)), span: .main,
      minimumColumns: minimumColumns)
  }
}

extension StyledText {
  static func number(_ number: Int, _ style: Style = .text) -> StyledText {
    StyledText(CountText.of(number), number == 0 ? .dim : style)
  }
}
