import GRDB
import Subscriptions
import Synchronization

/// The classes of changes by their numbers. A number is never given to another class, so that what was once read stays true.
final class LedgerClasses: Sendable {
  struct Known {
    var changes = NumberedClasses<ChangeClass>()
    var positions: [Int64: PositionClass] = [:]
    fileprivate var lastPosition = 0
    /// Of the changes by which a line stands as before, by the numbers of where.
    var renewals: [Int64: Int] = [:]
  }

  private let known = Mutex(Known())

  /// All that are in the tables.
  func read(_ db: Database) throws -> Known {
    try known.withLock { known in
      try PositionShape.forEach(after: known.lastPosition, db) { number, shape in
        known.positions[number] = shape.position
        known.lastPosition = Int(number)
      }
      try ChangeShape.forEach(after: known.changes.last, db) { number, shape in
        // One of each, so that to compare two of them seldom takes more than to compare where they are.
        guard let new = known.positions[shape.new] else { return }
        let kind = ChangeClass(
          old: shape.old.flatMap { known.positions[$0] }, new: new, flow: shape.flow)
        known.changes.put(kind, at: Int(number))
        if kind.flow == nil, kind.old == new { known.renewals[shape.new] = Int(number) }
      }
      return known
    }
  }
}
