import ArgumentParser
import Dashboard
import Subscriptions

extension ComparedReports {
  /// JSON of the report, with the other side's figures in `compared`, and their differences in `difference`.
  ///
  /// The difference of a figure is a value or, for amounts, a list with a value for each currency.
  var json: JSONObject {
    let other = JSONObject(members: [
      "label": label, "asOfMs": that.asOfMs, "window": that.window, "data": otherData,
    ])
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
  var csv: String { Self.csv(figures.filter { !$0.isConverted }) }

  /// - Parameter isExport: Whether to add a column that marks totals in the reporting currency.
  static func csv(_ figures: [Figure], isExport: Bool = false) -> String {
    let names = ["figure", "currency", "this", "that", "difference", "change"]
    return figures.reduce(into: CSVText(names + (isExport ? ["converted"] : []))) { csv, figure in
      csv.add(
        [
          figure.path, figure.currency?.rawValue ?? "", text(figure.this), text(figure.that),
          text(figure.difference), figure.change.map { "\($0)" } ?? "",
        ] + (isExport ? ["\(figure.isConverted)"] : []))
    }.text
  }

  static func json(_ figure: Figure) -> JSONObject {
    JSONObject(members: [
      "figure": figure.path, "currency": figure.currency, "this": figure.this, "that": figure.that,
      "difference": figure.difference, "change": figure.change, "converted": figure.isConverted,
    ])
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
