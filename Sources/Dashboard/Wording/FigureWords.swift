import Subscriptions

/// Name of a figure, derived from its path in a panel's JSON: `by_intent.1.paid` is *Lost paid, cancelled
/// (intent 1)*.
struct FigureWords: Hashable, Sendable {
  let name: String

  /// Creates the name; the path itself if no name is known.
  init(_ figure: String, of panel: Panel) {
    let parts = figure.split(separator: ".").map(String.init)
    let path = FigurePath(figure, of: panel)
    let words = panel.figure(path?.name ?? figure)?.words
    if panel == .movement, let words, let path, path.name != figure {
      name = "\(words), \(parts.dropFirst().dropLast(2).joined(separator: "."))"
    } else if case .only(let storefront)? = path?.storefronts {
      name = "\(words ?? figure), storefront \(storefront?.rawValue ?? "unknown")"
    } else {
      name = panel.figure(figure)?.words ?? Self.valued(parts) ?? words ?? figure
    }
  }

  /// Names of figures that exist for each value of Apple's or the catalogue's.
  private static func valued(_ parts: [String]) -> String? {
    guard parts.count == 3 else { return nil }
    switch (parts[0], parts[2]) {
    case ("by_intent", let kind):
      let intent = parts[1]
      let reason =
        intent == "unknown" ? LossKind.unknown.words : "\(ExpirationIntent(intent).words) (intent \(intent))"
      return "Lost \(kind), \(reason)"
    case ("renewals", let result):
      let period = Period(parsing: parts[1])?.words ?? "unknown length"
      return "Periods of \(period), \(result)"
    case ("due", let part):
      let days = Int64(parts[1]).map { AgeText.of($0 * Milliseconds.day) } ?? parts[1]
      return "Due in \(days)\(part == "lines" ? "" : ", \(part == "unpriced" ? "without a price" : part)")"
    default: return nil
    }
  }
}
