import Screen
import Subscriptions

/// The upgrades panel: changes of product, and the credit for unused parts of replaced periods.
struct UpgradesPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    let atOnce = ["upgrade", "crossgrade", "unranked"].map { "immediate.\($0)" }
    return [
      report.chart("Changes at once", atOnce, .columns, .good, in: formatter),
      report.chart("Upgrade credit", amount: "prorated_refund", .columns, in: formatter), changes, prorated,
      list,
    ].compactMap(\.self)
  }

  private var changes: Block {
    Block(
      StyledText("Changes \(report.windowText)"),
      .bars(
        .counts([
          figures.share("at once, upgrade", "immediate.upgrade", .good),
          figures.share("at once, crossgrade", "immediate.crossgrade", .info),
          figures.share("at once, unranked", "immediate.unranked", .dim),
          figures.share("renewal, downgrade", "at_renewal.downgrade", .warn),
          figures.share("renewal, crossgrade", "at_renewal.crossgrade", .info),
          figures.share("renewal, unranked", "at_renewal.unranked", .dim),
          figures.share("pending now", "pending", .accent),
        ])), minimumColumns: 42)
  }

  private var prorated: Block {
    Block(
      "Upgrade credit",
      .figures(
        figures.money(
          "Upgrade credit", "prorated_refund", of: figures["confirmed"] + figures["estimated"], in: report,
          glyphs)
          + [
            figures.part("dated by Apple", "confirmed"), figures.part("by the successor", "estimated"),
            figures.part("without a price", "unpriced", .warn),
            figures.part("undated, left out", "undated", .warn),
          ]), minimumColumns: 36)
  }

  private var list: Block {
    let isLocated = figures.upgrades.contains { $0.storefront != nil }
    let rows = figures.upgrades.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.transactionId)",
        cells(of: entry), drillDown: .chain(entry.originalTransactionId))
    }
    let listing = Listing(
      [
        .whole("When"), .product("From", of: formatter.products, least: 14, priority: 0),
        .product("To", of: formatter.products, least: 14),
        .whole("Kind", priority: 5),
        .number("Price", priority: 4), .number("Upgrade credit").named("given_back"),
        .whole("Dated", priority: 3),
        .whole("Subscription", priority: 6).named("chain"),
        .storefront(priority: 7).present(isLocated),
      ], rows, total: figures.upgradesAtOnce, emptyText: "No period was replaced.", in: glyphs)
    return Block(
      "Replaced periods, the newest first", .listing(listing), span: .main, minimumColumns: 70)
  }

  private func cells(of entry: UpgradeEntry) -> [StyledText] {
    [
      StyledText(formatter.minute(entry.upgradedAtMs), .dim),
      StyledText(formatter.products.name(of: entry.fromProductId)),
      StyledText(entry.toProductId.map(formatter.products.name(of:)) ?? glyphs.dash),
      StyledText(entry.kind.rawValue, entry.kind.style),
      .money(entry.priceMicros, entry.currency, unknown: "no price"),
      .money(entry.proratedRefundMicros, entry.currency, unknown: "unknown"),
      StyledText(entry.confirmed ? "confirmed" : "estimated", entry.confirmed ? .text : .dim),
      StyledText(entry.originalTransactionId.rawValue), .storefront(entry.storefront, in: glyphs),
    ]
  }
}

extension FigureValues {
  /// Rows upgraded away in the window.
  public var upgradesAtOnce: Int {
    self["immediate.upgrade"] + self["immediate.crossgrade"] + self["immediate.unranked"]
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
