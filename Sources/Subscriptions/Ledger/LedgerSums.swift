/// Balances at both ends of a window, and the changes in the window, by class.
public struct LedgerSums: Sendable {
  public let start: [PositionClass: RowSum]
  public let end: [PositionClass: RowSum]
  public let changes: [ChangeClass: ChangeSum]

  /// - Parameter earlier: All changes up to and including the window's start.
  public init(earlier: [ChangeClass: ChangeSum], changes: [ChangeClass: ChangeSum]) {
    var start: [PositionClass: RowSum] = [:]
    start.add(earlier)
    self.init(start: start, changes: changes)
  }

  init(start: [PositionClass: RowSum], changes: [ChangeClass: ChangeSum]) {
    var end = start
    end.add(changes)
    (self.start, self.end, self.changes) = (start, end, changes)
  }

  /// Creates sums whose `end` has the balances at an instant that may be later than the window's end.
  ///
  /// - Parameter later: Changes between the window's end and the instant of `end`.
  init(
    end: [PositionClass: RowSum], changes: [ChangeClass: ChangeSum],
    followedBy later: [ChangeClass: ChangeSum]
  ) {
    var start = end
    start.add(changes.mapValues(-))
    start.add(later.mapValues(-))
    (self.start, self.end, self.changes) = (start, end, changes)
  }

  public func balances(at end: FigureDefinition.WindowEnd) -> [PositionClass: RowSum] {
    end == .start ? start : self.end
  }

  /// Returns how many of the question's lines in `end` are in a gap that no snapshot saw.
  func unseen(_ question: Question) -> Int64 {
    end.reduce(0) { $0 &+ ($1.key.isUnseen && question.includes($1.key) ? $1.value.rows : 0) }
  }

  /// Returns the currencies of paid lines, in the order of `EvaluatedGroup.rowsByLines`.
  func currenciesByLines(_ question: Question) -> [CurrencyCode] {
    func lines(at end: FigureDefinition.WindowEnd) -> [CurrencyCode: Int64] {
      balances(at: end).reduce(into: [:]) { lines, standing in
        guard standing.key.set == .paid, let currency = standing.key.currency,
          question.includes(standing.key)
        else { return }
        lines[currency, default: 0] += standing.value.rows
      }
    }
    let (start, end) = (lines(at: .start), lines(at: .end))
    func key(_ currency: CurrencyCode) -> (Int64, Int64, String) {
      (0 &- (end[currency] ?? 0), 0 &- (start[currency] ?? 0), currency.rawValue)
    }
    return Set(end.keys).union(start.keys).sorted { key($0) < key($1) }
  }
}

extension [PositionClass: RowSum] {
  fileprivate mutating func add(_ changes: [ChangeClass: ChangeSum]) {
    for (kind, sum) in changes {
      if let old = kind.old { self[old, default: RowSum()] -= sum.before }
      self[kind.new, default: RowSum()] += sum.after
    }
    for (kind, balance) in self where balance.isZero { self[kind] = nil }
  }
}
