import GRDB
import Subscriptions
import Synchronization

/// Cache of the classes of changes by number. Numbers are never reassigned, so entries stay valid.
final class LedgerClasses: Sendable {
  struct Known {
    var changes = NumberedClasses<ChangeClass>()
    var positions: [Int64: PositionClass] = [:]
    fileprivate var lastPosition = 0
    /// Numbers of the classes of changes that keep the position, by the position's number.
    var renewals: [Int64: Int] = [:]
  }

  private let known = Mutex(Known())

  func read(_ db: Database) throws -> Known {
    try known.withLock { known in
      try PositionShape.forEach(after: known.lastPosition, db) { number, shape in
        known.positions[number] = shape.position
        known.lastPosition = Int(number)
      }
      try ChangeShape.forEach(after: known.changes.last, db) { number, shape in
        // Changes share their positions, so that comparing two positions mostly compares references.
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
