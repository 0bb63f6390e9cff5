import Screen
import Subscriptions

/// The active panel: paid subscribers by kind, auto-renew, product and storefront, with trials and MRR.
extension PanelContent {
  var activePanel: [Block?] {
    [
      chart("Active paid", ["paid"], .line, .good),
      chart("MRR", amount: "mrr", .line),
      bars(
        "Active paid \(CountText.of(figures["paid"]))", 38,
        [
          ("standard", "by_kind.standard", .good), ("intro offer", "by_kind.intro", .info),
          ("promo offer", "by_kind.promo", .info), ("offer code", "by_kind.code", .info),
          ("win-back", "by_kind.winback", .info), ("in grace", "grace", .warn),
        ]),
      // Lines in grace are excluded, because their auto-renew is on by definition.
      bars(
        "Auto-renew (excl. grace)", 34,
        [
          ("on", "renewing", .good), ("off", "auto_renew_off", .warn),
          ("unknown", "auto_renew_unknown", .dim),
        ]),
      card("Active, trials, MRR", 28) {
        count("Active paid", "paid", Style(.good, .bold), trend: true)
        count("Trials", "trial", Style(.accent, .bold), trend: true)
        part("auto-renew off", "trial_auto_renew_off", .warn)
        count("Unverified", "overdue", Style(.warn, .bold))
        money("MRR", "mrr", of: figures["paid"], trend: true)
        Figure.money("ARR", figures[amounts: "mrr"].times(12), of: figures["paid"], opens: "mrr")
      },
      products(
        "By product", 50, emptyText: "No active subscriptions or trials.", ("Paid", "paid"), .good,
        trialGraceRevenue),
      currencies,
      storefronts(
        "By storefront", "by_storefront", .main, 50, emptyText: "No active subscriptions or trials.",
        ("Paid", "paid"), .good, opens: ["trial", "mrr"], trialGraceRevenue),
    ]
  }

  private var trialGraceRevenue: [Column<FigureValues>] {
    [
      .count("Trial", "trial", priority: 2), .count("Grace", "grace", .warn, priority: 3),
      .money("MRR", "mrr", of: "paid", priority: 1, in: glyphs),
    ]
  }

  /// MRR by currency with converted values; `nil` without a reporting currency, or for a single currency.
  private var currencies: Block? {
    let mrr = figures[amounts: "mrr"]
    guard let reporting = report.reportingCurrency, mrr.totals.count > 1 else { return nil }
    return Block(
      "MRR by currency", mrr.totals,
      [
        Column(.name("Currency")) { StyledText($0.currency.rawValue) },
        Column(.number("MRR", most: 24)) { StyledText(MoneyText.of($0), .money) },
        Column(.number("In \(reporting)", most: 24)) { total in
          mrr.converted(total.currency).map {
            StyledText(MoneyText.about(Money(micros: $0, currency: reporting)), .money)
          } ?? StyledText("no rate", .warn)
        },
      ], emptyText: "No paid subscriptions.", span: .main, minimumColumns: 50, in: glyphs
    ) { Listing.Row(id: $0.currency.rawValue) }
  }
}
