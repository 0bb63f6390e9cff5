import Screen
import Subscriptions

/// The upgrades panel: changes of product, and the credit for unused parts of replaced periods.
struct UpgradesPanel {
  let figures: UpgradeFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    let atOnce = ["upgrade", "crossgrade", "unranked"].map { "immediate.\($0)" }
    return [
      report.chart("Changes at once", atOnce, .columns, .good, in: wording),
      report.chart("Upgrade credit", amount: "prorated_refund", .columns, in: wording), changes, prorated,
      list,
    ].compactMap(\.self)
  }

  private var changes: Block {
    let (now, later) = (figures.immediate, figures.atRenewal)
    return Block(
      StyledText("Changes \(report.windowText)"),
      .bars(
        .counts([
          Share("at once, upgrade", now.upgrade, .good, opens: "immediate.upgrade"),
          Share("at once, crossgrade", now.crossgrade, .info, opens: "immediate.crossgrade"),
          Share("at once, unranked", now.unranked, .dim, opens: "immediate.unranked"),
          Share("renewal, downgrade", later.downgrade, .warn, opens: "at_renewal.downgrade"),
          Share("renewal, crossgrade", later.crossgrade, .info, opens: "at_renewal.crossgrade"),
          Share("renewal, unranked", later.unranked, .dim, opens: "at_renewal.unranked"),
          Share("pending now", figures.pending, .accent, opens: "pending"),
        ])), minimumColumns: 42)
  }

  private var prorated: Block {
    let count = figures.confirmed + figures.estimated
    return Block(
      "Upgrade credit",
      .figures(
        Figure.money("Upgrade credit", figures.proratedRefund, of: count, opens: "prorated_refund") {
          report.trend.flow("prorated_refund", $0, rise: .neutral, in: glyphs)
        } + [
          .part("dated by Apple", figures.confirmed, opens: "confirmed"),
          .part("by the successor", figures.estimated, opens: "estimated"),
          .part("without a price", figures.unpriced, .warn, opens: "unpriced"),
          .part("undated, left out", figures.undated, .warn, opens: "undated"),
        ]), minimumColumns: 36)
  }

  private var list: Block {
    let isLocated = figures.rows.contains { $0.storefront != nil }
    let rows = figures.rows.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.transactionId)",
        cells(of: entry), opening: .chain(entry.originalTransactionId))
    }
    let listing = Listing(
      [
        .whole("When"), .product("From", of: wording.products, least: 10, priority: 0),
        .product("To", of: wording.products, least: 10),
        .whole("Kind", priority: 5),
        .number("Price", priority: 4), .number("Upgrade credit").named("given_back"),
        .whole("Dated", priority: 3),
        .whole("Subscription", priority: 6).named("chain"),
        .storefront(priority: 7).present(isLocated),
      ], rows, total: figures.immediate.total, emptyText: "No period was replaced.", in: glyphs)
    return Block(
      "Replaced periods, the newest first", .listing(listing), span: .main, minimumColumns: 70)
  }

  private func cells(of entry: UpgradeFigures.Entry) -> [StyledText] {
    [
      StyledText(wording.minute(entry.upgradedAtMs), .dim),
      StyledText(wording.products.name(of: entry.fromProductId)),
      StyledText(entry.toProductId.map(wording.products.name(of:)) ?? glyphs.dash),
      StyledText(entry.kind.rawValue, entry.kind.style),
      .money(entry.priceMicros, entry.currency, unknown: "no price"),
      .money(entry.proratedRefundMicros, entry.currency, unknown: "unknown"),
      StyledText(entry.confirmed ? "confirmed" : "estimated", entry.confirmed ? .text : .dim),
      StyledText(entry.originalTransactionId.rawValue), .storefront(entry.storefront, in: glyphs),
    ]
  }
}

extension ChangeDirection {
  var style: Style {
    switch self {
    case .upgrade: .good
    case .downgrade: .warn
    case .crossgrade: .info
    case .unranked: .dim
    }
  }
}

extension StyledText {
  static func money(_ micros: (some BinaryInteger)?, _ currency: CurrencyCode?, unknown: String) -> StyledText
  {
    guard let micros, let currency else { return StyledText(unknown, .dim) }
    return StyledText(MoneyText.of(micros: micros, currency), .money)
  }
}
