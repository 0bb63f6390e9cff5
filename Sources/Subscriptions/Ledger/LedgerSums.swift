/// Who stood where at a window's ends, and what changed between them, class by class.
public struct LedgerSums: Sendable {
  public private(set) var start: [PositionClass: Balance]
  public private(set) var end: [PositionClass: Balance]
  public let changes: [ChangeClass: ChangeSum]

  /// - Parameters:
  ///   - earlier: all changes up to the window's start, it included.
  ///   - changes: those of the window.
  public init(earlier: [ChangeClass: ChangeSum], changes: [ChangeClass: ChangeSum]) {
    start = [:]
    start.add(earlier)
    end = start
    end.add(changes)
    self.changes = changes
  }
}

extension [PositionClass: Balance] {
  /// Takes each line out of the class that it left, into the one that it came to.
  fileprivate mutating func add(_ changes: [ChangeClass: ChangeSum]) {
    for (kind, sum) in changes {
      if let old = kind.old { self[old, default: Balance()] -= sum.before }
      self[kind.new, default: Balance()] += sum.after
    }
    for (kind, balance) in self where balance.isZero { self[kind] = nil }
  }
}
