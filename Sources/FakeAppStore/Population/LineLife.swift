import Subscriptions

/// Generated history of a subscription line up to an instant: its rows, and its renewal info over time.
///
/// Periods are generated in order from the line's own random numbers, so a later `until` only adds periods.
struct LineLife: Sendable {
  let customer: Customer
  var random: SplitMix64
  private(set) var rows: [LifeRow] = []
  private(set) var spans: [RenewalSpan] = []
  /// Consecutive renewals; the sandbox stops after twelve.
  var renewals = 0

  /// Maximum number of rows, below the 512 ids of a line.
  private static let mostRows = 500

  init(of customer: Customer, until: Instant) {
    self.customer = customer
    random = SplitMix64(
      seed: customer.subscriber.seed, index: customer.subscriber.index, stream: UInt64(16 + customer.track))
    var next: Term? = customer.starts <= until ? opening() : nil
    while let term = next, term.visibleFrom <= until, rows.count < Self.mostRows {
      next = live(through: term)
    }
  }

  private mutating func live(through term: Term) -> Term? {
    let row = begin(term)
    let odds = Odds(of: term, customer: customer)
    if let turn = badRelease(in: term, row: row) { return turn }
    if customer.isFamilyMember, random.chance(0.05) { return sharingStops(in: term, row: row) }
    if random.chance(odds.isRestored) { restore(row: row, of: term) }
    if random.chance(odds.isRefundedLater) { refundLater(row: row, of: term) }
    if random.chance(odds.isRefunded) { return refund(row: row, in: term) }
    if random.chance(odds.movesUp), let next = moveUp(from: term, row: row) { return next }
    return ending(of: term, odds: odds)
  }

  mutating func begin(_ term: Term) -> Int {
    let row = addRow(for: term)
    show(renewing(term), from: term.visibleFrom)
    return row
  }

  mutating func addRow(for term: Term) -> Int {
    var transaction = Transaction(
      transactionID: customer.transactionID(rows.count),
      originalTransactionID: customer.originalTransactionID, productID: term.product.id,
      purchaseDate: term.purchase, expiresDate: term.expires)
    transaction.originalPurchaseDate = (rows.first?.transaction.purchaseDate ?? term.purchase) + 1000
    transaction.subscriptionGroupIdentifier = term.product.group
    transaction.inAppOwnershipType = customer.isFamilyMember ? .familyShared : .purchased
    transaction.appAccountToken = customer.subscriber.appAccountToken
    if !customer.isFamilyMember {
      transaction.webOrderLineItemID = customer.webOrderLineItemID(rows.count)
    }
    transaction.apply(term, code: random.next())
    if let offer = term.winBack {
      transaction.terms = SignedTerms(signedAt: term.visibleFrom)
      transaction.terms?.winBackOfferID = offer
    }
    rows.append(
      LifeRow(transaction: transaction, visibleFrom: term.visibleFrom, isRenewal: term.isRenewal))
    return rows.count - 1
  }

  func renewing(_ term: Term) -> RenewalInfo {
    var info = RenewalInfo()
    info.originalTransactionID = customer.originalTransactionID
    info.productID = term.product.id
    info.autoRenewProductID = term.product.id
    info.autoRenewStatus = true
    return info
  }

  mutating func show(_ info: RenewalInfo?, from: Instant) {
    spans.append(RenewalSpan(from: from, info: info))
  }

  @discardableResult
  mutating func show(
    _ info: RenewalInfo, from: Instant, _ change: (inout RenewalInfo) -> Void
  ) -> RenewalInfo {
    var info = info
    change(&info)
    show(info, from: from)
    return info
  }

  mutating func change(row: Int, _ body: (inout LifeRow) -> Void) { body(&rows[row]) }

  /// Adds the copy that a restore on another device creates, with another id and original purchase date.
  private mutating func restore(row: Int, of term: Term) {
    let at = term.instant(between: 0.1, and: 0.8, &random)
    var copy = rows[row].transaction
    copy.transactionID = customer.transactionID(rows.count)
    copy.originalPurchaseDate = at
    rows.append(
      LifeRow(
        transaction: copy, visibleFrom: max(at, term.visibleFrom), isRenewal: term.isRenewal, isRestored: true
      )
    )
  }
}

extension Transaction {
  fileprivate mutating func apply(_ term: Term, code: UInt64) {
    self.isTrialPeriod = term.isTrial
    self.offerCodeRefName = term.trialCode
    switch term.offer {
    case .intro: self.isInIntroOfferPeriod = true
    case .promo(let id): self.promotionalOfferID = id
    case .code(let name): self.offerCodeRefName = name
    case .standard, .trial: break
    }
    guard self.offerCodeRefName != nil else { return }
    var dice = SplitMix64(seed: code)
    self.promotionalOfferID = dice.uuid()
  }
}

extension LineLife {
  /// Apple's number for the status of a subscription: *App Store Server API › status*.
  enum Status: Int64, CaseIterable, Sendable {
    case active = 1
    case expired, billingRetry, grace, revoked
  }

  /// Returns the newest row, ignoring upgraded rows if there are other rows; `nil` before the first purchase.
  func current(at t: Instant) -> Transaction? { currentRow(at: t)?.transaction(at: t) }

  func currentRow(at t: Instant) -> LifeRow? {
    let seen = rows.compactMap { row in row.transaction(at: t).map { (row: row, transaction: $0) } }
    let standing = seen.filter { !$0.transaction.isUpgraded }
    return (standing.isEmpty ? seen : standing).max { left, right in
      let (a, b) = (left.transaction, right.transaction)
      return (a.expiresDate ?? a.purchaseDate, a.purchaseDate) < (
        b.expiresDate ?? b.purchaseDate, b.purchaseDate
      )
    }?.row
  }

  func status(at t: Instant) -> Status? {
    guard let current = current(at: t), let expires = current.expiresDate else { return nil }
    if current.cancellationDate != nil, !current.isUpgraded { return .revoked }
    if expires > t { return .active }
    guard let info = renewalInfo(at: t), info.isInBillingRetryPeriod == true else { return .expired }
    return info.gracePeriodExpiresDate.map { $0 > t } == true ? .grace : .billingRetry
  }

  /// Returns the start of service since the last gap of over 60 days; `nil` before the first purchase.
  func recentStart(at t: Instant) -> Instant? {
    let seen = rows.compactMap { $0.transaction(at: t) }.sorted(by: Transaction.inOrder)
    var (start, paidUntil): (Instant?, Instant) = (nil, .distantPast)
    for row in seen {
      if start == nil || row.purchaseDate > paidUntil + 60 * Milliseconds.day { start = row.purchaseDate }
      paidUntil = max(paidUntil, row.expiresDate ?? row.purchaseDate)
    }
    return start
  }

  mutating func opening() -> Term? {
    if customer.subscriber.isScripted, let stories = customer.stories { return scriptedLife(stories) }
    guard let product = firstProduct() else { return nil }
    let at = customer.starts
    if customer.tookCode { return customer.term(product, .trial, at: at, trialCode: Stories.campaignCode) }
    if customer.isFamilyMember || customer.isFounder { return customer.term(product, at: at) }
    if product.trial != nil, random.chance(trialShare) {
      let isFreeMonth = !product.codes.isEmpty && random.chance(0.06)
      return customer.term(product, .trial, at: at, trialCode: isFreeMonth ? product.codes.last : nil)
    }
    if product.introPeriod != nil, random.chance(0.45) { return customer.term(product, .intro, at: at) }
    if let code = random.pick(product.codes), random.chance(0.25) {
      return customer.term(product, .code(code), at: at)
    }
    return customer.term(product, at: at)
  }

  private var trialShare: Double {
    customer.subscriber.isNewcomer ? 0.95 : customer.stories == nil ? 0.55 : 0.8
  }

  private mutating func firstProduct() -> FakeProduct? {
    let products = FakeCatalog.products(in: customer.group)
    if customer.tookCode { return products.first { $0.id == Stories.campaignProduct } }
    if customer.isFounder { return products.first { $0.id == FakeCatalog.unpricedProduct } }
    if customer.isFamilyMember { return random.pick(products.filter(\.isFamilyShareable)) }
    if customer.prefersWeekly { return products.first { $0.period.unit == .week } }
    let offered = customer.subscriber.isNewcomer ? products.filter { $0.trial != nil } : products
    return random.pick(offered, weight: weight)
  }

  /// Weight of a plan in the random choice of the first plan.
  ///
  /// With stories, weekly plans weigh a third, because their many renewals make receipts long.
  private func weight(_ product: FakeProduct) -> Int {
    customer.stories != nil && product.period.unit == .week ? product.popularity / 3 : product.popularity
  }

  /// Draws the milliseconds until a customer comes back.
  mutating func absence() -> Int64 {
    random.chance(0.4)
      ? random.between(Milliseconds.day, 50 * Milliseconds.day)
      : random.between(50 * Milliseconds.day, 300 * Milliseconds.day)
  }

  /// Returns the first period after a comeback, perhaps of another plan; `nil` if the customer stays away.
  mutating func comeback(to product: FakeProduct, after end: Instant) -> Term? {
    renewals = 0
    if let turn = storyComeback(to: product, after: end) { return turn }
    guard random.chance(customer.isFamilyMember ? 0.2 : 0.75) else { return nil }
    let gap = absence()
    let at = (end + (customer.isSandbox ? gap / 20 : gap)).wholeSecond
    let products = FakeCatalog.products(in: customer.group)
    let isBackToOld = customer.isFamilyMember || customer.prefersWeekly || random.chance(0.6)
    let other = random.pick(products, weight: \.popularity) ?? product
    let chosen = isBackToOld ? product : other
    if let promotion = chosen.promotions.first, !customer.isFamilyMember, random.chance(0.4) {
      return customer.term(chosen, .promo(promotion), at: at)
    }
    if let code = random.pick(chosen.codes), random.chance(0.15) {
      return customer.term(chosen, .code(code), at: at)
    }
    return customer.term(chosen, at: at)
  }

  mutating func refund(row: Int, in term: Term) -> Term? {
    let soon = min(0.9, Double(20 * Milliseconds.day) / Double(term.length))
    let at = term.instant(between: 0.02, and: soon, &random)
    return refund(row: row, in: term, at: at, isAppIssue: random.chance(0.25))
  }

  mutating func refund(row: Int, in term: Term, at: Instant, isAppIssue: Bool) -> Term? {
    change(row: row) { $0.cancel(at: at, reason: isAppIssue ? "1" : "0") }
    return lapse(term, .customerCancelled, switchedOff: at)
  }

  mutating func refundLater(row: Int, of term: Term) {
    let at = (term.expires + random.between(Milliseconds.hour, 35 * Milliseconds.day)).wholeSecond
    let isAppIssue = random.chance(0.2)
    change(row: row) { $0.cancel(at: at, reason: isAppIssue ? "1" : "0") }
  }

  /// Revokes a family member's row when sharing stops, at an instant that is not a whole second.
  mutating func sharingStops(in term: Term, row: Int) -> Term? {
    let at = term.instant(between: 0.1, and: 0.9, &random) + random.between(1, 999)
    change(row: row) { $0.cancel(at: at, reason: "0") }
    return lapse(term, .customerCancelled, switchedOff: at)
  }

  /// Changes at once to a plan of `changes(atOnce:)`, if any; marks the old row or its renewal as upgraded.
  mutating func moveUp(from term: Term, row: Int) -> Term? {
    guard let target = random.pick(term.product.changes(atOnce: true), weight: \.popularity) else {
      return nil
    }
    if !term.isTrial, random.chance(0.12) { return moveUpWhileRenewing(from: term, to: target) }
    let at = term.instant(between: 0.03, and: 0.85, &random)
    mark(row: row, upgradedAt: at)
    renewals = 0
    return customer.term(target, at: at)
  }

  /// Changes the plan after the renewal was created; the renewal is marked as upgraded before it begins.
  private mutating func moveUpWhileRenewing(from term: Term, to target: FakeProduct) -> Term {
    let shown = term.renewalShown(&random)
    let row = addRow(for: customer.term(term.product, at: term.expires, shown: shown, isRenewal: true))
    let at = (shown + random.between(Milliseconds.second, max(Milliseconds.second, term.expires - shown)))
      .wholeSecond
    mark(row: row, upgradedAt: at)
    renewals = 0
    return customer.term(target, at: at)
  }

  /// Marks a row as upgraded; in production, two thirds also get a cancellation date, most within seconds.
  private mutating func mark(row: Int, upgradedAt at: Instant) {
    let isDated = random.chance(0.67) && !customer.isSandbox
    let delay = random.between(0, 6) * Milliseconds.second
    let isLate = random.chance(0.06)
    let late = random.between(8, 32) * Milliseconds.hour
    change(row: row) { row in
      row.transaction.isUpgraded = true
      row.upgradedFrom = at
      if isDated { row.cancel(at: at + (isLate ? late : delay), reason: "0") }
    }
  }
}

extension LifeRow {
  mutating func cancel(at instant: Instant, reason: String) {
    transaction.cancellationDate = instant
    transaction.cancellationReason = reason
    cancelledFrom = max(instant, visibleFrom)
  }
}
