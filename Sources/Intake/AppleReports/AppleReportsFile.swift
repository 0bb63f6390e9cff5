import AppStore
import Subscriptions

/// Format of the reports that App Store Connect offers for download: tab-separated text, perhaps gzipped.
///
/// If the lines do not contain the report's period, its day is taken from the file's name.
public enum AppleReportsFile: LineFormat {
  public static let name = "apple-reports"
  public static let what = "a report of Apple's"
  public static let mayBeCompressed = true

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<AppleReportItem>) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = AppleReportReader(named: lines.name)
    var number = 1
    while let line = try lines.next() {
      number = line.number
      var contents: [LineContent<AppleReportItem>]
      do throws(UnreadableAnswer) {
        if let fault = line.fault { throw UnreadableAnswer(reason: fault) }
        contents = try reader.read(line.text)
      } catch {
        contents = [.bad(error.reason)]
        guard reader.hasHeader else { return try take(number, .bad(error.reason)) }
      }
      for content in contents { try take(number, content) }
    }
    for content in reader.end() { try take(number, content) }
  }
}

private struct AppleReportReader {
  typealias Content = LineContent<AppleReportItem>

  private let name: AppleReportName
  private var columns: AppleReportColumns?
  /// Dates above the header of a finance detail report, by their names: `start date` and `end date`.
  private var leading: [String: CivilDate] = [:]
  private var report: AppleReport?
  private var lines = 0
  private var digest: UInt128 = 0
  private var areRowsOver = false
  private var events: Set<AppleMeasure> = []

  private static let mostEvents = 1000

  init(named name: String) { self.name = AppleReportName(name) }

  var hasHeader: Bool { columns != nil }

  mutating func read(_ text: [UInt8]) throws(UnreadableAnswer) -> [Content] {
    let text = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
    // SQLite would truncate the text at the NUL byte.
    guard text.count <= FieldLimits.reportLine, !text.contains(0) else {
      throw UnreadableAnswer(reason: "it has a NUL byte, or more than \(FieldLimits.reportLine >> 10) KiB")
    }
    var hash = StableHash()
    hash.add(bytes: text)
    digest &+= hash.value
    guard let columns else { return try readAboveRows(text) }
    if columns.kind.isFinance, try isTotal(text, columns) { return [] }
    let line = try AppleReportLine(text, columns)
    guard !areRowsOver else { throw UnreadableAnswer(reason: "a row follows the totals") }
    var contents = columns.place(.end) == nil ? [] : try check(line, columns.kind)
    for row in try line.rows() {
      if columns.kind == .events, events.insert(row.measure).inserted, !row.measure.isKnownEvent {
        guard events.count <= Self.mostEvents else {
          throw UnreadableAnswer(reason: "the file has more than \(Self.mostEvents) different events")
        }
        contents.append(.remark(.unknownEvent(row.measure.rawValue)))
      }
      contents.append(.item(.row(row)))
    }
    lines += 1
    return contents
  }

  mutating func end() -> [Content] {
    guard let columns else { return [digest == 0 ? AppleReportsFile.empty : .bad("it has no header")] }
    return (report == nil ? [begin(columns.kind, nil)] : [])
      + [.item(.end(lines: lines, digest: digest))]
  }

  private mutating func readAboveRows(_ text: [UInt8]) throws(UnreadableAnswer) -> [Content] {
    guard let whole = String(validating: text, as: UTF8.self) else {
      throw UnreadableAnswer(reason: "it is not UTF-8 text")
    }
    var names = whole.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let first = AppleColumn.words(names[0]).joined(separator: " ")
    if names.count == 2, ["vendor name", "start date", "end date"].contains(first) {
      leading[first] = AppleReportDay.parse(names[1])
      return []
    }
    if names.last?.isEmpty == true { names.removeLast() }
    let columns = try AppleReportColumns(names)
    var days: (CivilDate, CivilDate)?
    if columns.kind == .financeDetail {
      guard let from = leading["start date"], let through = leading["end date"], from <= through else {
        throw UnreadableAnswer(reason: "there is no Start Date before an End Date above the header")
      }
      days = (from, through)
    }
    self.columns = columns
    let remarks = columns.unknown.map { Content.remark(.unknownColumn($0)) }
    // Rows with an end date contain the report's period, so such a report begins at its first row.
    return remarks + (columns.place(.end) == nil ? [begin(columns.kind, days)] : [])
  }

  private mutating func begin(
    _ kind: AppleReportKind, _ days: (from: CivilDate, through: CivilDate)?
  ) -> Content {
    let day = name.day ?? CivilDate(daysSince1970: 0)
    let report = AppleReport(
      kind: kind, vendor: name.vendor, region: kind.isFinance ? name.region : "", from: days?.from ?? day,
      through: days?.through ?? day)
    self.report = report
    return .item(.begin(report, needsDay: days == nil && name.day == nil))
  }

  /// Begins the report at its first row; throws an error if a period is invalid or differs from the first.
  private mutating func check(
    _ line: AppleReportLine, _ kind: AppleReportKind
  ) throws(UnreadableAnswer) -> [Content] {
    let (from, through) = (try line.date(.day), try line.date(.end))
    if let report {
      guard report.from == from, report.through == through else {
        throw UnreadableAnswer(reason: "its days are not those of the first row")
      }
      return []
    }
    guard from == through || kind == .financial && from < through else {
      throw UnreadableAnswer(reason: "it covers more than one day; import the daily reports instead")
    }
    return [begin(kind, (from, through))]
  }

  /// Whether a line is part of a finance report's totals; throws if `Total_Rows` is not the number of rows.
  private mutating func isTotal(
    _ text: [UInt8], _ columns: AppleReportColumns
  ) throws(UnreadableAnswer) -> Bool {
    let fields = AppleReportLine.fields(text)
    guard let first = fields.first, first.starts(with: "Total_".utf8) else {
      return areRowsOver && fields.count < columns.count
    }
    areRowsOver = true
    guard fields.count > 1, first.elementsEqual("Total_Rows".utf8) else { return true }
    guard Int(String(decoding: AppleReportLine.trimmed(fields[1]), as: UTF8.self)) == lines else {
      throw UnreadableAnswer(
        reason: "Total_Rows differs from the number of rows in the file, \(lines); download the report again")
    }
    return true
  }
}

extension AppleMeasure {
  /// Whether the event's name consists only of words that occur in Apple's names.
  fileprivate var isKnownEvent: Bool { AppleColumn.words(rawValue).allSatisfy(Self.words.contains) }

  private static let words = Set(
    """
    start introductory promotional offer code win back free trial pay up front as you go subscribe opt in paid
    subscription from with to upgrade downgrade crossgrade renew renewal reactivate reactivation billing retry
    grace period cancel canceled refund
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
