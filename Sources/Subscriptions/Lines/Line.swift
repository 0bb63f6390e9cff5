/// Identifier of a line: chain, subscription group, environment and ownership.
public struct LineID: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Group of the line; `nil` if neither Apple nor the catalog names one.
  public var subscriptionGroupID: SubscriptionGroupID?
  public var isFamilyShared: Bool

  var sortKey: (String, Int) { (subscriptionGroupID?.rawValue ?? "", isFamilyShared ? 1 : 0) }
}

/// Subscription: the distinct rows of a chain within one subscription group, in the order of METRICS §1.2.
public struct Line: Hashable, Sendable {
  public var id: LineID
  public var rows: [Row]
  /// Renewal infos of the chain, with an entry for each change, oldest first.
  public var renewals: [RenewalObservation]
  public var users: Set<AppUserID>
  /// Apple's time of the last answer that covered the line.
  public var validatedAt: Instant?
  public var goneAt: Instant?
  public var renewalsConfirmedAt: Instant?
  public var bundleID: BundleID?
  public var notifications: [ServerNotification] = []
  public var validations: [Instant] = []
  public var renewalValidations: [Instant] = []
  public var foreignProducts: Set<ProductID> = []
  /// Positions over time, derived from the rows, renewal infos, validations and notifications.
  public internal(set) var timeline = Timeline()

  public var isFamilyShared: Bool { id.isFamilyShared }

  /// Time of status 21010, account gone (METRICS §1.6); `nil` without it, or if a later answer had data.
  var lastWord: Instant? { goneAt.flatMap { gone in validatedAt.map { $0 < gone } ?? true ? gone : nil } }

  /// Keys of the distinct users (METRICS §2): the app's user ids, or the chain if the app sent none.
  public var userKeys: Set<String> {
    users.isEmpty ? ["chain \(id.environment) \(id.originalTransactionID)"] : Set(users.map(Self.key))
  }

  private static func key(of user: AppUserID) -> String { "user \(user)" }

  public var userNumber: Int64? { userKeys.count == 1 ? userKeys.first.map(Self.number) : nil }

  public static func userNumber(of user: AppUserID) -> Int64 { number(of: key(of: user)) }

  private static func number(of key: String) -> Int64 {
    var hash = StableHash()
    hash.add(key)
    return Int64(truncatingIfNeeded: hash.value ^ (hash.value >> 64))
  }

  public func episodes(_ catalog: Catalog) -> [Episode] {
    FactFamily.ofEpisodes.flatMap { episodes($0, catalog) }
  }

  public func episodes(_ family: FactFamily, _ catalog: Catalog) -> [Episode] {
    switch family {
    case .retry: retries
    case .offer: offerUses(catalog)
    case .optOut: optOuts
    case .endingSoon: endingSoon
    case .consent: consents
    case .pendingConsent: pendingConsents
    default: []
    }
  }

  /// Episodes of billing retry, also after trials; `next` is the first later instant in Paid (METRICS §5).
  public var retries: [Episode] {
    let spans = timeline.spans
    guard !isFamilyShared, spans.contains(where: { $0.position.state == .billingRetry }) else { return [] }
    var episodes: [Episode] = []
    for place in spans.indices where spans[place].position.state == .billingRetry {
      let before = place > 0 ? spans[place - 1].position.state : nil
      if before == .billingRetry { continue }
      let end = spans[place...].first { $0.position.state != .billingRetry }?.from ?? .distantFuture
      let paid = spans[place...].first { $0.position.state.set(of: rows[$0.position.row].kind) == .paid }?
        .from
      let position = classified(spans[place])
      let kind = FactKind.Retry(
        isTrial: position.kind.kind == .trial, hadGrace: before == .grace,
        back: FactKind.Retry.Back(after: paid.map { $0 - spans[place].from }))
      episodes.append(
        Episode(
          kind: position.kind.fact(.retry(kind)), from: spans[place].from, lasting: [spans[place].from..<end],
          next: paid, row: spans[place].position.row, micros: position.monthlyMicros,
          converted: position.converted))
    }
    return episodes
  }

  /// Returns the fields that decided the state (METRICS §3), as text.
  func why(_ span: Span, at t: Instant) -> String {
    let row = rows[span.position.row]
    let expired = "expired \(Milliseconds.ago(t - row.expires))"
    switch span.position.state {
    case .trial, .active:
      return FigureReason.running(span.position.state, row.kind, expires: row.expires, at: t)
    case .overdue:
      let seen =
        validatedAt.map { "last validated \(Milliseconds.ago(t - $0)), before that expiry" }
        ?? "never validated"
      return "\(expired), \(seen)"
    case .unattributed: return "\(expired), and not validated before it came back"
    case .grace: return "grace_period_expires_date in \(Milliseconds.text(span.accessEnd - t)), \(expired)"
    case .billingRetry:
      let left = Milliseconds.text(row.expires + billingRetryMilliseconds - t)
      return "is_in_billing_retry_period = 1, \(expired), \(left) of 60 left"
    case .revoked: return why(revokedBy: row, at: t)
    case .expired: return "\(why(expired: row, span, at: t))\(gone(at: t))"
    }
  }

  private func why(revokedBy row: Row, at t: Instant) -> String {
    let cancelled = "cancellation_date \(Milliseconds.ago(t - (row.refundedAt ?? row.expires)))"
    let reason = row.transaction.cancellationReason ?? "none"
    let rest =
      rows.contains { $0.isLive(at: t) }
      ? "reaching beyond the current row: its expires_date is \(row.expires.minuteText) UTC" : "no live row"
    return "transaction \(row.id) \(cancelled), cancellation_reason = \(reason), \(rest)"
  }

  private func why(expired row: Row, _ span: Span, at t: Instant) -> String {
    guard row.isLive(at: t) else { return "every row was upgraded away" }
    let renewal = span.renewal.map { renewals[$0].info }
    let intent = span.position.reason?.intent.map { intent in
      renewal?.expirationIntent == intent
        ? "expiration_intent = \(intent.rawValue) (\(intent.name))"
        : "notified as \(LossReason.intent(intent).eventNames.apple) (\(intent.name))"
    }
    let isStale = renewal?.isInBillingRetryPeriod == true && t >= row.expires + billingRetryMilliseconds
    let retry = isStale ? ", is_in_billing_retry_period = 1 is older than Apple's 60 days" : ""
    return
      "expired \(Milliseconds.ago(t - row.expires)), \(intent ?? "no expiration_intent: reason unknown")\(retry)"
  }

  private func gone(at t: Instant) -> String {
    lastWord.map { "; status 21010 \(Milliseconds.ago(t - $0)): the account is gone" } ?? ""
  }

  public var events: [LineEvent] {
    let evidence = EvidenceTimes(self)
    let derived = rowEvents + renewalEvents + gracePeriodEvents(evidence)
    return naming(changesIn: derived, evidence).merged(with: notifications, row: row(of:)) {
      LineEvent($0, of: self)
    }.located(by: rows.map(\.transaction))
  }

  var chain: OriginalTransactionID { id.originalTransactionID }

  func event(
    _ type: LineEvent.Kind, _ apple: String, reason: String? = nil, row: Row, product: ProductID? = nil,
    newProduct: ProductID? = nil, effectiveAt: Instant, observedAt: Instant? = nil,
    observedAfter: Instant? = nil
  ) -> LineEvent {
    var event = LineEvent(
      type, apple: apple, reason: reason, environment: id.environment, chain: chain, transaction: row.id,
      product: product ?? row.productID, newProduct: newProduct, effectiveAt: effectiveAt,
      observedAt: observedAt ?? row.sighting?.first ?? validatedAt ?? effectiveAt,
      observedAfter: observedAfter)
    event.isFamilyShare = isFamilyShared
    event.periodType = row.kind.periodType
    event.move(row.price?.amount, row.transaction.terms)
    return event
  }

  /// Returns the uses of offers (METRICS §5, Offers).
  ///
  /// A use lasts while its row is current and the line has access; `next` is the next paid row's purchase.
  func offerUses(_ catalog: Catalog) -> [Episode] {
    guard !isFamilyShared, rows.contains(where: { $0.kind != .standard }) else { return [] }
    let lasting = running
    let prices = LinePrices(rows)
    var episodes: [Episode] = []
    var (next, later): (Row?, Row?) = (nil, nil)
    for place in rows.indices.reversed() {
      let row = rows[place]
      if let last = later, last.purchase > row.purchase { next = last }
      if row.kind.isPaid { later = row }
      guard row.kind != .standard else { continue }
      let cost = row.cost(catalog)
      let bought = prices.after(row)
      let use = FactKind.OfferUse(
        kind: row.kind, offer: row.transaction.offerName,
        next: next.map { $0.kind == .standard ? .standard : .offer } ?? .none,
        isUnpriced: cost == nil || bought.all.unpriced > 0)
      episodes.append(
        Episode(
          kind: FactClass(
            .offer(use), id.environment, product: row.productID, currency: cost?.currency,
            storefront: row.storefront),
          from: row.purchase, lasting: lasting[place] ?? [], next: next?.purchase, row: place,
          micros: cost?.single, converted: cost.map { row.conversion.of($0.micros) } ?? Converted(),
          later: bought))
    }
    return episodes.reversed()
  }

  private var running: [Int: [Range<Instant>]] {
    var running: [Int: [Range<Instant>]] = [:]
    for span in timeline.spans where span.position.state.hasAccess {
      running[span.position.row, default: []].join(span.stretch)
    }
    return running
  }

  func wasValidated(in range: Range<Instant>) -> Bool {
    validations.lastPlace { $0 < range.upperBound }.map { validations[$0] >= range.lowerBound } ?? false
  }
}

extension PositionClass {
  /// Returns the class of a fact whose amount is the position's monthly price.
  func fact(_ kind: FactKind) -> FactClass {
    FactClass(
      kind, self.environment, product: self.product, currency: self.currency, storefront: self.storefront)
  }
}

extension FactKind.Retry.Back {
  init(after milliseconds: Int64?) {
    guard let milliseconds else {
      self = .never
      return
    }
    let days = Recovery.days.first { milliseconds <= Int64($0) * Milliseconds.day }
    self = days.map { .within(days: $0) } ?? .later
  }
}

extension [LineEvent] {
  func located(by transactions: [Transaction]) -> [LineEvent] {
    let known = transactions.compactMap { row in row.terms?.storefront.map { (row.transactionID, $0) } }
    guard !known.isEmpty else { return self }
    let storefronts = Dictionary(known, uniquingKeysWith: { first, _ in first })
    return map { event in
      var event = event
      event.storefront = event.transactionID.flatMap { storefronts[$0] }
      return event
    }
  }
}

extension PeriodKind {
  /// `period_type` of RevenueCat's webhooks.
  var periodType: String {
    switch self {
    case .trial: "TRIAL"
    case .intro: "INTRO"
    case .code, .promo, .winback: "PROMOTIONAL"
    case .standard: "NORMAL"
    }
  }
}
