import Screen
import Subscriptions

extension [ActiveFigures.ByStorefront] {
  /// Returns subscribers and MRR by storefront, largest first. Enter opens the lines. `nil` if no storefront
  /// is known.
  func block(in wording: Wording) -> Block? {
    guard !isEmpty else { return nil }
    let top = map(\.paid).max() ?? 0
    let rows = map { part in
      Listing.Row(
        id: part.path,
        [
          .storefrontName(part.storefront), StyledText(CountText.of(part.paid), .strong), "",
          .number(part.trial), .number(part.grace, .warn),
          .amount(part.mrr, of: part.paid, in: wording.glyphs),
        ], counted: [5: .currencies(part.mrr)],
        opening: .rows(
          Breakdown([
            ("\(part.path).paid", part.paid), ("\(part.path).trial", part.trial),
            ("\(part.path).mrr", part.paid),
          ])), bar: PercentText.share(part.paid, in: top).map { Listing.RowBar($0, .good) })
    }
    return Block(
      "By storefront",
      .listing(
        Listing(
          [
            .name("Storefront", least: 8), .number("Paid"), .bar(), .number("Trial", priority: 2),
            .number("Grace", priority: 3), .number("MRR", most: 48, priority: 1),
          ], rows, emptyText: "No active subscription and no trial.", in: wording.glyphs)), span: .main,
      minimumColumns: 50)
  }
}

extension [SalesFigures.ByStorefront] {
  /// Returns sales by storefront, most purchases first. Enter opens the transactions. `nil` if no storefront
  /// is known.
  func block(in window: Window, _ wording: Wording) -> Block? {
    guard !isEmpty else { return nil }
    let top = map(\.transactions).max() ?? 0
    let rows = map { part in
      Listing.Row(
        id: part.path,
        [
          .storefrontName(part.storefront), StyledText(CountText.of(part.transactions), .strong), "",
          .amount(part.amount, of: part.transactions, in: wording.glyphs),
          .amount(part.proceeds, of: part.transactions, in: wording.glyphs),
        ], counted: [3: .currencies(part.amount), 4: .currencies(part.proceeds)],
        opening: .rows(
          Breakdown([
            ("\(part.path).transactions", part.transactions), ("\(part.path).amount", part.transactions),
            ("\(part.path).proceeds", part.transactions),
          ])), bar: PercentText.share(part.transactions, in: top).map { Listing.RowBar($0, .accent) })
    }
    return Block(
      StyledText("Sold in \(CountText.of(window.days)) d by storefront"),
      .listing(
        Listing(
          [
            .name("Storefront", least: 8), .number("Purchases"), .bar(),
            .number("Sold", most: 48, priority: 1), .number("Proceeds", most: 48, priority: 3),
          ], rows, emptyText: "Nothing was sold.", in: wording.glyphs)), minimumColumns: 44)
  }
}

extension StyledText {
  fileprivate static func storefrontName(_ storefront: StorefrontCode?) -> StyledText {
    storefront.map { StyledText($0.rawValue) } ?? StyledText("unknown", .dim)
  }

  /// Returns a table cell for an amount.
  ///
  /// - Parameter count: Number of things that the amount belongs to. An empty amount is unknown unless this
  ///   is 0.
  static func amount(_ amount: Amounts, of count: Int, in glyphs: GlyphSet) -> StyledText {
    guard amount.isEmpty else { return StyledText(MoneyText.of(amount), .money) }
    return StyledText(count == 0 ? glyphs.dash : "unknown", .dim)
  }
}

extension StyledText? {
  /// Returns a table cell for columns that are too narrow for several currencies.
  static func currencies(_ amount: Amounts) -> StyledText? {
    MoneyText.currencies(amount).map { StyledText($0, .money) }
  }
}
