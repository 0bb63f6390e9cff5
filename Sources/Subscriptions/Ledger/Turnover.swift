/// Lines in a class of positions, and what their current rows cost a month.
public struct Balance: Hashable, Sendable {
  public var lines: Int64
  /// Micros of the class's currency.
  public var monthlyMicros: Int64

  public init(lines: Int64 = 0, monthlyMicros: Int64 = 0) {
    self.lines = lines
    self.monthlyMicros = monthlyMicros
  }

  public var isZero: Bool { lines == 0 && monthlyMicros == 0 }

  /// Sums wrap around, so that what was added can be taken off again.
  public static func += (left: inout Balance, right: Balance) {
    left.lines &+= right.lines
    left.monthlyMicros &+= right.monthlyMicros
  }

  public static func -= (left: inout Balance, right: Balance) {
    left.lines &-= right.lines
    left.monthlyMicros &-= right.monthlyMicros
  }
}

/// Changes of one class.
public struct Turnover: Hashable, Sendable {
  public var lines: Int64
  /// What the lines' rows cost a month before, in micros of the old position's currency.
  public var monthlyBefore: Int64
  /// The same afterwards, of the new position's.
  public var monthlyAfter: Int64

  public init(lines: Int64 = 0, monthlyBefore: Int64 = 0, monthlyAfter: Int64 = 0) {
    self.lines = lines
    self.monthlyBefore = monthlyBefore
    self.monthlyAfter = monthlyAfter
  }

  public var isZero: Bool { self == Turnover() }

  /// Sums wrap around, so that what was added can be taken off again.
  public static func += (left: inout Turnover, right: Turnover) {
    left.lines &+= right.lines
    left.monthlyBefore &+= right.monthlyBefore
    left.monthlyAfter &+= right.monthlyAfter
  }

  public static prefix func - (sum: Turnover) -> Turnover {
    Turnover(
      lines: 0 &- sum.lines, monthlyBefore: 0 &- sum.monthlyBefore, monthlyAfter: 0 &- sum.monthlyAfter)
  }

  var before: Balance { Balance(lines: lines, monthlyMicros: monthlyBefore) }
  var after: Balance { Balance(lines: lines, monthlyMicros: monthlyAfter) }
}
