import GRDB
import Subscriptions
import Synchronization

/// The classes of changes by their numbers. A number is never given to another class, so that what was once read stays true.
final class LedgerClasses: Sendable {
  private struct Known {
    var changes: [Int64: ChangeClass] = [:]
    var positions: [Int64: PositionClass] = [:]
    var last: Int64 = 0
  }

  private let known = Mutex(Known())

  /// All that are in the table, and the positions to which they lead.
  func read(_ db: Database) throws -> (changes: [Int64: ChangeClass], positions: [Int64: PositionClass]) {
    let after = known.withLock { $0.last }
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(sql: Self.query), arguments: [after])
    let first = 2 + PositionShape.columns.count
    let last = first + PositionShape.columns.count
    return known.withLock { known in
      for row in rows {
        guard let new = PositionShape.position(row, from: 2) else { continue }
        let hasOld = (row[first] as String?) != nil
        known.changes[row[0]] = ChangeClass(
          old: hasOld ? PositionShape.position(row, from: first) : nil, new: new,
          flow: (row[1] as String?).flatMap(Flow.init(rawValue:)))
        known.positions[row[last]] = new
        known.last = max(known.last, row[0])
      }
      return (known.changes, known.positions)
    }
  }

  private static let query = """
    SELECT c.id, c.flow, \(columns(of: "n")), \(columns(of: "o")), c.new_position_id FROM change_classes c
    JOIN position_classes n ON n.id = c.new_position_id LEFT JOIN position_classes o ON o.id = c.old_position_id
    WHERE c.id > ? ORDER BY c.id
    """

  private static func columns(of table: String) -> String {
    PositionShape.columns.map { "\(table).\($0)" }.joined(separator: ", ")
  }
}
