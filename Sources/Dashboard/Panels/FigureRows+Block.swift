import Screen
import Subscriptions

extension FigureRows {
  /// What a figure is made of; Enter on a row opens its chain.
  ///
  /// - Parameters:
  ///   - figure: nil where the rows are behind any figure of the panel, of which each then names its own.
  ///   - environment: where the rows are from; each names its own where it is not one environment.
  func block(panel: Panel, figure: String?, environment: EnvironmentScope, in wording: Wording) -> Block {
    let columns = FigureColumn.shown(for: self, figure: figure, environment: environment)
    let listed = rows.map { row in
      Listing.Row(
        id: "\(row.originalTransactionID) \(row.transactionID) \(row.figures.joined(separator: " "))",
        columns.map { $0.cell(row, wording) }, opening: .chain(row.originalTransactionID),
        note: row.reason(in: wording))
    }
    return Block(
      title(figure.map { FigureWords($0, of: panel).name } ?? panel.title, isOfOneFigure: figure != nil),
      .listing(
        Listing(
          columns.map(\.column), listed, total: rows.count < count ? count : nil,
          emptyText: "Nothing is counted here.", in: wording.glyphs)),
      span: .main)
  }

  /// The figure in words, how many rows it is made of, and what they add up to.
  private func title(_ name: String, isOfOneFigure: Bool) -> StyledText {
    let lines = rows.count { $0.state != nil }
    let isMixed = !isOfOneFigure || rows.isEmpty || (lines > 0 && lines < rows.count)
    let noun = isMixed ? "row" : lines > 0 ? "line" : "transaction"
    let title: StyledText = [TextSpan(name, .heading), TextSpan(": \(CountText.of(count, noun))", .strong)]
    let parts = [
      ("", Amounts(rows.compactMap(\.amount))), ("proceeds ", Amounts(rows.compactMap(\.proceeds))),
    ]
    let sums = parts.filter { !$0.1.isEmpty }.map { "\($0.0)\(MoneyText.of($0.1))" }
    guard !sums.isEmpty else { return title }
    let listed = rows.count < count ? " in the \(CountText.of(rows.count)) listed" : ""
    return title + [TextSpan(", \(sums.joined(separator: ", "))", .money), TextSpan(listed, .dim)]
  }
}

/// One column of the rows behind a figure.
private struct FigureColumn: Sendable {
  let column: ListingColumn
  let cell: @Sendable (FigureRow, Wording) -> StyledText

  /// Without the columns in which no row has anything.
  static func shown(
    for rows: FigureRows, figure: String?, environment: EnvironmentScope
  ) -> [FigureColumn] {
    let rows = rows.rows
    let present: [(Bool, FigureColumn)] = [
      (figure == nil, figures), (true, chain), (rows.contains { $0.appUserID != nil }, user),
      (environment == .all, world), (true, product), (true, kind),
      (rows.contains { $0.storefront != nil }, storefront), (rows.contains { $0.state != nil }, state),
      (true, when), (rows.contains { $0.amount != nil }, amount),
      (rows.contains { $0.amount != nil && $0.priceSource == .signed }, priceSource),
      (rows.contains { $0.proceeds != nil }, proceeds), (true, why),
    ]
    return present.filter(\.0).map(\.1)
  }

  private static let figures = FigureColumn(column: .name("Counted in", least: 12, most: 60, priority: 2)) {
    row, _ in
    StyledText(row.figures.joined(separator: " "), .dim)
  }
  private static let chain = FigureColumn(column: .whole("Chain")) { row, _ in
    StyledText(row.originalTransactionID.rawValue)
  }
  private static let user = FigureColumn(column: .name("App user", least: 8, most: 36, priority: 5)) {
    .user($0.appUserID, in: $1.glyphs)
  }
  private static let world = FigureColumn(column: .whole("Environment", priority: 9)) { row, _ in
    StyledText(row.environment.rawValue, row.environment == .production ? .text : .warn)
  }
  private static let product = FigureColumn(column: .name("Product", priority: 1)) { row, wording in
    StyledText(wording.products.name(of: row.productID))
  }
  private static let kind = FigureColumn(column: .whole("Kind", priority: 7)) { row, _ in
    StyledText(row.kind.replacing("_", with: "-"), row.kind == "trial" ? .accent : .text)
  }
  private static let storefront = FigureColumn(column: .storefront(priority: 8)) { row, wording in
    .storefront(row.storefront, in: wording.glyphs)
  }
  private static let priceSource = FigureColumn(column: .whole("Priced by", priority: 10)) { row, wording in
    switch row.priceSource {
    case .signed?: "Apple"
    case .catalogue?: StyledText("catalogue", .dim)
    case nil: StyledText(wording.glyphs.dash, .dim)
    }
  }
  private static let state = FigureColumn(column: .whole("State", priority: 4)) { row, wording in
    row.state.map { StyledText($0.mark(in: wording.glyphs), $0.style) }
      ?? StyledText(wording.glyphs.dash, .dim)
  }
  private static let when = FigureColumn(column: .whole("When", priority: 3)) { row, wording in
    StyledText(wording.minute(row.at), .dim)
  }
  private static let amount = FigureColumn(column: .number("Amount")) { row, wording in
    .money(row.amount?.micros, row.amount?.currency, unknown: wording.glyphs.dash)
  }
  private static let proceeds = FigureColumn(column: .number("Proceeds", priority: 2)) { row, wording in
    .money(row.proceeds?.micros, row.proceeds?.currency, unknown: wording.glyphs.dash)
  }
  private static let why = FigureColumn(column: .name("Why", least: 20, most: 120, priority: 6)) {
    row, wording in
    StyledText(row.reason(in: wording))
  }
}
