/// Sums as far as a question asks about them, by kinds: who stood where at a window's ends, and what changed between them.
struct ScopedSums: Sendable {
  /// Sums by the places of kinds.
  typealias Changes = [(place: Int, sum: ChangeSum)]

  let kinds: ChangeKinds
  /// By the places of positions, as are those at the end.
  let start: [Balance]
  let end: [Balance]
  let changes: Changes

  /// - Parameters:
  ///   - earlier: everything up to the window's start.
  ///   - changes: those of the window.
  init(_ kinds: ChangeKinds, earlier: Changes, changes: Changes) {
    var start = Array(repeating: Balance(), count: kinds.positions.count)
    start.add(earlier, kinds)
    self.init(kinds, start: start, changes: changes)
  }

  private init(_ kinds: ChangeKinds, start: [Balance], changes: Changes) {
    (self.kinds, self.start, self.changes) = (kinds, start, changes)
    var end = start
    end.add(changes, kinds)
    self.end = end
  }

  /// The window that follows.
  func followed(by changes: Changes, _ kinds: ChangeKinds) -> ScopedSums {
    let new = kinds.positions.count - end.count
    return ScopedSums(kinds, start: end + Array(repeating: Balance(), count: new), changes: changes)
  }

  /// The window that it follows.
  func preceded(by changes: Changes, _ kinds: ChangeKinds) -> ScopedSums {
    var before = start + Array(repeating: Balance(), count: kinds.positions.count - start.count)
    before.add(changes.map { ($0.place, -$0.sum) }, kinds)
    return ScopedSums(kinds, start: before, changes: changes)
  }

  /// Whether nobody stood anywhere at the window's start.
  var isEmpty: Bool { start.allSatisfy(\.isZero) }

  /// Lines in gaps that no snapshot saw, at the end.
  var unseen: Int64 {
    balances(at: .end).reduce(0) { $0 &+ (kinds.positions[$1.place].isUnseen ? $1.balance.lines : 0) }
  }

  /// Where anybody stood.
  func balances(at end: FigureDefinition.WindowEnd) -> [(place: Int, balance: Balance)] {
    let balances = end == .start ? start : self.end
    return balances.indices.compactMap { balances[$0].isZero ? nil : ($0, balances[$0]) }
  }
}

extension [Balance] {
  /// Takes each line out of the position that it left, into the one that it came to.
  fileprivate mutating func add(_ changes: ScopedSums.Changes, _ kinds: ChangeKinds) {
    for (place, sum) in changes {
      let kind = kinds.changes[place]
      if let old = kind.old { self[old] -= sum.before }
      if let new = kind.new { self[new] += sum.after }
    }
  }
}

extension ScopedSums {
  /// In the order of `EvaluatedGroup.rowsByLines`.
  var currenciesByLines: [CurrencyCode] {
    func lines(at end: FigureDefinition.WindowEnd) -> [CurrencyCode: Int64] {
      balances(at: end).reduce(into: [:]) { lines, standing in
        let position = kinds.positions[standing.place]
        guard position.set == .paid, let currency = position.currency else { return }
        lines[currency, default: 0] += standing.balance.lines
      }
    }
    let (start, end) = (lines(at: .start), lines(at: .end))
    func key(_ currency: CurrencyCode) -> (Int64, Int64, String) {
      (0 &- (end[currency] ?? 0), 0 &- (start[currency] ?? 0), currency.rawValue)
    }
    return Set(end.keys).union(start.keys).sorted { key($0) < key($1) }
  }
}
