import GRDB
import Subscriptions

/// What waits to be asked about.
struct QueueQuestion {
  let db: Database
  let policy: DuePolicy
  let now: Instant

  func report() throws -> QueueReport {
    var report = QueueReport(asOfMs: now)
    report.sweeps = try StoredSweep.fetch(limit: 10, at: now, db)
    return report
  }
}

extension ReceiptStore {
  /// What waits to be asked about, and what the due policy costs. It judges every line, so it is for now and then.
  public func queue(at now: Instant) throws(StoreError) -> QueueReport {
    try read("read the queue of") { try QueueQuestion(db: $0, policy: policy, now: now).report() }
  }
}
