import Subscriptions

/// The life of one subscription line up to an instant: what its rows become, and what its renewal info says when.
///
/// Periods are drawn one after the other from the line's own dice, each whole before the next, so that asking up to a later
/// instant gives the same beginning.
struct LineLife: Sendable {
  let customer: Customer
  var random: SplitMix64
  private(set) var rows: [LifeRow] = []
  private(set) var spans: [RenewalSpan] = []
  /// Renewals in a row, which the sandbox stops after twelve.
  var renewals = 0

  /// More rows than any receipt that we know of; ids have room for as many.
  private static let mostRows = 500

  init(of customer: Customer, until: Instant) {
    self.customer = customer
    random = SplitMix64(seed: customer.seed, index: customer.index, stream: UInt64(16 + customer.track))
    var next: Term? = customer.starts <= until ? opening() : nil
    while let term = next, term.visibleFrom <= until, rows.count < Self.mostRows {
      next = live(through: term)
    }
  }

  /// Everything that befalls one period; gives the next one.
  private mutating func live(through term: Term) -> Term? {
    let row = begin(term)
    let odds = Odds(of: term, customer: customer)
    if let turn = badRelease(in: term, row: row) { return turn.next }
    if customer.isFamilyMember, random.chance(0.05) { return sharingStops(in: term, row: row) }
    if random.chance(odds.isRestored) { restore(row: row, of: term) }
    if random.chance(odds.isRefundedLater) { refundLater(row: row, of: term) }
    if random.chance(odds.isRefunded) { return refund(row: row, in: term) }
    if random.chance(odds.movesUp), let next = moveUp(from: term, row: row) { return next }
    return ending(of: term, odds: odds)
  }

  /// Adds the row, and the clean renewal info that comes with it.
  mutating func begin(_ term: Term) -> Int {
    let row = addRow(for: term)
    say(renewing(term), from: term.visibleFrom)
    return row
  }

  /// Gives the row's place in `rows`.
  mutating func addRow(for term: Term) -> Int {
    var transaction = Transaction(
      transactionID: customer.transactionID(rows.count),
      originalTransactionID: customer.originalTransactionID, productID: term.product.id,
      purchaseDate: term.purchase, expiresDate: term.expires)
    transaction.originalPurchaseDate = (rows.first?.transaction.purchaseDate ?? term.purchase) + 1000
    transaction.subscriptionGroupIdentifier = term.product.group
    transaction.inAppOwnershipType = customer.ownership
    transaction.appAccountToken = customer.appAccountToken
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

  /// What is said while all is well.
  func renewing(_ term: Term) -> RenewalInfo {
    var info = RenewalInfo()
    info.originalTransactionID = customer.originalTransactionID
    info.productID = term.product.id
    info.autoRenewProductID = term.product.id
    info.autoRenewStatus = true
    return info
  }

  mutating func say(_ info: RenewalInfo?, from: Instant) {
    spans.append(RenewalSpan(from: from, info: info))
  }

  mutating func change(row: Int, _ body: (inout LifeRow) -> Void) {
    body(&rows[row])
  }

  /// Another device restores the purchase: the same billing event under another id, with a later original purchase date.
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
    isTrialPeriod = term.isTrial
    offerCodeRefName = term.trialCode
    switch term.offer {
    case .intro: isInIntroOfferPeriod = true
    case .promo(let id): promotionalOfferID = id
    case .code(let name): offerCodeRefName = name
    case .standard, .trial: break
    }
    guard offerCodeRefName != nil else { return }
    var dice = SplitMix64(seed: code)
    promotionalOfferID = dice.uuid()
  }
}
