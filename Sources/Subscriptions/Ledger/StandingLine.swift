/// Attributes of a span that determine its facts about access and renewals, in memory and in the store.
public struct StandingSpan: Hashable, Sendable {
  public var from: Instant
  public var until: Instant
  public var state: LineState
  public var product: ProductID
  public var purchase: Instant
  public var expires: Instant
  public var autoRenew: Bool?
  public var renewsAs: ProductID?
  public var signedCharge: Money?

  public init(
    from: Instant, until: Instant, state: LineState, product: ProductID, purchase: Instant, expires: Instant,
    autoRenew: Bool?, renewsAs: ProductID?, signedCharge: Money?
  ) {
    (self.from, self.until, self.state, self.product) = (from, until, state, product)
    (self.purchase, self.expires, self.autoRenew) = (purchase, expires, autoRenew)
    (self.renewsAs, self.signedCharge) = (renewsAs, signedCharge)
  }

  /// Returns two facts of the upcoming renewal for each horizon (METRICS §5, Due): the first adds the line
  /// once the period's end is within the horizon, the second subtracts it when the span or period ends.
  func due(_ environment: StoreEnvironment, _ catalog: Catalog) -> [Fact] {
    guard state.isRunning else { return [] }
    let isRenewing = autoRenew == true
    let charge = isRenewing ? charge(catalog) : nil
    return DueHorizon.allCases.flatMap { horizon -> [Fact] in
      let from = max(self.from, expires - horizon.milliseconds)
      let until = min(self.until, expires)
      guard from < until else { return [] }
      let kind = FactClass(
        .comingDue(horizon, isRenewing: isRenewing), environment, product: product,
        currency: charge?.currency)
      // The rate of the renewal is not known yet, so the rate of the current row's purchase is used.
      let converted = charge.map { catalog.conversion(of: $0.currency, at: purchase).of($0.micros) }
      let sum = FactSum(count: 1, micros: charge?.micros ?? 0, converted: converted ?? Converted())
      return [Fact(from, kind, sum), Fact(until, kind, -sum)]
    }
  }

  private func charge(_ catalog: Catalog) -> Money? {
    signedCharge ?? catalog.standardPrice(of: renewsAs ?? product, at: expires)
  }
}

/// Attributes of a line that determine its facts of freshness, family sharing and upcoming renewals.
public struct StandingLine: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var isFamilyShared: Bool
  public var spans: [StandingSpan]

  public init(environment: StoreEnvironment, isFamilyShared: Bool, spans: [StandingSpan]) {
    (self.environment, self.isFamilyShared, self.spans) = (environment, isFamilyShared, spans)
  }

  /// Reads the attributes of a line, with its span at `t` or, if `nil`, with all of its spans.
  public init(_ line: Line, at t: Instant? = nil) {
    self.init(
      environment: line.id.environment, isFamilyShared: line.isFamilyShared,
      spans: line.timeline.spans.filter { span in t.map { span.from <= $0 && $0 < span.until } ?? true }.map {
        span in
        let row = line.rows[span.position.row]
        let renewal = span.renewal.map { line.renewals[$0].info }
        return StandingSpan(
          from: span.from, until: span.until, state: span.position.state, product: row.productID,
          purchase: row.purchase, expires: row.expires, autoRenew: renewal?.autoRenewStatus,
          renewsAs: renewal?.autoRenewProductID, signedCharge: row.signedCharge)
      })
  }

  public func facts(validatedAt: Instant?, catalog: Catalog) -> [Fact] {
    guard let begun = spans.first?.from else { return [] }
    if isFamilyShared { return [Fact(begun, FactClass(.shared, environment))] }
    return (validatedAt.map(fresh) ?? []) + spans.flatMap { $0.due(environment, catalog) }
  }

  /// Returns facts that count the line while it has access, until 24 hours after its last validation.
  public func fresh(validatedAt: Instant) -> [Fact] {
    guard !isFamilyShared else { return [] }
    let kind = FactClass(.fresh, environment)
    let stale = validatedAt + Milliseconds.day
    var stretches: [Range<Instant>] = []
    for span in spans where span.state.hasAccess && span.from < stale {
      stretches.join(span.from..<span.until)
    }
    return stretches.flatMap { stretch in
      [
        Fact(stretch.lowerBound, kind), Fact(min(stretch.upperBound, stale), kind, FactSum(count: -1)),
      ]
    }
  }
}
