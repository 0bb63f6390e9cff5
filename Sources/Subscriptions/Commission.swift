/// Apple's share of a paid transaction: METRICS §5, Proceeds.
public enum Commission: Hashable, Sendable {
  case standard
  /// The line has a year of paid service in its group before the transaction.
  case afterOneYear
  /// The app was in the Small Business Program at the purchase.
  case smallBusiness

  init(isPastFirstYear: Bool, isSmallBusiness: Bool) {
    self = isPastFirstYear ? .afterOneYear : isSmallBusiness ? .smallBusiness : .standard
  }

  /// Whole percent of the price.
  public var percent: Int { self == .standard ? 30 : 15 }

  /// What is left of a price, before tax, halves to even.
  func proceeds(of micros: Int64) -> Int64 {
    Int64(clamping: roundedHalfToEven(Int128(micros) * Int128(100 - percent), over: 100))
  }

  /// The same.
  public func proceeds(of price: Money) -> Money {
    Money(micros: proceeds(of: price.single), currency: price.currency)
  }
}

/// When which apps were in Apple's Small Business Program. No answer says it, so it is configuration.
public struct SmallBusinessProgram: Hashable, Sendable {
  /// A stretch of membership; its end is the first instant after it.
  public struct Membership: Hashable, Sendable {
    public var from: Instant
    public var until: Instant

    public init(from: Instant = .distantPast, until: Instant = .distantFuture) {
      self.from = from
      self.until = until
    }

    public func contains(_ instant: Instant) -> Bool { instant >= from && instant < until }
  }

  public private(set) var memberships: [BundleID: [Membership]]

  public static let none = SmallBusinessProgram([:])

  public init(_ memberships: [BundleID: [Membership]]) { self.memberships = memberships }

  public func contains(_ app: BundleID?, at instant: Instant) -> Bool {
    guard let app else { return false }
    return memberships[app]?.contains { $0.contains(instant) } ?? false
  }
}

extension Row {
  /// Nil for a trial, of which Apple takes nothing.
  public func commission(app: BundleID?, program: SmallBusinessProgram) -> Commission? {
    guard kind.isPaid else { return nil }
    return Commission(isPastFirstYear: isPastFirstYear, isSmallBusiness: program.contains(app, at: purchase))
  }
}

/// How much paid service Apple asks for before its share sinks.
private let firstYear = 365 * Milliseconds.day

extension Row {
  /// What daylight saving took off a yearly period that ran to its end: METRICS §5, Proceeds.
  fileprivate var lackingOfYear: Int64 {
    let lacking = firstYear - (expiresUnextended - purchase)
    return effectiveEnd >= expiresUnextended && lacking > 0 && lacking <= Milliseconds.hour ? lacking : 0
  }
}

extension [Row] {
  /// Tells each of the rows, in order, whether a year of paid, unrefunded service lies before it in its group; more than 60
  /// days without service start it again. Days by which Apple extended a period are service, but not paid.
  mutating func countPaidService() {
    var paid: Int64 = 0
    var (end, paidUntil): (Instant?, Instant?)
    for index in indices {
      let (purchase, effectiveEnd, isPaid) = (
        self[index].purchase, self[index].effectiveEnd, self[index].kind.isPaid
      )
      if let end, purchase > end + 60 * Milliseconds.day { paid = 0 }
      self[index].isPastFirstYear = isPaid && paid >= firstYear
      if isPaid, !self[index].isRefund {
        // What overlaps an earlier paid period is not served twice.
        let from = paidUntil.map { Swift.max($0, purchase) } ?? purchase
        let until = Swift.min(effectiveEnd, self[index].expiresUnextended)
        paid += Swift.max(0, until - from) + self[index].lackingOfYear
        paidUntil = Swift.max(from, until)
      }
      end = Swift.max(end ?? effectiveEnd, effectiveEnd)
    }
  }
}
