import AppStore
import Subscriptions

/// Exchange rates as CSV: the European Central Bank's history (`eurofxref-hist.csv`), unchanged, or one rate
/// a line under the header `date,currency,rate`. Columns are found by their names.
public enum RatesFile: LineFormat {
  public static let name = "rates"
  public static let what = "exchange rates"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<RatesLine>) throws(Failure) -> Void
  ) throws(Failure) {
    var seen: Set<RatesLine.Key> = []
    try readRows(
      &lines,
      header: { (text) throws(BadField) in try RateColumns(header: try CSVLine.fields(of: text)) },
      row: { (text, columns) throws(BadField) in
        let line = try columns.line(try CSVLine.fields(of: text, count: columns.count))
        guard seen.contains(line.key) || seen.count < FieldLimits.rates else {
          throw BadField(reason: "the file has more than \(FieldLimits.grouped(FieldLimits.rates)) lines")
        }
        guard seen.insert(line.key).inserted else {
          throw BadField(
            reason: line.key.currency == nil
              ? "the file has this day twice" : "the file has this currency and day twice")
        }
        return line
      }, take)
  }
}
