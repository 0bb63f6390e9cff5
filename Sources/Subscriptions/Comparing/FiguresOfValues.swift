/// Lookup of a value's figure, for values whose path in the JSON differs from the path of the figure.
struct FiguresOfValues {
  private let panel: Panel
  /// Path prefix of each offer's figures, by the prefix of its values in the JSON (kind, offer and product).
  private let offers: [String: String]

  init(_ reports: Report...) {
    panel = reports[0].report
    var offers: [String: String] = [:]
    for offer in reports.flatMap({ $0.data[parts: "offers"] }) {
      offers["offers.\(offer.identity ?? "")"] = offer.offerPath
    }
    self.offers = offers
  }

  func figure(of value: String) -> String {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2, let last = parts.last else { return value }
    switch panel {
    case .offers:
      return offers[parts.dropLast().joined(separator: ".")].map { "\($0).\(last)" } ?? value
    case .recovery where parts[0].hasPrefix("by_") && parts[parts.count - 2] == "outcomes":
      return (parts.dropLast(2) + [last]).joined(separator: ".")
    case .cohorts: return Self.cohort(parts) ?? value
    default: return value
    }
  }

  /// Returns the figure's path: `rows.2026-03.5` for the components of `rows.2026-03.retained.5.rate`.
  private static func cohort(_ parts: [String]) -> String? {
    guard parts.count > 2 else { return nil }
    guard parts.count == 5 else { return parts.count == 3 ? "rows.\(parts[1]).0.of" : nil }
    return "rows.\(parts[1]).\(parts[3])" + (parts[4].hasSuffix("of") ? ".of" : "")
  }
}
