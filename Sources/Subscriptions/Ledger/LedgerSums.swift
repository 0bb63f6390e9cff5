/// All that figures are made from: who stood where at a window's ends, and what changed between them.
public struct LedgerSums: Sendable {
  public private(set) var start: [PositionClass: Balance]
  public private(set) var end: [PositionClass: Balance]
  public let changes: [ChangeClass: Turnover]

  /// - Parameters:
  ///   - earlier: all changes up to the window's start, it included.
  ///   - changes: those of the window.
  public init(earlier: [ChangeClass: Turnover], changes: [ChangeClass: Turnover]) {
    start = [:]
    start.add(earlier)
    end = start
    end.add(changes)
    self.changes = changes
  }

  /// A part of all there is.
  struct Parts {
    var start: [PositionClass: Balance] = [:]
    var end: [PositionClass: Balance] = [:]
    var changes: [ChangeClass: Turnover] = [:]
  }

  init(_ parts: Parts) { (start, end, changes) = (parts.start, parts.end, parts.changes) }

  /// The window that follows another.
  init(after earlier: LedgerSums, changes: [ChangeClass: Turnover]) {
    self.init(from: earlier.end, changes: changes)
  }

  /// The window that another follows.
  init(upTo later: LedgerSums, changes: [ChangeClass: Turnover]) {
    end = later.start
    start = end
    start.takeBack(changes)
    self.changes = changes
  }

  /// - Parameter balances: those at the window's start.
  init(from balances: [PositionClass: Balance], changes: [ChangeClass: Turnover]) {
    start = balances
    end = start
    end.add(changes)
    self.changes = changes
  }
}

extension LedgerSums {
  /// In the order of `EvaluatedGroup.rowsByLines`.
  func currenciesByLines(_ question: Question) -> [CurrencyCode] {
    func lines(_ balances: [PositionClass: Balance]) -> [CurrencyCode: Int64] {
      var lines: [CurrencyCode: Int64] = [:]
      for (position, balance) in balances where question.includes(position) && position.set == .paid {
        if let currency = position.currency { lines[currency, default: 0] += balance.lines }
      }
      return lines
    }
    let (start, end) = (lines(start), lines(end))
    func key(_ currency: CurrencyCode) -> (Int64, Int64, String) {
      (0 &- (end[currency] ?? 0), 0 &- (start[currency] ?? 0), currency.rawValue)
    }
    return Set(end.keys).union(start.keys).sorted { key($0) < key($1) }
  }
}

extension [PositionClass: Balance] {
  /// Takes each line out of the class that it left, into the one that it came to.
  fileprivate mutating func add(_ changes: [ChangeClass: Turnover]) {
    for (kind, sum) in changes {
      if let old = kind.old { self[old, default: Balance()] -= sum.before }
      self[kind.new, default: Balance()] += sum.after
    }
    for (kind, balance) in self where balance.isZero { self[kind] = nil }
  }

  /// Puts each line where it was.
  fileprivate mutating func takeBack(_ changes: [ChangeClass: Turnover]) {
    for (kind, sum) in changes {
      if let old = kind.old { self[old, default: Balance()] += sum.before }
      self[kind.new, default: Balance()] -= sum.after
    }
    for (kind, balance) in self where balance.isZero { self[kind] = nil }
  }
}
