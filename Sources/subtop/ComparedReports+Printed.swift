import ArgumentParser
import Dashboard
import Subscriptions

/// Report as JSON with a comparison: the report's keys, `compared` with the other figures, and `difference`
/// by the figures' paths.
struct ReportComparedJSON: Encodable {
  let reports: ComparedReports

  private enum CodingKeys: String, CodingKey {
    case compared, data, difference
  }

  private struct Other: Encodable {
    let label: String
    let asOfMs: Instant
    let window: Window
    /// `nil` if nothing is known about that time.
    @ExplicitNull var data: ToldFigures?
  }

  private enum Difference: Encodable {
    case one(ReportValue?)
    case amounts([ReportValue])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .one(let value): try container.encode(value)
      case .amounts(let values): try container.encode(values)
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    try reports.this.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    // Overwrites the data that the report encoded.
    try container.encode(reports.told, forKey: .data)
    let that = reports.that
    try container.encode(
      Other(
        label: reports.label, asOfMs: that.asOfMs, window: that.window,
        data: reports.otherTold), forKey: .compared)
    try container.encode(differences, forKey: .difference)
  }

  /// Differences by path. The encoder leaves the case of dictionary keys unchanged.
  private var differences: [String: Difference] {
    Dictionary(grouping: reports.figures.filter { !$0.isConverted }, by: \.path).mapValues { figures in
      let known = figures.compactMap(\.difference)
      // Without any amount there is no currency.
      return figures.contains { $0.currency != nil } && !known.isEmpty ? .amounts(known) : .one(known.first)
    }
  }
}

extension ComparedReports {
  /// One row for each figure and currency. Amounts are in micros; unknown values are empty.
  var csv: String {
    var csv = CSVText(["figure", "currency", "this", "that", "difference", "change"])
    for figure in figures where !figure.isConverted {
      csv.add([
        figure.path, figure.currency?.rawValue ?? "", Self.text(figure.this), Self.text(figure.that),
        Self.text(figure.difference), figure.change.map { "\($0)" } ?? "",
      ])
    }
    return csv.text
  }

  private static func text(_ value: ReportValue?) -> String {
    switch value {
    case .amount(let money)?: String(money.micros)
    case .count(let number)?: Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .share(let number)?: "\(number)"
    case nil: ""
    }
  }
}

extension Comparison: ExpressibleByArgument {
  public init?(argument: String) { self.init(parsing: argument) }
}
