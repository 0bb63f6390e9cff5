import GRDB

struct SumsTable {
  private let grain: LedgerGrain
  private var select: BoundStatement
  private var upsert: BoundStatement
  private var delete: BoundStatement

  init(_ db: Database, _ grain: LedgerGrain) throws {
    self.grain = grain
    select = try BoundStatement("SELECT packed FROM sums WHERE series = ? AND grain = ? AND at = ?", db)
    upsert = try BoundStatement(
      """
      INSERT INTO sums (series, grain, at, packed) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET packed = excluded.packed
      """, db)
    delete = try BoundStatement("DELETE FROM sums WHERE series = ? AND grain = ? AND at = ?", db)
  }

  /// - Parameters:
  ///   - changes: Sums of distinct classes, in order.
  ///   - series: Number of the series.
  /// - Returns: `false` if a sum overflowed, and was left unchanged.
  mutating func add(_ changes: [PackedSums.Element], to series: Int, at place: Int64) throws -> Bool {
    var old: [PackedSums.Element] = []
    bind(&select, series, place)
    try select.forEach { old = try PackedSums.unpack($0.bytes(0)) }
    var new: [PackedSums.Element] = []
    new.reserveCapacity(old.count + changes.count)
    var (next, fits) = (0, true)
    for (kind, sum) in old {
      while next < changes.count, changes[next].kind < kind {
        new.append(changes[next])
        next += 1
      }
      guard next < changes.count, changes[next].kind == kind else {
        new.append((kind, sum))
        continue
      }
      let total = sum.adding(changes[next].sum)
      next += 1
      fits = fits && total != nil
      if total?.isZero != true { new.append((kind, total ?? sum)) }
    }
    new += changes[next...]
    if new.isEmpty {
      guard !old.isEmpty else { return fits }
      bind(&delete, series, place)
      try delete.execute()
    } else {
      bind(&upsert, series, place)
      upsert.bind(PackedSums.pack(new))
      try upsert.execute()
    }
    return fits
  }

  private func bind(_ statement: inout BoundStatement, _ series: Int, _ place: Int64) {
    statement.bind(Int64(series))
    statement.bind(Int64(grain.rawValue))
    statement.bind(place)
  }
}
