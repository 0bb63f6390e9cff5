/// METRICS §5, Cohorts: when a line was first paid, and at which of the months after that it was.
public struct CohortLife: Hashable, Sendable {
  /// A stretch of time in which a line is paid at one price.
  public struct Stretch: Sendable {
    public var from: Instant
    /// The first instant after it.
    public var until: Instant
    /// Nil where there is no price.
    public var currency: CurrencyCode?
    public var monthlyMicros: Int64
    public var converted: Converted

    public init(
      from: Instant, until: Instant, currency: CurrencyCode?, monthlyMicros: Int64, converted: Converted
    ) {
      self.from = from
      self.until = until
      self.currency = currency
      self.monthlyMicros = monthlyMicros
      self.converted = converted
    }
  }

  /// That the line is paid so many calendar months after it first was.
  public struct Mark: Hashable, Sendable {
    public var months: Int
    /// Of the sum.
    public var currency: CurrencyCode?
    public var sum: Balance
  }

  public var first: Instant
  /// In order; that of 0 months first.
  public var marks: [Mark]

  /// Further than the App Store's subscriptions go back: a period that ends at the end of time has no more marks.
  public static let mostMonths = 240

  /// - Parameter stretches: all of the line, in order. Nil where there is none.
  public init?(_ stretches: [Stretch]) {
    guard let first = stretches.first?.from else { return nil }
    self.first = first
    marks = []
    let (date, time) = (first.civilDate, first.millisecondOfDay)
    var place = 0
    for months in 0...Self.mostMonths {
      let t = Instant(startOf: date.adding(months: months)) + time
      while place < stretches.count, stretches[place].until <= t { place += 1 }
      guard place < stretches.count else { break }
      let stretch = stretches[place]
      guard stretch.from <= t else { continue }
      marks.append(
        Mark(
          months: months, currency: stretch.currency,
          sum: Balance(lines: 1, monthlyMicros: Int128(stretch.monthlyMicros), converted: stretch.converted)))
    }
  }
}

extension Instant {
  /// The same day and time so many calendar months later, UTC, the day clamped to the month's last.
  public func adding(months: Int) -> Instant {
    Instant(startOf: civilDate.adding(months: months)) + millisecondOfDay
  }
}

extension Line {
  /// Nil where the line was not paid by an instant, and of family-shared lines: those are counted beside, never inside.
  func cohort(by t: Instant) -> (origin: CohortOrigin, life: CohortLife)? {
    let entries = entries(through: t)
    guard let origin = cohortOrigin(entries) else { return nil }
    let stretches = entries.filter { $0.position.kind.set == .paid }.map { entry in
      CohortLife.Stretch(
        from: entry.span.from, until: entry.span.until, currency: entry.position.kind.currency,
        monthlyMicros: entry.position.monthlyMicros, converted: entry.position.converted)
    }
    return CohortLife(stretches).map { (origin, $0) }
  }

  /// - Parameter entries: the line's spans, from its beginning on.
  public func cohortOrigin(_ entries: [SpanEntry]) -> CohortOrigin? {
    guard !isFamilyShared else { return nil }
    return entries.first { $0.position.kind.set == .paid }.map {
      CohortOrigin(rows[$0.span.position.row], of: self)
    }
  }
}
