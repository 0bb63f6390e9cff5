/// Purchase or renewal: *App Store Receipts › responseBody.Latest_receipt_info*.
public struct Transaction: Hashable, Sendable {
  public var transactionID: TransactionID
  public var originalTransactionID: OriginalTransactionID
  public var webOrderLineItemID: WebOrderLineItemID?
  /// Start of the period, up to 24 h in the future for a renewal created ahead of time.
  public var purchaseDate: Instant
  /// Start of the chain, which on a restored row can be later than `purchaseDate`.
  public var originalPurchaseDate: Instant?
  /// End of the period; `nil` if the transaction is not auto-renewable.
  public var expiresDate: Instant?
  /// Date of a refund, revocation or upgrade; may be after `expiresDate`, and is unrelated to auto-renew.
  public var cancellationDate: Instant?
  public var appAccountToken: String?
  public var productID: ProductID
  public var subscriptionGroupIdentifier: SubscriptionGroupID?
  public var quantity: Int64 = 1
  /// "1" for a problem with the app, "0" for any other reason.
  public var cancellationReason: String?
  public var isTrialPeriod = false
  public var isInIntroOfferPeriod = false
  public var isUpgraded = false
  public var inAppOwnershipType: OwnershipType = .purchased
  public var promotionalOfferID: String?
  public var offerCodeRefName: String?
  /// Signed fields; `nil` if the transaction is known only from receipts.
  public var terms: SignedTerms?

  public init(
    transactionID: TransactionID, originalTransactionID: OriginalTransactionID, productID: ProductID,
    purchaseDate: Instant, expiresDate: Instant? = nil
  ) {
    (self.transactionID, self.originalTransactionID) = (transactionID, originalTransactionID)
    (self.purchaseDate, self.expiresDate) = (purchaseDate, expiresDate)
    self.productID = productID
  }

  /// Kind of the period (METRICS §2); `nil` for one-time purchases.
  public var kind: PeriodKind? {
    guard expiresDate != nil else { return nil }
    if self.isTrialPeriod { return .trial }
    if self.isInIntroOfferPeriod { return .intro }
    if self.offerCodeRefName != nil { return .code }
    if self.promotionalOfferID != nil { return .promo }
    return self.terms?.winBackOfferID != nil ? .winback : .standard
  }

  /// Canonical order of transactions (METRICS §1.2).
  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.purchaseDate != right.purchaseDate { return left.purchaseDate < right.purchaseDate }
    let (a, b) = (left.expiresDate ?? .distantPast, right.expiresDate ?? .distantPast)
    return a == b ? left.transactionID < right.transactionID : a < b
  }

  /// Returns a copy merged with `other`, which is the same transaction in another answer, or its duplicate
  /// with another id (METRICS §1.3).
  ///
  /// The greater or more specific value counts, so the order of calls does not matter. `ends` stays as it is.
  public func filled(from other: Transaction) -> Transaction {
    var sum = self
    sum.webOrderLineItemID = [webOrderLineItemID, other.webOrderLineItemID].compactMap(\.self).max()
    sum.productID = max(self.productID, other.productID)
    sum.subscriptionGroupIdentifier =
      [self.subscriptionGroupIdentifier, other.subscriptionGroupIdentifier].compactMap(\.self).max()
    sum.quantity = max(self.quantity, other.quantity)
    sum.purchaseDate = max(purchaseDate, other.purchaseDate)
    sum.originalPurchaseDate = [originalPurchaseDate, other.originalPurchaseDate].compactMap(\.self).max()
    sum.isTrialPeriod = self.isTrialPeriod || other.isTrialPeriod
    sum.isInIntroOfferPeriod = self.isInIntroOfferPeriod || other.isInIntroOfferPeriod
    sum.inAppOwnershipType =
      [self.inAppOwnershipType, other.inAppOwnershipType].min(by: OwnershipType.isMoreSpecific)
      ?? self.inAppOwnershipType
    sum.promotionalOfferID = [self.promotionalOfferID, other.promotionalOfferID].compactMap(\.self).max()
    sum.offerCodeRefName = [self.offerCodeRefName, other.offerCodeRefName].compactMap(\.self).max()
    sum.terms = self.terms.map { mine in other.terms.map(mine.adding) ?? mine } ?? other.terms
    sum.appAccountToken = [appAccountToken, other.appAccountToken].compactMap(\.self).max()
    return sum
  }

  var offerName: String? {
    let names = [self.offerCodeRefName, self.promotionalOfferID, self.terms?.winBackOfferID]
    return names.compactMap(\.self).first { !$0.isEmpty }
  }
}

/// Kind of a period by its offer (METRICS §2); an offer code takes precedence over a promotional id.
public enum PeriodKind: String, Hashable, Sendable, Codable, CaseIterable {
  case trial, intro, code, promo, winback, standard

  public var isPaid: Bool { self != .trial }

  public var words: String {
    switch self {
    case .trial: "trial"
    case .intro: "introductory price"
    case .code: "offer code"
    case .promo: "promotional offer"
    case .winback: "win-back offer"
    case .standard: "standard price"
    }
  }
}
