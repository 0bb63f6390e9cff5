/// One line of a chain, as judged at the report's instant.
public struct LineEntry: Hashable, Sendable, Encodable {
  @ExplicitNull public var subscriptionGroupId: SubscriptionGroupID? = nil
  public var state: LineState
  /// Number of the rule in METRICS §3 that decided the state.
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
  /// METRICS §5, Intro eligibility.
  public var introOfferEligible: Bool
  @ExplicitNull public var introOfferUsedBy: TransactionID? = nil
  @ExplicitNull public var nextRenewal: NextRenewalEntry? = nil
  public var transactions: [TransactionEntry]
  /// Positions (METRICS §3) in chronological order, without gaps. Adjacent positions differ.
  public var positions: [PositionEntry]
  public var renewalInfos: [RenewalEntry]
  public var events: [LineEvent]
}

extension LineEntry {
  init?(_ line: Line, _ context: ChainContext, at t: Instant) {
    guard let verdict = line.verdict(at: t) else { return nil }
    subscriptionGroupId = line.id.subscriptionGroupID
    state = verdict.state
    rule = verdict.state.rule
    why = "\(verdict.state.rawValue): \(verdict.why)"
    currentTransactionId = verdict.current.id
    accessUntilMs = verdict.accessUntil
    productId = verdict.current.productID
    autoRenew = verdict.autoRenew
    expirationIntent = verdict.expirationIntent?.rawValue
    priceConsentPending = verdict.priceConsentPending
    changePending = verdict.changePending
    familyShared = line.isFamilyShared
    let usedBy = context.introOfferUsedBy(line.id)
    introOfferUsedBy = usedBy
    introOfferEligible = usedBy == nil
    nextRenewal = NextRenewalEntry(after: verdict.current, at: t)
    transactions = line.rows.map { TransactionEntry($0, of: line, context) }
    positions = PositionEntry.list(line)
    renewalInfos = RenewalSnapshots.runs(of: line.renewals, confirmedAt: line.renewalsConfirmedAt)
      .flatMap { run in run.elements.map { RenewalEntry(line.renewals[$0.place], through: run.through) } }
    events = line.events.filter { $0.effectiveAt <= t }.sorted(by: LineEvent.newestFirst)
  }
}

/// Time during which a line stays in one state by one transaction.
public struct PositionEntry: Hashable, Sendable, Encodable {
  public var fromMs: Instant
  /// First instant after the position; `nil` if nothing known ends it.
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
