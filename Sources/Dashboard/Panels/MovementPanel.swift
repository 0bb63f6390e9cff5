import Screen
import Subscriptions

/// The movement panel: waterfalls from the start to the end of the window, or tables if it is split.
struct MovementPanel {
  let figures: LedgerFigures
  let report: Report
  let wording: Wording

  var blocks: [Block] { figures.split == nil ? waterfalls : tables }

  private var waterfalls: [Block] {
    let money = figures["mrr"].map(revenue) ?? []
    return [block(of: "subscribers", reasons: figures["lost_by_reason"])].compactMap(\.self) + money.prefix(1)
      + [block(of: "trials"), block(of: "billing_retry")].compactMap(\.self) + money.dropFirst()
  }

  private func block(of name: String, reasons: EvaluatedGroup? = nil) -> Block? {
    guard let group = figures[name], let row = group.rows.first else { return nil }
    return block(group.label, MovementSteps(group, row, reasons: reasons))
  }

  private func revenue(_ group: EvaluatedGroup) -> [Block] {
    group.rowsByLines.map { row in
      let about = row == group.total ? "\(wording.glyphs.about) " : ""
      let currency = row.currency.map { ", \(about)\($0)" } ?? ""
      return block("\(group.label)\(currency)", MovementSteps(group, row))
    }
  }

  private func block(_ title: String, _ steps: MovementSteps) -> Block {
    let waterfall = steps.waterfall()
    return Block(
      steps.title(title, report.windowText, waterfall), .waterfall(waterfall), minimumColumns: 54)
  }

  private var tables: [Block] {
    guard let split = figures.split else { return [] }
    return ["subscribers", "mrr", "trials", "billing_retry"].compactMap { figures[$0] }.flatMap { group in
      group.rowsByLines.map { row in
        MovementTable(figures, group, row, wording).block(by: split, report)
      }
    }
  }
}
