import GRDB
import Subscriptions

/// How much is known of the queue's lines.
extension QueueQuestion {
  /// How long ago the lines with access were validated.
  func freshness() throws -> QueueReport.AgeQuantiles? {
    var ages: [Int64] = []
    var unchecked = 0
    var lines = try BoundStatement(
      """
      SELECT validated_at_ms FROM (\(StandingLines.at("?1")))
      WHERE NOT is_family_shared AND state IN (\(Self.statesWithAccess))
      """, db)
    lines.bind(now)
    // Of what was checked since an instant that has passed it is known no more when it had been before.
    try lines.forEach { line in
      if let validated = line.number(0) {
        ages.append(max(0, Int64(clamping: Int128(now.rawValue) - Int128(validated))))
      } else {
        unchecked += 1
      }
    }
    ages.sort()
    guard let oldest = ages.last else { return nil }
    let fresh = ages.count { $0 < Milliseconds.day }
    return QueueReport.AgeQuantiles(
      p50: Self.quantile(0.5, of: ages), p95: Self.quantile(0.95, of: ages), max: oldest,
      within24h: Double(fresh) / Double(ages.count + unchecked))
  }

  private static var statesWithAccess: String {
    LineState.allCases.filter(\.hasAccess).map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }

  /// METRICS §4, Detection lag: of what validations showed, apart from the first one of a chain, which tells its whole past.
  /// An event without an instant of its own was learnt from that one.
  func detectionLag() throws -> [QueueReport.DetectionLag] {
    // One after the other: SQLite would sort them all in memory.
    let learnt = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT s.type, e.observed_at_ms - e.effective_at_ms
        FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id
        WHERE e.observed_at_ms > :now - \(28 * Milliseconds.day) AND e.observed_at_ms <= :now
          AND e.observed_after_ms IS NULL AND NOT s.is_told_by_notification_alone
          AND EXISTS (SELECT 1 FROM receipt_chains k
            WHERE k.chain_id = e.chain_id AND k.first_observed_at_ms < e.observed_at_ms)
        """, arguments: ["now": now])
    var lags: [String: [Int64]] = [:]
    while let row = try learnt.next() { lags[try row[0], default: []].append(try row[1]) }
    return lags.map { type, lags in
      let lags = lags.sorted()
      return QueueReport.DetectionLag(
        type: type, count: lags.count, p50: Self.quantile(0.5, of: lags), p95: Self.quantile(0.95, of: lags))
    }.sorted { $0.type < $1.type }
  }

  /// Of sorted values that are not empty: the smallest that so large a share of them does not exceed.
  private static func quantile(_ share: Double, of sorted: [Int64]) -> Int64 {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}
