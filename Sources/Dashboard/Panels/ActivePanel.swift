import Screen
import Subscriptions

/// Active paid subscribers with their parts, trials apart.
struct ActivePanel {
  let figures: ActiveFigures
  let report: Report
  let glyphs: GlyphSet

  init(_ figures: ActiveFigures, _ report: Report, _ glyphs: GlyphSet) {
    (self.figures, self.report, self.glyphs) = (figures, report, glyphs)
  }

  var blocks: [Block] {
    [kinds, renewal, beside, revenue, figures.byProduct.block(in: glyphs, minimumColumns: 60)]
  }

  private var kinds: Block {
    let kinds = figures.byKind
    return Block(
      StyledText("Active paid \(CountText.of(figures.paid))"),
      .bars(
        [Bar].shares([
          ("standard", kinds.standard, .good), ("intro offer", kinds.intro, .info),
          ("promo offer", kinds.promo, .info), ("offer code", kinds.code, .info),
          ("in grace", figures.grace, .warn),
        ])), minimumColumns: 40)
  }

  /// Of state `active` alone: in grace, auto-renew is on by definition of the grace.
  private var renewal: Block {
    Block(
      "Auto-renew, grace apart",
      .bars(
        [Bar].shares([
          ("on", figures.renewing, .good), ("off", figures.autoRenewOff, .warn),
          ("unknown", figures.autoRenewUnknown, .dim),
        ])), minimumColumns: 40)
  }

  private var beside: Block {
    Block(
      "Beside",
      .figures([
        .count("Trials", figures.trial, Style(.accent, .bold)),
        .count("Overdue, state not known", figures.overdue, Style(.warn, .bold)),
      ]), minimumColumns: 34)
  }

  private var revenue: Block {
    let yearly = Amounts(
      figures.mrr.totals.map { total in
        Money(micros: Int64(clamping: Int128(total.micros) * 12), currency: total.currency)
      })
    return Block(
      "Recurring revenue",
      .figures(
        Figure.money("MRR", figures.mrr, of: figures.paid)
          + Figure.money("ARR, 12 months of it", yearly, of: figures.paid, isPart: true)), minimumColumns: 38)
  }
}

extension [ActiveFigures.ByProduct] {
  /// The products, the largest first; Enter shows one alone.
  func block(in glyphs: GlyphSet, minimumColumns: Int) -> Block {
    let top = map(\.paid).max() ?? 0
    let rows = map { product in
      Listing.Row(
        id: product.productId.rawValue,
        [
          StyledText(product.productId.rawValue), StyledText(CountText.of(product.paid), .strong),
          BarText.of(Double(product.paid) / Double(Swift.max(1, top)), columns: 24, .good, in: glyphs),
          .number(product.trial), .number(product.grace, .warn),
          StyledText(
            product.mrr.isEmpty ? (product.paid == 0 ? glyphs.dash : "unknown") : MoneyText.of(product.mrr),
            product.mrr.isEmpty ? .dim : .money),
        ], opening: .product(product.productId))
    }
    return Block(
      "By product",
      .listing(
        Listing(
          [
            TableColumn("Product", minimum: 12, maximum: 44),
            TableColumn("Paid", minimum: 4, maximum: 9, align: .right),
            TableColumn("", minimum: 6, maximum: 24, priority: 4),
            TableColumn("Trial", minimum: 5, maximum: 8, align: .right, priority: 2),
            TableColumn("Grace", minimum: 5, maximum: 8, align: .right, priority: 3),
            TableColumn("MRR", minimum: 10, maximum: 44, align: .right, priority: 1),
          ], rows, emptyText: "No active subscription and no trial.", in: glyphs)), span: .main,
      minimumColumns: minimumColumns)
  }
}

extension StyledText {
  /// A number of a table's cell, a zero in the background.
  static func number(_ number: Int, _ style: Style = .text) -> StyledText {
    StyledText(CountText.of(number), number == 0 ? .dim : style)
  }
}

extension [Bar] {
  /// Parts of one whole, with their counts and shares.
  static func shares(_ parts: [(String, Int, Style)]) -> [Bar] {
    let whole = parts.reduce(0) { $0 + $1.1 }
    let counts = CountText.aligned(parts.map(\.1))
    let shares = parts.map { PercentText.of($0.1, in: whole, unknown: "") }
    let width = shares.map(\.count).max() ?? 0
    return parts.indices.map { index in
      let (name, count, style) = parts[index]
      let padding = String(repeating: " ", count: width - shares[index].count)
      return Bar(
        label: TextSpan(name, count == 0 ? .dim : .text), value: Double(count),
        text: "\(counts[index])  \(padding)\(shares[index])", style)
    }
  }
}
