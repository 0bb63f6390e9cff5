/// Sum that a ledger keeps for each class. Amounts have 128 bits, so sums of prices cannot overflow.
public protocol LedgerSum: Hashable, Sendable {
  init()
  static func += (left: inout Self, right: Self)
  static prefix func - (sum: Self) -> Self
}

extension LedgerSum {
  public var isZero: Bool { self == Self() }

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }

  static func -= (left: inout Self, right: Self) { left += -right }
}
