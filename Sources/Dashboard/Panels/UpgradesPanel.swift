import Screen
import Subscriptions

/// Changes of product, and what Apple gave back for the unused part of replaced periods.
struct UpgradesPanel {
  let figures: UpgradeFigures
  let report: Report
  let wording: Wording

  init(_ figures: UpgradeFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] { [changes, prorated, list] }

  /// What took effect at once, at a renewal, and what will.
  private var changes: Block {
    let (now, later) = (figures.immediate, figures.atRenewal)
    let parts: [(String, Int, Style)] = [
      ("at once, upgrade", now.upgrade, .good), ("at once, crossgrade", now.crossgrade, .info),
      ("at once, unranked", now.unranked, .dim), ("renewal, downgrade", later.downgrade, .warn),
      ("renewal, crossgrade", later.crossgrade, .info), ("renewal, unranked", later.unranked, .dim),
      ("pending now", figures.pending, .accent),
    ]
    let bars = parts.map { name, count, style in
      Bar(
        label: TextSpan(name, count == 0 ? .dim : .text), value: Double(count), text: CountText.of(count),
        style)
    }
    return Block(StyledText("Changes \(report.windowText)"), .bars(bars), minimumColumns: 42)
  }

  private var prorated: Block {
    let count = figures.confirmed + figures.estimated
    return Block(
      "Prorated refunds",
      .figures(
        Figure.money("Given back", figures.proratedRefund, of: count) + [
          .part("dated by Apple", figures.confirmed), .part("by the successor", figures.estimated),
          .part("without a price", figures.unpriced, .warn),
          .part("undated, left out", figures.undated, .warn),
        ]), minimumColumns: 36)
  }

  private var list: Block {
    let all = figures.immediate.upgrade + figures.immediate.crossgrade + figures.immediate.unranked
    let rows = figures.rows.map { entry in
      Listing.Row(
        id: "\(entry.originalTransactionId) \(entry.transactionId)", cells(of: entry),
        opening: .chain(entry.originalTransactionId))
    }
    return Block(
      "Replaced periods, the newest first",
      .listing(
        Listing(
          [
            .whole("When"), .name("From"), .name("To", priority: 1), .whole("Kind", priority: 5),
            .number("Price", priority: 4), .number("Given back"), .whole("Dated", priority: 3),
            .whole("Chain", priority: 6),
          ], rows, total: rows.count < all ? all : nil, emptyText: "No period was replaced.", in: glyphs)),
      span: .main, minimumColumns: 70)
  }

  private func cells(of entry: UpgradeFigures.Entry) -> [StyledText] {
    [
      StyledText(entry.upgradedAtMs.minuteText, .dim),
      StyledText(wording.products.name(of: entry.fromProductId)),
      StyledText(entry.toProductId.map(wording.products.name(of:)) ?? glyphs.dash),
      StyledText(entry.kind.rawValue, entry.kind.style),
      .money(entry.priceMicros, entry.currency, unknown: "unpriced"),
      .money(entry.proratedRefundMicros, entry.currency, unknown: "unknown"),
      StyledText(entry.confirmed ? "confirmed" : "estimated", entry.confirmed ? .text : .dim),
      StyledText(entry.originalTransactionId.rawValue),
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
  /// An amount in a table's cell, or the word for why there is none.
  static func money(_ micros: Int64?, _ currency: CurrencyCode?, unknown: String) -> StyledText {
    guard let micros, let currency else { return StyledText(unknown, .dim) }
    return StyledText(MoneyText.of(micros: micros, currency), .money)
  }
}
