/// Sum that a ledger keeps for each class; amounts have 128 bits, so sums of prices cannot overflow.
public protocol LedgerSum: Hashable, Sendable {
  init()
  /// Adds another sum, or subtracts it if `sign` is -1.
  mutating func add(_ other: Self, times sign: Int64)
}

extension LedgerSum {
  public var isZero: Bool { self == Self() }

  public static func += (left: inout Self, right: Self) { left.add(right, times: 1) }

  static func -= (left: inout Self, right: Self) { left.add(right, times: -1) }

  public static prefix func - (sum: Self) -> Self {
    var negated = Self()
    negated -= sum
    return negated
  }

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }
}
