import GRDB
import Subscriptions
import Synchronization

/// The classes of changes by their numbers. A number is never given to another class, so that what was once read stays true.
final class LedgerClasses: Sendable {
  struct Known {
    var changes = NumberedClasses<ChangeClass>()
    var positions: [Int64: PositionClass] = [:]
    /// Of the changes by which a line stands as before, by the numbers of where.
    var renewals: [Int64: Int] = [:]
  }

  private let known = Mutex(Known())

  /// All that are in the table, and the positions to which they lead.
  func read(_ db: Database) throws -> Known {
    let after = known.withLock { $0.changes.last }
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(sql: Self.query), arguments: [after])
    let first = 2 + PositionShape.columns.count
    let last = first + PositionShape.columns.count
    // One of each, so that to compare two of them seldom takes more than to compare where they are.
    func position(
      _ number: Int64?, _ row: FetchedRow, from first: Int, _ known: inout Known
    ) -> PositionClass? {
      guard let number else { return nil }
      if let position = known.positions[number] { return position }
      let position = PositionShape.position(row, from: first)
      known.positions[number] = position
      return position
    }
    return known.withLock { known in
      for row in rows {
        guard let new = position(row[last], row, from: 2, &known) else { continue }
        let kind = ChangeClass(
          old: position(row[last + 1], row, from: first, &known), new: new,
          flow: (row[1] as String?).flatMap(Flow.init(rawValue:)))
        known.changes.put(kind, at: row[0])
        if kind.flow == nil, kind.old == new { known.renewals[row[last]] = row[0] }
      }
      return known
    }
  }

  private static let query = """
    SELECT c.id, c.flow, \(columns(of: "n")), \(columns(of: "o")), c.new_position_id, c.old_position_id FROM change_classes c
    JOIN position_classes n ON n.id = c.new_position_id LEFT JOIN position_classes o ON o.id = c.old_position_id
    WHERE c.id > ? ORDER BY c.id
    """

  private static func columns(of table: String) -> String {
    PositionShape.columns.map { "\(table).\($0)" }.joined(separator: ", ")
  }
}
