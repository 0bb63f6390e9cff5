import AppStore
import Subscriptions

/// Exchange rates as CSV: the history that the European Central Bank publishes (`eurofxref-hist.csv`), as it is, or one rate a line
/// under the header `date,currency,rate`. Columns are found by their names.
public enum RatesFile: LineFormat {
  public static let name = "rates"
  public static let what = "exchange rates"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<RatesLine>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return try take(.first, empty) }
    guard !first.isTooLong else { return try take(first.place, .bad(first.reasonOfLength)) }
    let columns: RateColumns
    do throws(BadField) {
      columns = try RateColumns(header: try CSVLine.fields(of: first.text))
    } catch {
      return try take(first.place, .bad(error.reason))
    }
    var seen: Set<RatesLine.Key> = []
    while let line = try lines.next() {
      let content =
        line.isTooLong ? .bad(line.reasonOfLength) : content(of: line.text, columns, &seen)
      try take(line.place, content)
    }
  }

  private static func content(
    of text: [UInt8], _ columns: RateColumns, _ seen: inout Set<RatesLine.Key>
  ) -> LineContent<RatesLine> {
    do throws(BadField) {
      let line = try columns.line(try CSVLine.fields(of: text))
      guard seen.contains(line.key) || seen.count < FieldLimits.rates else {
        throw BadField(reason: "the file has more than \(FieldLimits.grouped(FieldLimits.rates)) lines")
      }
      guard seen.insert(line.key).inserted else {
        throw BadField(
          reason: line.key.currency == nil
            ? "the file has this day twice" : "the file has this currency and day twice")
      }
      return .item(line)
    } catch {
      return .bad(error.reason)
    }
  }
}
