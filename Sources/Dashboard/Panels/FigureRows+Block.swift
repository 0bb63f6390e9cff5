import Screen
import Subscriptions

extension FigureRows {
  /// What a figure is made of; Enter on a row opens its chain.
  func block(panel: Panel, figure: String?, in wording: Wording) -> Block {
    let glyphs = wording.glyphs
    let listed = rows.map { row in
      Listing.Row(
        id: "\(row.originalTransactionID) \(row.transactionID) \(row.figures.joined(separator: " "))",
        row.cells(showsFigures: figure == nil, in: wording), opening: .chain(row.originalTransactionID))
    }
    let columns: [ListingColumn] =
      (figure == nil ? [.name("Counted in", least: 12, most: 60, priority: 2)] : []) + [
        .whole("Chain"), .name("App user", least: 8, most: 36, priority: 6), .name("Product", priority: 1),
        .whole("Kind", priority: 4), .whole("State", priority: 3), .whole("When", priority: 2),
        .number("Amount", priority: 1), .name("Why", least: 20, most: 120, priority: 5),
      ]
    let title = "\(CountText.of(count, "row")) behind \(figure ?? panel.rawValue)"
    return Block(
      StyledText(title),
      .listing(
        Listing(
          columns, listed, total: rows.count < count ? count : nil, emptyText: "Nothing is counted here.",
          in: glyphs)),
      span: .main)
  }
}

extension FigureRow {
  fileprivate func cells(showsFigures: Bool, in wording: Wording) -> [StyledText] {
    let glyphs = wording.glyphs
    return (showsFigures ? [StyledText(figures.joined(separator: " "), .dim)] : []) + [
      StyledText(originalTransactionID.rawValue), .user(appUserID, in: glyphs),
      StyledText(wording.products.name(of: productID)), StyledText(kind.replacing("_", with: "-")),
      state.map { StyledText($0.mark(in: glyphs), $0.style) } ?? StyledText(glyphs.dash, .dim),
      StyledText(at.minuteText, .dim),
      amount.map { StyledText(MoneyText.of($0), .money) } ?? StyledText(glyphs.dash, .dim), StyledText(why),
    ]
  }
}
