import GRDB
import Subscriptions

/// What a commit changes of the ledger's sums, added up before it is written: the changes of many lines fall together.
final class LedgerBook {
  /// Goes up by one with every change to what lines are counted by: stored sums are no longer this program's then.
  static let rule = 1

  private struct Bucket: Hashable {
    /// Of the grain that is written next.
    var at: Int64
    var change: Int64
  }

  /// Ten million units of a currency: nine hundred thousand of them fit into a sum.
  private static let largestAmount: UInt64 = 10_000_000_000_000
  /// Some fifty megabytes, and as much again while they are written.
  private static let most = 400_000

  private let db: Database
  private let shapes: Shapes
  /// What can still be undone.
  private var entries: [(bucket: Bucket, sum: Turnover)] = []
  private var sums: [Bucket: Turnover] = [:]
  private var isTooLarge = false

  init(db: Database, shapes: Shapes) {
    self.db = db
    self.shapes = shapes
  }

  /// The number under which the tables name a class of positions.
  func number(of position: PositionClass) throws -> Int64 {
    try shapes.number(of: PositionShape(position: position))
  }

  /// The same of changes.
  func number(of change: ChangeClass) throws -> Int64 {
    let old = try change.old.map { try number(of: $0) }
    let new = try number(of: change.new)
    return try shapes.number(of: ChangeShape(old: old, new: new, flow: change.flow))
  }

  func add(_ sum: Turnover, at t: Instant, _ change: Int64) {
    entries.append((Bucket(at: LedgerBuckets.hour(of: t), change: change), sum))
  }

  var savepoint: Int { entries.count }

  func rollBack(to savepoint: Int) { entries.removeLast(entries.count - savepoint) }

  /// Makes what was added part of the commit: from here on it can be undone with the whole of it alone.
  func settle() throws {
    for (bucket, sum) in entries { sums[bucket, default: Turnover()] += bounded(sum) }
    entries.removeAll(keepingCapacity: true)
    if sums.count > Self.most { try write() }
  }

  private func bounded(_ sum: Turnover) -> Turnover {
    guard max(sum.monthlyBefore.magnitude, sum.monthlyAfter.magnitude) > Self.largestAmount else {
      return sum
    }
    isTooLarge = true
    return Turnover(lines: sum.lines)
  }

  /// Adds everything to the table, and forgets it.
  func write() throws {
    defer { sums.removeAll(keepingCapacity: true) }
    if isTooLarge { try giveUp() }
    var sums = self.sums
    for grain in LedgerGrain.allCases {
      // In the order of the table, so that one page after the other is written.
      let rows = sums.filter { !$0.value.isZero }.sorted {
        ($0.key.at, $0.key.change) < ($1.key.at, $1.key.change)
      }
      var upsert = try BoundStatement(Self.upsert, db)
      for (bucket, sum) in rows {
        upsert.bind(grain.rawValue)
        upsert.bind(bucket.at)
        upsert.bind(bucket.change)
        upsert.bind(sum.lines)
        upsert.bind(sum.monthlyBefore)
        upsert.bind(sum.monthlyAfter)
        do {
          try upsert.execute()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // The sum does not fit.
          upsert = try BoundStatement(Self.upsert, db)
          try giveUp()
        }
      }
      guard let next = grain.next else { break }
      var longer: [Bucket: Turnover] = [:]
      for (bucket, sum) in rows {
        let at = flooredQuotient(bucket.at, over: next.length)
        longer[Bucket(at: at, change: bucket.change), default: Turnover()] += sum
      }
      sums = longer
    }
    try db.execute(
      sql: "DELETE FROM sums WHERE lines = 0 AND monthly_before = 0 AND monthly_after = 0")
  }

  private static let upsert = """
    INSERT INTO sums (grain, at, change_id, lines, monthly_before, monthly_after) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET lines = lines + excluded.lines, monthly_before = monthly_before + excluded.monthly_before,
      monthly_after = monthly_after + excluded.monthly_after
    """

  /// From now on every line is looked at, until the ledger is made anew.
  private func giveUp() throws {
    try db.execute(sql: "UPDATE ledger_state SET is_complete = 0")
  }
}
