/// Line of a chain, with its state at the report's instant.
public struct LineEntry: Hashable, Sendable, Encodable {
  @ExplicitNull public var subscriptionGroupId: SubscriptionGroupID? = nil
  public var state: LineState
  /// Number of the rule in METRICS §3.
  public var rule: Int
  public var why: String
  public var currentTransactionId: TransactionID
  public var accessUntilMs: Instant
  public var productId: ProductID
  @ExplicitNull public var autoRenew: Bool? = nil
  @ExplicitNull public var expirationIntent: String? = nil
  public var priceConsentPending: Bool
  public var changePending: Bool
  public var familyShared: Bool
  /// Whether the customer may take an introductory offer in the group (METRICS §5, Intro eligibility).
  public var introOfferEligible: Bool
  @ExplicitNull public var introOfferUsedBy: TransactionID? = nil
  @ExplicitNull public var nextRenewal: NextRenewalEntry? = nil
  public var transactions: [TransactionEntry]
  /// Chronological list without gaps; each entry has another state or transaction than the one before.
  public var positions: [PositionEntry]
  public var renewalInfos: [RenewalEntry]
  public var events: [LineEvent]
}

extension LineEntry {
  init?(_ line: Line, _ context: ChainContext, at t: Instant) {
    guard let verdict = line.verdict(at: t) else { return nil }
    let usedBy = context.introOfferUsedBy(line.id)
    let renewals = RenewalSnapshots.runs(of: line.renewals, confirmedAt: line.renewalsConfirmedAt).flatMap {
      run in
      run.elements.map { element in
        let observation = line.renewals[element.place]
        return RenewalEntry(
          observedAfterMs: observation.observedAfter, observedAtMs: observation.observedAt,
          lastObservedAtMs: run.through, info: observation.info)
      }
    }
    self.init(
      subscriptionGroupId: line.id.subscriptionGroupID, state: verdict.state, rule: verdict.state.rule,
      why: "\(verdict.state.rawValue): \(verdict.why)", currentTransactionId: verdict.current.id,
      accessUntilMs: verdict.accessUntil, productId: verdict.current.productID,
      autoRenew: verdict.autoRenew, expirationIntent: verdict.expirationIntent?.rawValue,
      priceConsentPending: verdict.priceConsentPending, changePending: verdict.changePending,
      familyShared: line.isFamilyShared, introOfferEligible: usedBy == nil, introOfferUsedBy: usedBy,
      nextRenewal: NextRenewalEntry(after: verdict.current, at: t),
      transactions: line.rows.map { TransactionEntry($0, of: line, context) },
      positions: PositionEntry.list(line), renewalInfos: renewals,
      events: line.events.filter { $0.effectiveAt <= t }.sorted(by: LineEvent.newestFirst))
  }
}

/// Interval in which a line has the same state and current transaction.
public struct PositionEntry: Hashable, Sendable, Encodable {
  public var fromMs: Instant
  /// First instant after the interval; `nil` if no end is known.
  @ExplicitNull public var untilMs: Instant?
  public var state: LineState
  public var transactionId: TransactionID

  fileprivate static func list(_ line: Line) -> [Self] {
    line.timeline.spans.reduce(into: []) { list, span in
      let until = span.until == .distantFuture ? nil : span.until
      let (state, id) = (span.position.state, line.rows[span.position.row].id)
      if let last = list.last, last.state == state, last.transactionId == id {
        list[list.count - 1].untilMs = until
      } else {
        list.append(Self(fromMs: span.from, untilMs: until, state: state, transactionId: id))
      }
    }
  }
}

/// Renewal info of the line (`pending_renewal_info`), with the interval in which Apple began to show it.
@dynamicMemberLookup public struct RenewalEntry: Hashable, Sendable, Encodable {
  public var observedAfterMs: Instant?
  public var observedAtMs: Instant
  /// Instant of the last validation that contained the info.
  public var lastObservedAtMs: Instant
  public var info: RenewalInfo

  public subscript<Value>(dynamicMember path: KeyPath<RenewalInfo, Value>) -> Value { info[keyPath: path] }

  public func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "observedAfterMs": observedAfterMs, "observedAtMs": observedAtMs, "lastObservedAtMs": lastObservedAtMs,
    ])
    try info.encode(to: encoder)
  }
}

/// Signed information about the renewal after the current row.
public struct NextRenewalEntry: Hashable, Sendable, Encodable {
  /// Product of the renewal, if Apple has already signed its transaction.
  @ExplicitNull public var productId: ProductID? = nil
  public var renewalDateMs: Instant
  public var signedAtMs: Instant
  @ExplicitNull public var priceMicros: Int64?
  @ExplicitNull public var currency: CurrencyCode?
  @ExplicitNull public var recentSubscriptionStartMs: Instant?
  public var eligibleWinBackOfferIds: [String]
  @ExplicitNull public var billingPlanType: String?
  @ExplicitNull public var commitment: CommitmentRenewal?
}

extension NextRenewalEntry {
  init?(after row: Row, at t: Instant) {
    let signed = row.signedRenewal.flatMap { $0.begins > t ? $0 : nil }
    let terms = row.renewalTerms
    guard let date = signed?.begins ?? terms?.renewalDate, let signedAt = signed?.signedAt ?? terms?.signedAt
    else { return nil }
    let price = signed?.price ?? terms?.price?.amount
    self.init(
      productId: signed?.productID, renewalDateMs: date, signedAtMs: signedAt, priceMicros: price?.single,
      currency: price?.currency, recentSubscriptionStartMs: terms?.recentSubscriptionStart,
      eligibleWinBackOfferIds: terms?.winBackOfferIDs ?? [], billingPlanType: terms?.billingPlan,
      commitment: terms?.commitment)
  }
}
