import Screen
import Subscriptions

/// A panel of declared figures: a block for each group.
struct DeclaredPanel {
  let figures: LedgerFigures
  let report: Report
  let wording: Wording

  init(_ figures: LedgerFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  var blocks: [Block] {
    figures.groups.flatMap { group in
      [total(of: group)].compactMap(\.self)
        + group.rows.map { row in
          let title = [group.label, row.currency?.rawValue].compactMap(\.self).joined(separator: ", ")
          return block(title, row, group)
        }
    }
  }

  /// In the reporting currency; nil where that says no more than the rows do.
  private func total(of group: EvaluatedGroup) -> Block? {
    guard let total = group.total, let currency = total.currency, group.rows.map(\.currency) != [currency],
      group.rows.contains(where: { $0.converted != nil })
    else { return nil }
    return block("\(group.label) \(GlyphSet.unicode.about) \(currency)", total, group)
  }

  private func block(_ title: String, _ row: EvaluatedGroup.Row, _ group: EvaluatedGroup) -> Block {
    Block(StyledText("\(title) \(report.windowText)"), .figures(lines(of: row, group)), minimumColumns: 36)
  }

  private func lines(of row: EvaluatedGroup.Row, _ group: EvaluatedGroup) -> [Figure] {
    zip(group.figures, row.values).compactMap { figure, value in
      // What only questions about some products have.
      if Movement.otherProducts.contains(figure.name), value == 0 { return nil }
      let path = "\(group.name).\(figure.name)"
      return Figure(
        figure.label, text(value, figure, row.currency), isPart: !figure.isBalance, opens: path)
    }
  }

  private func text(_ value: Int64, _ figure: EvaluatedGroup.Figure, _ currency: CurrencyCode?) -> StyledText
  {
    let signed = figure.isTakenOff ? 0 &- value : value
    let number =
      currency.map { MoneyText.of(micros: signed, $0) } ?? CountText.of(Int(clamping: signed))
    let style: Style =
      figure.isBalance ? .strong : signed == 0 ? .dim : signed > 0 ? .good : .bad
    return StyledText(!figure.isBalance && signed > 0 ? "+\(number)" : number, style)
  }
}
