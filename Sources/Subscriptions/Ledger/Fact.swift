/// Something that figures count by a date of its own: METRICS §5. Changes of position are counted by themselves (`Change`).
public struct Fact: Hashable, Sendable {
  public var at: Instant
  public var kind: FactClass
  public var sum: FactSum

  public init(_ at: Instant, _ kind: FactClass, _ sum: FactSum = FactSum(count: 1)) {
    self.at = at
    self.kind = kind
    self.sum = sum
  }
}

/// Facts are read a family at a time.
public enum FactFamily: Int, Hashable, Sendable, CaseIterable {
  /// Lines with access whose receipt was validated in the 24 hours before. Added where that begins and taken off where it ends, so that
  /// the sum of everything up to an instant is what stands at that instant.
  case fresh = 1
  /// Family-shared lines, when they begin.
  case shared
  /// Rows without a price, when they are bought.
  case unpriced
  /// Rows, when they are bought.
  case bought
  /// Changes of product at a renewal, when the new row is bought.
  case change
  /// Rows upgraded away that nothing dates, when they are bought.
  case undated
  /// Paid rows, when they come due.
  case due
  /// Trials, when they end.
  case trialEnd
  /// Refunds, when they are issued; `micros` is what was paid.
  case refund
  /// The same of purchases that do not renew.
  case oneTimeRefund
  /// Rows, when they are upgraded away; `micros` is what Apple gave back.
  case upgrade
  /// Events of the feed, when they take effect.
  case event
  /// Lines whose period ends within a day: added and taken off as fresh ones are; `micros` is what their renewal would cost.
  case dueInADay
  /// The same within a week.
  case dueInAWeek

  /// Nil where that horizon is not kept.
  public init?(dueWithin days: Int) {
    switch days {
    case 1: self = .dueInADay
    case 7: self = .dueInAWeek
    default: return nil
    }
  }
}

/// What figures tell facts apart by.
public struct FactClass: Hashable, Sendable {
  public var family: FactFamily
  public var environment: StoreEnvironment
  public var product: ProductID
  /// What tells them apart within the product, as the family spells it.
  public var detail: String
  /// Of the amount; nil where there is none.
  public var currency: CurrencyCode?

  public init(
    _ family: FactFamily, _ environment: StoreEnvironment, product: ProductID = ProductID(""),
    detail: String = "", currency: CurrencyCode? = nil
  ) {
    self.family = family
    self.environment = environment
    self.product = product
    self.detail = detail
    self.currency = currency
  }
}

/// How many, and how much in the currency of the class. Sums wrap around, so that what was added can be taken off again.
public struct FactSum: Hashable, Sendable {
  public var count: Int64
  public var micros: Int64

  public init(count: Int64 = 0, micros: Int64 = 0) {
    self.count = count
    self.micros = micros
  }

  public var isZero: Bool { count == 0 && micros == 0 }

  public static func += (left: inout FactSum, right: FactSum) {
    left.count &+= right.count
    left.micros &+= right.micros
  }

  public static prefix func - (sum: FactSum) -> FactSum {
    FactSum(count: 0 &- sum.count, micros: 0 &- sum.micros)
  }
}
