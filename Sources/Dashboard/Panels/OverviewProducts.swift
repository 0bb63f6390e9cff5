import Screen
import Subscriptions

/// The overview's list of products: subscribers, losses, MRR and their changes in the window.
struct OverviewProducts {
  private let figures: FigureValues
  private let wording: Wording

  init(_ figures: FigureValues, _ wording: Wording) { (self.figures, self.wording) = (figures, wording) }

  func block(_ report: Report) -> Block {
    let (products, movement) = (figures[parts: "by_product"], figures[parts: "movement_by_product"])
    let moved = Dictionary(movement.map { ($0.product, $0) }, uniquingKeysWith: { one, _ in one })
    let present = products.map(\.product)
    let gone = movement.filter { !present.contains($0.product) && ($0["start"] > 0 || $0["lost"] > 0) }
    let rows =
      products.map { row($0, moved[$0.product]) } + gone.map { row(FigureValues(product: $0.product), $0) }
    // Cut short they could not be told apart.
    let names = rows.map { $0.cells[0].width(in: wording.glyphs) }
    return Block(
      StyledText("By product, changes \(report.windowText)"),
      .listing(
        Listing(
          [
            .name("Product", least: min(20, names.max() ?? 7), most: 48).meaning(wording.products.wholeIDs),
            .number("Paid"),
            .number("Change"), .number("Lost"),
            .number("MRR", priority: 2), .number("MRR change", priority: 1).named("mrr_change"),
            .number("Trials", priority: 3),
          ], rows, emptyText: "Nobody has a subscription.", in: wording.glyphs)), minimumColumns: 38)
  }

  private func row(_ figures: FigureValues, _ moved: FigureValues?) -> Listing.Row {
    let change = moved.map { $0["end"] - $0["start"] } ?? 0
    let (product, mrr, mrrChange) = (figures.product, figures[amounts: "mrr"], moved?[amounts: "mrr_change"])
    return Listing.Row(
      id: product.rawValue,
      [
        StyledText(wording.products.name(of: product)), .number(figures["paid"], .strong),
        signed(change, CountText.of(change)), .number(moved?["lost"] ?? 0, .bad),
        StyledText(
          mrr.isEmpty ? wording.glyphs.dash : MoneyText.of(mrr),
          mrr.isEmpty ? .dim : .money),
        revenueChange(mrrChange), .number(figures["trial"]),
      ],
      counted: [
        4: .currencies(mrr),
        5: MoneyText.currencies(changed(mrrChange)).map { StyledText($0) },
      ], opening: .product(product))
  }

  /// Change in the reporting currency, or in each currency if some amounts are not converted.
  private func revenueChange(_ amounts: Amounts?) -> StyledText {
    guard let amounts else { return .dash(in: wording.glyphs) }
    if let total = amounts.inReportingCurrency, amounts.unconverted == 0 {
      let about = amounts.totals.map(\.currency) == [total.currency] ? "" : "\(wording.glyphs.about) "
      return signed(total, about)
    }
    let changed = changed(amounts)
    guard !changed.isEmpty else { return StyledText("0", .dim) }
    return changed.totals.map { signed($0) }.joined(by: ", ")
  }

  private func changed(_ amounts: Amounts?) -> Amounts {
    guard let amounts, amounts.inReportingCurrency == nil || amounts.unconverted > 0 else { return Amounts() }
    return Amounts(amounts.totals.filter { $0.micros != 0 })
  }

  /// `≈ USD +33.62`
  private func signed(_ change: Money, _ about: String = "") -> StyledText {
    let text = MoneyText.signed(change)
    // A change that rounds to zero is neutral.
    return StyledText(about + text, text.contains { ("1"..."9").contains($0) } ? style(change.micros) : .dim)
  }

  private func signed(_ number: some BinaryInteger, _ text: String) -> StyledText {
    StyledText(number > 0 ? "+\(text)" : text, style(number))
  }

  private func style(_ number: some BinaryInteger) -> Style { number == 0 ? .dim : number > 0 ? .good : .bad }
}
