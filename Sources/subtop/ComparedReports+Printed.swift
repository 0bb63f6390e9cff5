import ArgumentParser
import Dashboard
import Subscriptions

private struct ComparedJSON: Encodable {
  let label: String
  let asOfMs: Instant
  let window: Window
  /// Figures of the other side; `nil` if nothing is known about it.
  @ExplicitNull var data: ComparedData?
}

extension ComparedReports {
  /// JSON of the report, with the other side's figures in `compared`, and their differences in `difference`.
  ///
  /// The difference of a figure is a value or, for amounts, a list with a value for each currency.
  var json: JSONObject {
    let other = ComparedJSON(label: label, asOfMs: that.asOfMs, window: that.window, data: otherData)
    return JSONObject(
      value: this, members: ["data": comparedData, "compared": other, "difference": differences])
  }

  private var differences: [String: Difference] {
    Dictionary(grouping: figures.filter { !$0.isConverted }, by: \.path).mapValues { figures in
      let known = figures.compactMap(\.difference)
      // Without a known amount there is no currency to list.
      return figures.contains { $0.currency != nil } && !known.isEmpty ? .amounts(known) : .one(known.first)
    }
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

  /// One row for each figure and currency, with amounts in micros; unknown values are empty.
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
