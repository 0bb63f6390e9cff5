import Screen
import Subscriptions

/// Changes of product, and what Apple gave back for the unused part of replaced periods.
struct UpgradesPanel {
  let figures: UpgradeFigures
  let report: Report
  let glyphs: GlyphSet

  init(_ figures: UpgradeFigures, _ report: Report, _ glyphs: GlyphSet) {
    (self.figures, self.report, self.glyphs) = (figures, report, glyphs)
  }

  var blocks: [Block] { [immediate, prorated, atRenewal, list] }

  private var immediate: Block {
    let changes = figures.immediate
    return Block(
      StyledText("At once \(report.windowText)"),
      .bars(
        [Bar].shares([
          ("upgrade", changes.upgrade, .good), ("crossgrade", changes.crossgrade, .info),
          ("unranked", changes.unranked, .dim),
        ])), minimumColumns: 36)
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

  private var atRenewal: Block {
    let changes = figures.atRenewal
    return Block(
      StyledText("At a renewal \(report.windowText)"),
      .figures([
        .count("Downgrades", changes.downgrade, Style(.warn, .bold)),
        .count("Crossgrades", changes.crossgrade),
        .count("Unranked", changes.unranked), .count("Pending, at the next renewal", figures.pending),
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
            TableColumn("When", minimum: 10, maximum: 16), TableColumn("From", minimum: 10, maximum: 36),
            TableColumn("To", minimum: 10, maximum: 36, priority: 1),
            TableColumn("Kind", minimum: 8, maximum: 10, priority: 4),
            TableColumn("Price", minimum: 9, maximum: 18, align: .right, priority: 5),
            TableColumn("Given back", minimum: 9, maximum: 18, align: .right),
            TableColumn("Dated", minimum: 9, maximum: 9, priority: 3),
            TableColumn("Chain", minimum: 10, maximum: 24, priority: 6),
          ], rows, total: rows.count < all ? all : nil, emptyText: "No period was replaced.", in: glyphs)),
      span: .main, minimumColumns: 70)
  }

  private func cells(of entry: UpgradeFigures.Entry) -> [StyledText] {
    [
      StyledText(entry.upgradedAtMs.minuteText, .dim), StyledText(entry.fromProductId.rawValue),
      StyledText(entry.toProductId?.rawValue ?? glyphs.dash),
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
