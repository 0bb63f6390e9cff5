import GRDB
import Subscriptions

extension ReceiptStore {
  /// Adds Apple's reports in one commit; a known report whose content differs gets a new version.
  ///
  /// - Parameter hash: Receives a secret salt of this store and a Subscriber ID, and returns their hash.
  public func addAppleReports(
    pages next: () -> ImportPage<AppleReportItem>, at now: Instant,
    hash: @escaping (_ salt: String, _ id: String) -> String
  ) throws(StoreError) -> AppleReportSummary {
    defer { checkpoint() }
    return try writeUnlessRolledBack("add Apple's reports to") { db in
      defer { StoreConnections.keepUsualPages(db) }
      try StoreConnections.keepMorePages(db)
      var writer = try AppleReportWriter(db, at: now, hash: hash)
      while true {
        switch next() {
        case .items(let page): for item in page { try writer.take(item) }
        case .end: return (writer.summary, .commit)
        case .abandon: return (AppleReportSummary(), .rollback)
        }
      }
    }
  }

  /// Returns the current versions of Apple's reports, ordered by kind and last day.
  public func appleReports() throws(StoreError) -> [AppleReport] {
    try readingAppleReports { try $0.reports() }
  }

  /// Reads the versions of Apple's reports that were current at an instant; `nil` for now.
  package func readingAppleReports<Value>(
    asKnownAt at: Instant? = nil, _ body: (AppleReportReader) throws -> Value
  ) throws(StoreError) -> Value {
    try read("read Apple's reports in") { try body(AppleReportReader($0, asKnownAt: at)) }
  }
}
