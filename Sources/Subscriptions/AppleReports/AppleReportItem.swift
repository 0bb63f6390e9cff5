/// Item that is read from a report file: first `begin`, then the rows, then `end`.
public enum AppleReportItem: Hashable, Sendable {
  /// Header; its days are meaningless if `needsDay`, because neither the file nor its name contains the day.
  case begin(AppleReport, needsDay: Bool)
  /// Row whose `subscriber` is Apple's Subscriber ID instead of its hash; `day` is meaningless for a balance.
  case row(AppleReportRow)
  /// End of the file: number of lines with rows, and a hash of all lines that is independent of their order.
  case end(lines: Int, digest: UInt128)
}

/// Row and its report.
///
/// In daily reports, `report.through` is the day on which Apple billed the row; `row.day` may be another day.
public struct DatedAppleRow: Hashable, Sendable {
  public var report: AppleReport
  public var row: AppleReportRow

  public init(_ report: AppleReport, _ row: AppleReportRow) { (self.report, self.row) = (report, row) }
}

/// Result of an import of Apple's reports.
public struct AppleReportSummary: Hashable, Sendable {
  /// Number of lines with rows, in all files.
  public var lines = 0
  public var new = 0
  public var replaced = 0
  public var unchanged = 0

  public init() {}

  public var reports: Int { new + replaced + unchanged }
}
