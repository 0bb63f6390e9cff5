/// Instant at which a line was first paid, and the ages at which it was paid (METRICS §5, Cohorts).
public struct CohortLife: Hashable, Sendable {
  /// Interval in which a line is paid at one monthly price.
  public typealias Stretch = (
    from: Instant, until: Instant, currency: CurrencyCode?, monthlyMicros: Int64, converted: Converted
  )

  /// Age in calendar months at which a line is paid, with its monthly price.
  public struct Mark: Hashable, Sendable {
    public var months: Int
    public var currency: CurrencyCode?
    public var sum: RowSum
  }

  public var first: Instant
  public var marks: [Mark]

  /// Maximum age in months, needed because a line's last stretch may end at `distantFuture`.
  public static let mostMonths = 240

  public init?(_ stretches: [Stretch]) {
    guard let first = stretches.first?.from else { return nil }
    self.first = first
    marks = []
    var place = 0
    for months in 0...Self.mostMonths {
      let t = first.adding(months: months)
      while place < stretches.count, stretches[place].until <= t { place += 1 }
      guard place < stretches.count else { break }
      let stretch = stretches[place]
      guard stretch.from <= t else { continue }
      marks.append(
        Mark(
          months: months, currency: stretch.currency,
          sum: RowSum(rows: 1, micros: Int128(stretch.monthlyMicros), converted: stretch.converted)))
    }
  }
}

extension Instant {
  /// Returns the same day and time `months` later (UTC), or the last day of a month that lacks the day.
  public func adding(months: Int) -> Instant {
    Instant(startOf: civilDate.adding(months: months)) + millisecondOfDay
  }
}

extension Line {
  /// Returns what the line contributes to cohorts; `nil` if it was not paid by `t`, or is family-shared.
  func cohort(by t: Instant) -> (origin: CohortOrigin, life: CohortLife)? {
    let entries = entries(through: t)
    guard let origin = cohortOrigin(entries) else { return nil }
    let stretches = entries.filter { $0.position.kind.set == .paid }.map { entry -> CohortLife.Stretch in
      let position = entry.position
      return (
        entry.span.from, entry.span.until, position.kind.currency, position.monthlyMicros, position.converted
      )
    }
    return CohortLife(stretches).map { (origin, $0) }
  }

  public func cohortOrigin(_ entries: [SpanEntry]) -> CohortOrigin? {
    guard !isFamilyShared else { return nil }
    return entries.first { $0.position.kind.set == .paid }.map {
      CohortOrigin(rows[$0.span.position.row], of: self)
    }
  }
}

/// Attributes of a line's first paid row; questions can restrict cohorts by these attributes.
public struct CohortOrigin: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  public var storefront: StorefrontCode?
  public var kind: PeriodKind
  /// Identifier of the offer; `nil` if there is no offer, or it has no identifier.
  public var offer: String?

  public init(
    _ environment: StoreEnvironment, product: ProductID, storefront: StorefrontCode?, kind: PeriodKind,
    offer: String?
  ) {
    (self.environment, self.product, self.storefront) = (environment, product, storefront)
    (self.kind, self.offer) = (kind, offer)
  }

  init(_ row: Row, of line: Line) {
    self.init(
      line.id.environment, product: row.productID, storefront: row.storefront, kind: row.kind,
      offer: row.transaction.offerName)
  }
}
