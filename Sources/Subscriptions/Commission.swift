/// Apple's share of a paid transaction (METRICS §5, Proceeds).
public enum Commission: Hashable, Sendable {
  case standard
  /// A year of paid service in the group precedes the transaction.
  case afterOneYear
  case smallBusiness

  init(isPastFirstYear: Bool, isSmallBusiness: Bool) {
    self = isPastFirstYear ? .afterOneYear : isSmallBusiness ? .smallBusiness : .standard
  }

  public var percent: Int { self == .standard ? 30 : 15 }

  /// Rounds half to even.
  func proceeds(of micros: Int64) -> Int64 {
    Int64(clamping: roundedHalfToEven(Int128(micros) * Int128(100 - percent), over: 100))
  }

  public func proceeds(of price: Money) -> Money {
    Money(micros: proceeds(of: price.single), currency: price.currency)
  }
}

/// Membership of apps in Apple's Small Business Program. It is configured, since no answer contains it.
public struct SmallBusinessProgram: Hashable, Sendable {
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
  /// Returns `nil` for a trial.
  public func commission(app: BundleID?, program: SmallBusinessProgram) -> Commission? {
    guard kind.isPaid else { return nil }
    return Commission(isPastFirstYear: isPastFirstYear, isSmallBusiness: program.contains(app, at: purchase))
  }
}

/// Paid service after which Apple's share is reduced.
private let firstYear = 365 * Milliseconds.day

extension Row {
  /// Up to an hour that daylight saving removed from a yearly period that ran to its end.
  fileprivate var lackingOfYear: Int64 {
    let lacking = firstYear - (expiresUnextended - purchase)
    return effectiveEnd >= expiresUnextended && lacking > 0 && lacking <= Milliseconds.hour ? lacking : 0
  }
}

extension [Row] {
  /// Sets for each row whether a year of paid, unrefunded service in its group precedes it. More than 60 days
  /// without service restart the count. Apple's extensions are service, but not paid. Rows must be in order.
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
        // Time that overlaps an earlier paid period counts once.
        let from = paidUntil.map { Swift.max($0, purchase) } ?? purchase
        let until = Swift.min(effectiveEnd, self[index].expiresUnextended)
        paid += Swift.max(0, until - from) + self[index].lackingOfYear
        paidUntil = Swift.max(from, until)
      }
      end = Swift.max(end ?? effectiveEnd, effectiveEnd)
    }
  }
}
