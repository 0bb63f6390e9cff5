import GRDB
import Subscriptions

extension ReceiptStore {
  /// Makes every derived row anew from the evidence: lines, spans, the feed, and the tallies that figures are read from. All of
  /// it or nothing.
  public func rebuild(progress: @escaping RebuildProgress = { _, _ in }) throws(StoreError) {
    defer { settle() }
    try write("rebuild") { db in try TallyRebuild(db: db, progress: progress).run() }
  }
}
