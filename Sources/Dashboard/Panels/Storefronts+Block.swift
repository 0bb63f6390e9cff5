import Screen
import Subscriptions

/// Figures by storefront, the largest first; Enter opens the rows of one.
struct StorefrontTable {
  private let parts: [FigureValues]
  /// Path of the list.
  private let path: String
  private let title: String
  /// Name of the number that orders the list.
  private let first: String
  private let numbers: [(name: String, style: Style)]
  private let amounts: [String]
  private let columns: [ListingColumn]
  private let emptyText: String
  private let style: Style
  private let span: Block.Span
  private let minimumColumns: Int

  static func subscribers(_ figures: FigureValues) -> Self {
    Self(
      parts: figures[parts: "by_storefront"], path: "by_storefront", title: "By storefront", first: "paid",
      numbers: [("trial", .text), ("grace", .warn)], amounts: ["mrr"],
      columns: [
        .name("Storefront"), .number("Paid"), .bar(), .number("Trial", priority: 2),
        .number("Grace", priority: 3), .money("MRR", priority: 1),
      ], emptyText: "No active subscription and no trial.", style: .good, span: .main, minimumColumns: 50)
  }

  static func sales(_ figures: FigureValues, in window: Window) -> Self {
    Self(
      parts: figures[parts: "sales.by_storefront"], path: "sales.by_storefront",
      title: "Sold in \(CountText.of(window.days)) d by storefront", first: "transactions", numbers: [],
      amounts: ["amount", "proceeds"],
      columns: [
        .name("Storefront"), .number("Purchases"), .bar(), .money("Sold", priority: 1),
        .money("Proceeds", priority: 3),
      ], emptyText: "Nothing was sold.", style: .accent, span: .card, minimumColumns: 44)
  }

  /// Returns the block, or `nil` if Apple named no storefront.
  func block(in formatter: DisplayFormatter) -> Block? {
    guard !parts.isEmpty else { return nil }
    let top = parts.map { $0[first] }.max() ?? 0
    let rows = parts.map { part in
      let path = "\(path).\(part.storefront?.rawValue ?? "unknown")"
      let count = part[first]
      let name = part.storefront.map { StyledText($0.rawValue) } ?? StyledText("unknown", .dim)
      let opened = [first] + (amounts.count == 1 ? ["trial"] : []) + amounts
      return Listing.Row(
        id: path,
        [name, StyledText(CountText.of(count), .strong), ""]
          + numbers.map { .number(part[$0.name], $0.style) }
          + amounts.map { .amount(part[amounts: $0], of: count, in: formatter.glyphs) },
        drillDown: .rows(Breakdown(opened.map { ("\(path).\($0)", $0 == "trial" ? part[$0] : count) })),
        bar: PercentText.share(count, in: top).map { RowBar($0, style) })
    }
    return Block(
      StyledText(title), .listing(Listing(columns, rows, emptyText: emptyText, in: formatter.glyphs)),
      span: span, minimumColumns: minimumColumns)
  }
}

extension StyledText {
  /// An amount in a table's cell.
  ///
  /// - Parameter count: Number of things that the amount belongs to. An empty amount is unknown unless this
  ///   is 0.
  static func amount(_ amount: Amounts, of count: Int, in glyphs: GlyphSet) -> StyledText {
    guard amount.isEmpty else { return StyledText(MoneyText.of(amount), .money) }
    return StyledText(count == 0 ? glyphs.dash : "unknown", .dim)
  }
}
