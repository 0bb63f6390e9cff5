/// What lines, rows and events add to figures, as counts that are kept for each instant instead of counted anew.
///
/// A family is read as a whole: its members are counted at the same kind of instant, and a panel reads those that it needs.
public enum TallyFamily: Int, Hashable, Sendable, CaseIterable {
  /// Lines by the state that they are in. Added at its beginning and taken off at its end, so that the sum of everything up to
  /// an instant is what stands at that instant; `micros` is what the lines in it cost a month.
  case state = 1
  /// Lines with access whose receipt was validated in the 24 hours before: added and taken off likewise.
  case fresh
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
  /// Lines, when their last row ends if nothing else ends it; `micros` is what their renewal would cost.
  case end
  /// Lines in grace and in billing retry. They stand in a table of their own.
  case failing
  /// Turns of lines that were lost, when access ended.
  case loss
  /// Turns of periods that may yet be paid for, when they came due.
  case pending
  /// Lost lines that were active and paid at the start of a window that ends now (`Leaving`): added and
  /// taken off like states, or a window later.
  case leaving
  /// Users with a line in grace or in billing retry: added when their first one comes to be so, taken off when the last one
  /// ceases to.
  case holder
  /// Turns of lost lines with an irregular lag, from their anchor on until they come: added and taken off like states. A turn
  /// that is anchored in a window as long as its lag at least has come by the window's end if it is not among these.
  case lossToCome
  /// The same of periods that may yet be paid for.
  case pendingToCome
  /// Lines renewed ahead, when the period before the last ends; as `end` besides.
  case endAhead
}

/// Things that count alike.
public struct TallyKey: Hashable, Sendable {
  public var family: TallyFamily
  public var environment: StoreEnvironment
  public var product: ProductID
  /// What tells them apart within the product, as the family spells it.
  public var detail: String
  /// Of the amount; nil where there is none.
  public var currency: CurrencyCode?

  public init(
    _ family: TallyFamily, _ environment: StoreEnvironment, product: ProductID = ProductID(""),
    detail: String = "", currency: CurrencyCode? = nil
  ) {
    self.family = family
    self.environment = environment
    self.product = product
    self.detail = detail
    self.currency = currency
  }
}

/// How many, and how much in the key's currency. Sums wrap around, so that what was added can be taken off again.
public struct TallyValue: Hashable, Sendable {
  public var count: Int64
  public var micros: Int64

  public init(count: Int64 = 0, micros: Int64 = 0) {
    self.count = count
    self.micros = micros
  }

  public var isZero: Bool { count == 0 && micros == 0 }

  public static func + (left: Self, right: Self) -> Self {
    Self(count: left.count &+ right.count, micros: left.micros &+ right.micros)
  }

  public mutating func add(_ other: Self) { self = self + other }

  public static prefix func - (value: Self) -> Self {
    Self(count: 0 &- value.count, micros: 0 &- value.micros)
  }
}

/// Something that is counted at an instant.
public struct TallyMark: Hashable, Sendable {
  public var at: Instant
  public var key: TallyKey
  public var value: TallyValue

  public init(_ at: Instant, _ key: TallyKey, _ value: TallyValue = TallyValue(count: 1)) {
    self.at = at
    self.key = key
    self.value = value
  }
}
