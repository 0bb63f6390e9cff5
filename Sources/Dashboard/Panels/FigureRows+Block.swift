import Screen
import Subscriptions

extension FigureRows {
  /// What a figure is made of; Enter on a row opens its chain.
  ///
  /// - Parameters:
  ///   - figure: nil where the rows are behind any figure of the panel, of which each then names its own.
  ///   - environment: where the rows are from; each names its own where it is not one environment.
  ///   - everyColumn: also those in which no row has anything, for who names them without having seen the list.
  func block(
    panel: Panel, figure: String?, environment: EnvironmentScope, everyColumn: Bool = false,
    in wording: Wording
  ) -> Block {
    let columns =
      everyColumn
      ? FigureColumn.all : FigureColumn.shown(for: self, figure: figure, environment: environment)
    let listed = rows.map { row in
      Listing.Row(
        id: "\(row.originalTransactionID) \(row.transactionID) \(row.figures.joined(separator: " "))",
        columns.map { $0.cell(row, wording) }, opening: .chain(row.originalTransactionID),
        note: row.reason(in: wording), amount: row.amount)
    }
    var listing = Listing(
      columns.map(\.column), listed, total: rows.count < count ? count : nil,
      emptyText: "Nothing is counted here.", in: wording.glyphs)
    // What the rows that are not read have is not known.
    if rows.count == count { listing.leaveOutShared(columns.indices.filter { columns[$0].isLeftOut }) }
    let name = figure.map { FigureWords($0, of: panel).name } ?? panel.title
    return Block(title(name, figure, of: panel), .listing(listing), span: .main)
  }

  /// The figure in words, how many rows it is made of, and what all of them add up to.
  private func title(_ name: String, _ figure: String?, of panel: Panel) -> StyledText {
    let lines = rows.count { $0.state != nil }
    let isMixed = figure == nil || rows.isEmpty || (lines > 0 && lines < rows.count)
    let times = figure.flatMap { panel.figure($0)?.countsTimes }
    let noun = times ?? (isMixed ? "row" : lines > 0 ? "subscription" : "transaction")
    let subscriptions = Set(
      rows.map { [$0.originalTransactionID.rawValue, $0.subscriptionGroupID?.rawValue] })
    let isOfFewer = times != nil && rows.count == count && subscriptions.count < count
    let whose = isOfFewer ? " of \(CountText.of(subscriptions.count, "subscription"))" : ""
    let title: StyledText = [
      TextSpan(name, .heading), TextSpan(": \(CountText.of(count, noun))\(whose)", .strong),
    ]
    let isOfListed = amounts == nil && rows.count < count
    let parts = [
      ("", amounts ?? Amounts(rows.compactMap(\.amount))),
      ("proceeds ", proceeds ?? Amounts(rows.compactMap(\.proceeds))),
    ]
    let sums = parts.filter { !$0.1.isEmpty }.map { "\($0.0)\(MoneyText.brief($0.1))" }
    guard !sums.isEmpty else { return title }
    let listed = isOfListed ? " in the \(CountText.of(rows.count)) listed" : ""
    return title + [TextSpan(", \(sums.joined(separator: ", "))", .money), TextSpan(listed, .dim)]
  }
}

/// One column of the rows behind a figure.
private struct FigureColumn: Sendable {
  let column: ListingColumn
  /// Whether it is left out where every row has the same.
  var isLeftOut = false
  let cell: @Sendable (FigureRow, Wording) -> StyledText

  static let all = [
    figures, left, chain, user, world, product, kind, storefront, state, when, amount, priceSource, proceeds,
    why,
  ]

  /// Without the columns in which no row has anything.
  static func shown(
    for rows: FigureRows, figure: String?, environment: EnvironmentScope
  ) -> [FigureColumn] {
    let rows = rows.rows
    let present: [(Bool, FigureColumn)] = [
      (figure == nil, figures), (true, chain), (rows.contains { $0.timeLeft != nil }, left),
      (rows.contains { $0.appUserID != nil }, user),
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
  /// What is left until the period ends that is waited for.
  private static let left = FigureColumn(column: .number("Left", priority: 1)) { row, wording in
    guard let left = row.timeLeft else { return StyledText(wording.glyphs.dash, .dim) }
    let days = left / Milliseconds.day
    return StyledText(AgeText.of(left), days < 3 ? .bad : days < 8 ? .warn : .text)
  }
  private static let chain = FigureColumn(column: .whole("Subscription").named("chain")) { row, _ in
    StyledText(row.originalTransactionID.rawValue)
  }
  private static let user = FigureColumn(column: .id("App user", most: 36, priority: 5)) {
    .user($0.appUserID, in: $1.glyphs)
  }
  private static let world = FigureColumn(column: .whole("Environment", priority: 9), isLeftOut: true) {
    row, _ in
    StyledText(row.environment.rawValue, row.environment == .production ? .text : .warn)
  }
  private static let product = FigureColumn(column: .product(), isLeftOut: true) { row, wording in
    StyledText(wording.products.name(of: row.productID))
  }
  private static let kind = FigureColumn(column: .whole("Kind", priority: 7), isLeftOut: true) { row, _ in
    StyledText(row.kind.replacing("_", with: "-"), row.kind == "trial" ? .accent : .text)
  }
  private static let storefront = FigureColumn(column: .storefront(priority: 8), isLeftOut: true) {
    row, wording in
    .storefront(row.storefront, in: wording.glyphs)
  }
  private static let priceSource = FigureColumn(column: .whole("Priced by", priority: 10), isLeftOut: true) {
    row, wording in
    switch row.priceSource {
    case .signed?: "Apple"
    case .catalogue?: StyledText("catalogue", .dim)
    case nil: StyledText(wording.glyphs.dash, .dim)
    }
  }
  private static let state = FigureColumn(column: .whole("State", priority: 4), isLeftOut: true) {
    row, wording in
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
  private static let why = FigureColumn(
    column: .name("Why", least: 20, most: 120, priority: 6), isLeftOut: true
  ) {
    row, wording in
    StyledText(row.reason(in: wording))
  }
}
