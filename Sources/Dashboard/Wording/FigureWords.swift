import Subscriptions

/// Name of a figure by its path in a panel's JSON: `by_intent.1.paid` is *Lost paid, cancelled (intent 1)*.
struct FigureWords: Hashable, Sendable {
  let name: String
  /// Name of the amounts in the figure's rows, such as `MRR`.
  let amount: String

  /// Creates the name; if no words are known for the figure, its name is the path.
  init(_ figure: String, of panel: Panel, in products: ProductNames = .whole) {
    let path = FigurePath(figure, of: panel)
    let words = panel.figure(path?.name ?? figure)?.words
    amount = Self.amount(path?.name ?? figure, panel)
    if panel == .movement, let words, let path, path.name != figure {
      let part = figure.split(separator: ".").dropFirst().dropLast(2).joined(separator: ".")
      name = "\(words), \(products.name(of: ProductID(part)))"
    } else if case .only(let storefront)? = path?.storefronts {
      name = "\(words ?? figure), storefront \(storefront?.rawValue ?? "unknown")"
    } else {
      // Expected revenue has the rows of the renewing lines, but a name of its own.
      let isExpected = figure.hasPrefix("due.") && figure.hasSuffix(".expected")
      name = (isExpected ? words?.replacing("auto-renew on", with: "expected") : words) ?? figure
    }
  }

  private static func amount(_ figure: String, _ panel: Panel) -> String {
    let (group, last) = (figure.prefix { $0 != "." }, figure.split(separator: ".").last ?? "")
    return switch (panel, group) {
    case (.overview, "due"): "Expected"
    case (.overview, "sales"): "Price"
    case (.offers, "offers"): last == "brought" ? "Price" : last == "balance" ? "Net" : "Discount"
    case (.refunds, _), (.overview, "refunds"), (.overview, "refund_amount"): "Refund"
    case (.upgrades, _), (.overview, "prorated_refund"): "Upgrade credit"
    case (.movement, _) where !["start", "end"].contains(last): "MRR change"
    default: "MRR"
    }
  }
}
