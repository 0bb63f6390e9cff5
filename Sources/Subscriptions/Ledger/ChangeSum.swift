/// Lines in a class of positions, and what their current rows cost a month.
public struct Balance: LedgerSum {
  public var lines: Int64
  /// Micros of the class's currency.
  public var monthlyMicros: Int128
  /// The same in the reporting currency.
  public var converted: Converted

  public init() { self.init(lines: 0) }

  public init(lines: Int64 = 0, monthlyMicros: Int128 = 0, converted: Converted = Converted()) {
    self.lines = lines
    self.monthlyMicros = monthlyMicros
    self.converted = converted
  }

  public static func += (left: inout Balance, right: Balance) {
    left.lines &+= right.lines
    left.monthlyMicros += right.monthlyMicros
    left.converted += right.converted
  }

  public static prefix func - (sum: Balance) -> Balance {
    Balance(lines: 0 &- sum.lines, monthlyMicros: 0 - sum.monthlyMicros, converted: -sum.converted)
  }
}

/// Changes of one class; and, in the reporting currency, what renewals did that no figure tells from what was before but by the day
/// of their purchase.
public struct ChangeSum: LedgerSum {
  public var lines: Int64
  /// What the lines' rows cost a month before, in micros of the old position's currency.
  public var monthlyBefore: Int128
  /// The same afterwards, of the new position's.
  public var monthlyAfter: Int128
  /// Both in the reporting currency.
  public var convertedBefore: Converted
  public var convertedAfter: Converted

  public init() { self.init(lines: 0) }

  public init(
    lines: Int64 = 0, monthlyBefore: Int128 = 0, monthlyAfter: Int128 = 0,
    convertedBefore: Converted = Converted(), convertedAfter: Converted = Converted()
  ) {
    self.lines = lines
    self.monthlyBefore = monthlyBefore
    self.monthlyAfter = monthlyAfter
    self.convertedBefore = convertedBefore
    self.convertedAfter = convertedAfter
  }

  public static func += (left: inout ChangeSum, right: ChangeSum) {
    left.lines &+= right.lines
    left.monthlyBefore += right.monthlyBefore
    left.monthlyAfter += right.monthlyAfter
    left.convertedBefore += right.convertedBefore
    left.convertedAfter += right.convertedAfter
  }

  public static prefix func - (sum: ChangeSum) -> ChangeSum {
    ChangeSum(
      lines: 0 &- sum.lines, monthlyBefore: 0 - sum.monthlyBefore, monthlyAfter: 0 - sum.monthlyAfter,
      convertedBefore: -sum.convertedBefore, convertedAfter: -sum.convertedAfter)
  }

  var before: Balance { Balance(lines: lines, monthlyMicros: monthlyBefore, converted: convertedBefore) }
  var after: Balance { Balance(lines: lines, monthlyMicros: monthlyAfter, converted: convertedAfter) }
}
