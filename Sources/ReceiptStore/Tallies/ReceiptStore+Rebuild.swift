import GRDB
import Subscriptions

extension ReceiptStore {
  /// Makes every derived row anew from the evidence: lines, phases, the feed, and the tallies that figures are read from. All of
  /// it or nothing.
  ///
  /// - Parameter progress: is told how many chains of how many are done.
  public func rebuild(progress: @escaping (Int, Int) -> Void = { _, _ in }) throws(StoreError) {
    try write("rebuild") { db in try TallyRebuild(db: db, progress: progress).run(deriving: true) }
  }
}
