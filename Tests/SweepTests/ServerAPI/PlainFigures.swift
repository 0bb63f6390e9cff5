import ReceiptStore
import Subscriptions

struct PlainFigures {
  private var values: [String: Double?] = [:]

  /// - Parameter hasMoney: Whether to include amounts and counts of unpriced rows.
  init(_ store: ReceiptStore, at instants: [Instant], hasMoney: Bool) throws {
    for t in instants {
      for panel in Panel.allCases {
        let question = Question(panel: panel, at: t, windowDays: 60, environment: .all, limit: 300)
        for entry in ReportValues(try store.report(question)).entries where !entry.path.hasPrefix("trust.") {
          let place = "\(panel) at \(t.iso8601) \(entry.path)"
          if hasMoney {
            values["\(place) \(entry.currency?.rawValue ?? "")"] = entry.value?.number
          } else if entry.currency == nil, !Self.ofMoney.contains(where: entry.path.contains) {
            add(entry, at: place)
          }
        }
      }
    }
  }

  func differences(from other: PlainFigures) -> [String] {
    Set(values.keys).union(other.values.keys).sorted()
      .filter { values[$0] != other.values[$0] }
      .map { "\($0): \(text(of: $0)) instead of \(other.text(of: $0))" }
  }

  private func text(of place: String) -> String {
    values[place].map { $0.map { "\($0)" } ?? "unknown" } ?? "nothing"
  }

  /// Path components of figures that depend on prices, or on facts that only signed rows have.
  private static let ofMoney = [
    "price", "proceeds", "unpriced", "sales", "period", "storefront", "revenue", "mrr",
  ]

  /// Merges renewals of all periods, since the period depends on the price.
  private mutating func add(_ entry: ReportValues.Entry, at place: String) {
    let parts = entry.path.split(separator: ".")
    guard parts.first == "renewals", let name = parts.last else {
      values[place] = entry.value?.number
      return
    }
    let sum = place.replacing(entry.path, with: "renewals.\(name)")
    values[sum] = ((values[sum] ?? 0) ?? 0) + (entry.value?.number ?? 0)
  }
}
