import GRDB
import Subscriptions

extension ReceiptStore {
  /// What a sweep would take up now, and how fast the last ones were.
  public func estimate(of selection: SweepSelection, at now: Instant) throws(StoreError) -> SweepEstimate {
    let (free, held) = try count(of: selection, at: now)
    return SweepEstimate(free: free, held: held, rate: try lastRate())
  }

  /// Receipts a second over the last sweeps that took more than a few; a demonstration's are told by a clock that runs fast.
  private func lastRate() throws(StoreError) -> Double? {
    try read("ask how fast sweeps are in") { db in
      let row = try FetchedRow.fetchOne(
        db,
        sql: """
          SELECT sum(done), sum(took) FROM (
            SELECT validated + rejected + retry_later AS done, finished_at_ms - started_at_ms AS took FROM sweeps
            WHERE finished_at_ms > started_at_ms AND picked >= 20 AND started_by <> 'demo' AND failure IS NULL
            ORDER BY id DESC LIMIT 5)
          """)
      guard let row, let done = try row[0] as Int64?, let took = try row[1] as Int64?, done > 0 else {
        return nil
      }
      return Double(done) * 1000 / Double(took)
    }
  }
}
