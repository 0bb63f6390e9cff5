/// Element of a report file. The elements arrive in the order of the file.
public enum AppleReportItem: Hashable, Sendable {
  /// - needsDay: Whether neither the file nor its name has the report's day, so that `from` and `through` are
  ///   meaningless.
  case begin(AppleReport, needsDay: Bool)
  /// Row with Apple's Subscriber ID instead of its hash. A row of balances has no day of its own.
  case row(AppleReportRow)
  /// - lines: Number of rows in the file, before equal ones are added up.
  /// - digest: Hash of the file's lines, independent of their order.
  case end(lines: Int, digest: UInt128)
}

/// Row of a report with the report's days. The day of the report is when Apple billed; the row's is its date.
public struct DatedAppleRow: Hashable, Sendable {
  public var report: AppleReport
  public var row: AppleReportRow

  public init(_ report: AppleReport, _ row: AppleReportRow) { (self.report, self.row) = (report, row) }
}

/// A version of a report in the store.
public struct StoredAppleReport: Hashable, Sendable {
  public var id: Int64
  public var report: AppleReport
  /// Number of rows in the file.
  public var lines: Int
  public var importedAt: Instant
  /// `nil` for the newest version.
  public var replacedAt: Instant?

  public init(id: Int64, report: AppleReport, lines: Int, importedAt: Instant, replacedAt: Instant?) {
    (self.id, self.report, self.lines) = (id, report, lines)
    (self.importedAt, self.replacedAt) = (importedAt, replacedAt)
  }
}

/// Result of an import of Apple's reports.
public struct AppleReportSummary: Hashable, Sendable {
  /// Rows in all files, before equal ones are added up.
  public var lines = 0
  public var new = 0
  /// Reports with other content than the version before.
  public var replaced = 0
  public var unchanged = 0

  public init() {}

  public var reports: Int { new + replaced + unchanged }
}
