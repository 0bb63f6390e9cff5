import Screen
import Subscriptions

extension FigureRows {
  /// Returns the list of rows. Enter on a row opens its chain.
  ///
  /// - Parameters:
  ///   - figure: `nil` for rows behind any figure of the panel. A column then names the figures of each row.
  ///   - environment: `.all` adds a column with the environment.
  ///   - everyColumn: Whether to include columns without content, for filters that name columns without
  ///     having seen the list.
  ///   - uses: Uses of an offer that a balance covers, if it does not cover all.
  func block(
    panel: Panel, figure: String?, environment: EnvironmentScope, everyColumn: Bool = false,
    uses: OfferUses? = nil, in formatter: DisplayFormatter
  ) -> Block {
    // Hidden cells would be computed for every row of a long list.
    let columns = FigureColumn.all(of: panel).filter {
      everyColumn || $0.isShown(for: rows, figure: figure, environment: environment)
    }
    let listed = rows.map { row in
      Listing.Row(
        id: "\(row.originalTransactionID) \(row.transactionID) \(row.figures.joined(separator: " "))",
        columns.map { $0.cell(row, formatter) }, drillDown: .chain(row.originalTransactionID),
        note: row.reason(in: formatter), amount: row.amount,
        worths: worth(of: row))
    }
    var listing = Listing(
      columns.map { $0.column.meaning($0.meanings(rows, formatter)) }, listed,
      total: count, emptyText: "Nothing is counted here.", in: formatter.glyphs)
    // Rows that were not read may have other values.
    if rows.count == count { listing.leaveOutShared(Set(columns.filter(\.isLeftOut).map(\.column.field))) }
    let name = figure.map { FigureWords($0, of: panel).name } ?? panel.title
    let of = uses.map {
      TextSpan(" of \(CountText.of($0.priced)) of \(CountText.of($0.started, "use"))", .warn)
    }
    return Block(
      title(name, figure, of: panel) + StyledText([of].compactMap(\.self)), .listing(listing), span: .main)
  }

  private func worth(of row: FigureRow) -> [String: Money] {
    guard let currency = amounts?.reporting, let micros = row.convertedMicros else { return [:] }
    return [FigureColumn.amount.column.field: Money(micros: micros, currency: currency)]
  }

  /// Title with the figure's name, the number of rows and the sum of all rows.
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

private struct FigureColumn: Sendable {
  var column: ListingColumn
  /// Whether the column is hidden if all rows have the same value.
  var isLeftOut = false
  /// Whether a row has content in the column. The column is left out if none has; `nil` always shows it.
  var isPresent: (@Sendable (FigureRow) -> Bool)?
  var meanings: @Sendable ([FigureRow], DisplayFormatter) -> [String: String] = { _, _ in [:] }
  let cell: @Sendable (FigureRow, DisplayFormatter) -> StyledText

  static func all(of panel: Panel) -> [FigureColumn] {
    [
      figures(of: panel), chain, left, user, world, product, kind, offer, storefront, state, when, amount,
      priceSource, proceeds, why,
    ]
  }

  func isShown(for rows: [FigureRow], figure: String?, environment: EnvironmentScope) -> Bool {
    switch column.field {
    case Self.figuresField: figure == nil
    case Self.world.column.field: environment == .all
    default: isPresent.map { isPresent in rows.contains { isPresent($0) } } ?? true
    }
  }

  private static let figuresField = "counted_in"

  private static func figures(of panel: Panel) -> FigureColumn {
    @Sendable func words(_ row: FigureRow) -> String {
      row.figures.map { FigureWords($0, of: panel).name }.joined(separator: "; ")
    }
    return FigureColumn(
      column: .name("Counted in", least: 20, most: 60, priority: 2).named(figuresField),
      meanings: { rows, _ in
        Dictionary(
          rows.map { (words($0), $0.figures.joined(separator: " ")) }, uniquingKeysWith: { one, _ in one })
      }
    ) { row, _ in StyledText(words(row), .dim) }
  }
  private static let left = FigureColumn(
    column: .number("Left", priority: 1), isPresent: { $0.timeLeft != nil }
  ) { row, formatter in
    guard let left = row.timeLeft else { return .dash(in: formatter.glyphs) }
    let days = left / Milliseconds.day
    return StyledText(AgeText.of(left), days < 3 ? .bad : days < 8 ? .warn : .text)
  }
  private static let chain = FigureColumn(column: .whole("Subscription").named("chain")) { row, _ in
    StyledText(row.originalTransactionID.rawValue)
  }
  private static let user = FigureColumn(
    column: .id("App user", most: 36, priority: 5), isPresent: { $0.appUserID != nil }
  ) {
    .user($0.appUserID, in: $1.glyphs)
  }
  private static let world = FigureColumn(column: .whole("Environment", priority: 9), isLeftOut: true) {
    row, _ in
    StyledText(row.environment.rawValue, row.environment == .production ? .text : .warn)
  }
  private static let product = FigureColumn(
    column: .name("Product", priority: 1, cut: .middle), isLeftOut: true,
    meanings: { $1.products.wholeIDs }
  ) { row, formatter in
    StyledText(formatter.products.name(of: row.productID))
  }
  private static let kind = FigureColumn(
    column: .whole("Kind", priority: 7), isLeftOut: true,
    meanings: { _, _ in [PeriodKind.winback.offerName: PeriodKind.winback.rawValue] }
  ) { row, _ in
    .kind(row.kind)
  }
  private static let offer = FigureColumn(
    column: .name("Offer", least: 12, priority: 8, cut: .middle), isLeftOut: true,
    isPresent: { $0.offer != nil }
  ) { row, formatter in
    row.offer.map { StyledText($0) } ?? .dash(in: formatter.glyphs)
  }
  private static let storefront = FigureColumn(
    column: .storefront(priority: 8), isLeftOut: true, isPresent: { $0.storefront != nil }
  ) { row, formatter in
    .storefront(row.storefront, in: formatter.glyphs)
  }
  private static let priceSource = FigureColumn(
    column: .whole("Priced by", priority: 10), isLeftOut: true,
    isPresent: { $0.amount != nil && $0.priceSource == .signed },
    meanings: { _, _ in ["Apple": PriceSource.signed.rawValue] }
  ) { row, formatter in
    switch row.priceSource {
    case .signed?: "Apple"
    case .catalogue?: StyledText("catalogue", .dim)
    case nil: .dash(in: formatter.glyphs)
    }
  }
  private static let state = FigureColumn(
    column: .whole("State", priority: 4), isLeftOut: true, isPresent: { $0.state != nil },
    meanings: { LineState.codes(in: $1.glyphs) }
  ) { row, formatter in
    row.state.map { StyledText($0.mark(in: formatter.glyphs), $0.style) }
      ?? .dash(in: formatter.glyphs)
  }
  private static let when = FigureColumn(column: .whole("When", priority: 3)) { row, formatter in
    StyledText(formatter.minute(row.at), .dim)
  }
  fileprivate static let amount = FigureColumn(column: .number("Amount"), isPresent: { $0.amount != nil }) {
    row, formatter in
    .money(row.amount?.micros, row.amount?.currency, unknown: formatter.glyphs.dash)
  }
  private static let proceeds = FigureColumn(
    column: .number("Proceeds", priority: 2), isPresent: { $0.proceeds != nil }
  ) { row, formatter in
    .money(row.proceeds?.micros, row.proceeds?.currency, unknown: formatter.glyphs.dash)
  }
  private static let why = FigureColumn(
    column: .name("Why", least: 20, most: 120, priority: 6), isLeftOut: true
  ) {
    row, formatter in
    StyledText(row.reason(in: formatter))
  }
}

extension FigureRow {
  /// Returns why the row is counted, without the state, which has its own column. The calculation of a
  /// prorated refund shows money and days.
  func reason(in formatter: DisplayFormatter) -> String {
    let prefix = state.map { "\($0.rawValue): " } ?? ""
    let why = ReasonWords(why.hasPrefix(prefix) ? String(why.dropFirst(prefix.count)) : why).text
    guard let proration else { return why }
    let times = formatter.glyphs.isASCII ? "x" : "×"
    let (unused, whole) = (
      AgeText.exactDays(proration.unusedMilliseconds), AgeText.exactDays(proration.wholeMilliseconds)
    )
    return why.replacing(
      proration.text, with: "\(MoneyText.of(proration.price)) \(times) \(unused) unused of \(whole)")
  }
}
