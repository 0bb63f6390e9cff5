import Screen
import Subscriptions

/// Active paid subscribers with their parts, trials apart.
struct ActivePanel {
  let figures: ActiveFigures
  let report: Report
  let wording: Wording

  init(_ figures: ActiveFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [kinds, renewal, beside, figures.byProduct.block(in: wording, minimumColumns: 50)]
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
        ])), minimumColumns: 38)
  }

  /// Of state `active` alone: in grace, auto-renew is on by definition of the grace.
  private var renewal: Block {
    Block(
      "Auto-renew, grace apart",
      .bars(
        [Bar].shares([
          ("on", figures.renewing, .good), ("off", figures.autoRenewOff, .warn),
          ("unknown", figures.autoRenewUnknown, .dim),
        ])), minimumColumns: 34)
  }

  private var beside: Block {
    let yearly = Amounts(
      figures.mrr.totals.map { total in
        Money(micros: Int64(clamping: Int128(total.micros) * 12), currency: total.currency)
      })
    return Block(
      "Trials and revenue",
      .figures(
        [
          .count("Trials", figures.trial, Style(.accent, .bold)),
          .count("Overdue, not known", figures.overdue, Style(.warn, .bold)),
        ] + Figure.money("MRR", figures.mrr, of: figures.paid)
          + Figure.money("ARR", yearly, of: figures.paid)), minimumColumns: 28)
  }
}

extension [ActiveFigures.ByProduct] {
  /// The products, the largest first; Enter shows one alone.
  func block(in wording: Wording, minimumColumns: Int) -> Block {
    let glyphs = wording.glyphs
    let top = map(\.paid).max() ?? 0
    let rows = map { product in
      Listing.Row(
        id: product.productId.rawValue,
        [
          StyledText(wording.products.name(of: product.productId)),
          StyledText(CountText.of(product.paid), .strong),
          "",
          .number(product.trial), .number(product.grace, .warn),
          StyledText(
            product.mrr.isEmpty ? (product.paid == 0 ? glyphs.dash : "unknown") : MoneyText.of(product.mrr),
            product.mrr.isEmpty ? .dim : .money),
        ], opening: .product(product.productId),
        bar: Listing.RowBar(Double(product.paid) / Double(Swift.max(1, top)), .good))
    }
    return Block(
      "By product",
      .listing(
        Listing(
          [
            .name("Product", least: 12), .number("Paid"), .bar(priority: 4),
            .number("Trial", priority: 2), .number("Grace", priority: 3),
            .number("MRR", most: 48, priority: 1),
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
