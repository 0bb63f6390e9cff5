import Subscriptions

/// Name of a figure, derived from its path in a panel's JSON: `by_intent.1.paid` is *Lost paid, cancelled
/// (intent 1)*.
struct FigureWords: Hashable, Sendable {
  let name: String

  /// Creates the name; the path itself if no name is known.
  init(_ figure: String, of panel: Panel, in products: ProductNames = .whole) {
    let path = FigurePath(figure, of: panel)
    let words = panel.figure(path?.name ?? figure)?.words
    if panel == .movement, let words, let path, path.name != figure {
      let part = figure.split(separator: ".").dropFirst().dropLast(2).joined(separator: ".")
      name = "\(words), \(products.name(of: ProductID(part)))"
    } else if case .only(let storefront)? = path?.storefronts {
      name = "\(words ?? figure), storefront \(storefront?.rawValue ?? "unknown")"
    } else {
      // Expected revenue opens the renewing lines.
      let isExpected = figure.hasPrefix("due.") && figure.hasSuffix(".expected")
      name = (isExpected ? words?.replacing("auto-renew on", with: "expected") : words) ?? figure
    }
  }
}
