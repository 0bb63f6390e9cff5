import Screen
import Subscriptions

/// The overview panel: headline, tiles and movement, then the figures of other panels.
struct OverviewPanel {
  let figures: FigureValues
  let report: Report
  let wording: Wording

  var blocks: [Block] {
    first + [revenueMovement].compactMap(\.self)
      + OverviewCards(figures: figures, report: report, wording: wording).blocks + [events]
  }

  var first: [Block] {
    let headline = OverviewHeadline(figures: figures, report: report, wording: wording).headline
    return [Block("", .headline(headline), span: .wide)]
      + OverviewTiles(figures: figures, report: report, wording: wording).blocks
      + [movement, products].compactMap(\.self)
  }

  private var movement: Block? {
    guard let group = figures.movement?["subscribers"], let row = group.rows.first else { return nil }
    let steps = MovementSteps(group, row, reasons: figures.movement?["lost_by_reason"], isShort: true)
    return block("Subscribers", steps, minimumColumns: 42)
  }

  /// MRR in the reporting currency, or in the currency with most subscribers.
  private var revenueMovement: Block? {
    guard let group = figures.movement?["mrr"], let row = group.rowsByLines.first, let currency = row.currency
    else { return nil }
    let about = row == group.total ? "\(wording.glyphs.about) " : ""
    var block = block(
      "MRR, \(about)\(currency)", MovementSteps(group, row, isShort: true), minimumColumns: 54)
    block.span = .tall
    return block
  }

  private func block(_ name: String, _ steps: MovementSteps, minimumColumns: Int) -> Block {
    let waterfall = steps.waterfall(of: .movement, saysWhatIsLeftOut: false)
    return Block(
      steps.title(name, report.windowText, waterfall), .waterfall(waterfall), minimumColumns: minimumColumns)
  }

  private var products: Block {
    OverviewProducts(figures, wording).block(report)
  }

  private var events: Block {
    Block(
      "Newest events", .listing(figures.newestEvents.listing(emptyText: "Nothing happened.", in: wording)),
      minimumColumns: 74)
  }
}
