/// One purchase or renewal as Apple reports it, with Apple's names: *App Store Receipts › responseBody.Latest_receipt_info*.
public struct Transaction: Hashable, Sendable {
  public var transactionID: TransactionID
  public var originalTransactionID: OriginalTransactionID
  public var webOrderLineItemID: WebOrderLineItemID?
  public var productID: ProductID
  public var subscriptionGroupIdentifier: SubscriptionGroupID?
  public var quantity: Int64 = 1
  /// Start of the period. On a renewal created ahead of time it lies up to 24 h in the future.
  public var purchaseDate: Instant
  /// Start of the chain; on a restored row it can be later than `purchaseDate`.
  public var originalPurchaseDate: Instant?
  /// Absent on everything that is not auto-renewable.
  public var expiresDate: Instant?
  /// A refund, a revocation or an upgrade; never that the user switched off auto-renew. May come after `expiresDate`.
  public var cancellationDate: Instant?
  /// "1" a problem with the app, "0" any other reason.
  public var cancellationReason: String?
  public var isTrialPeriod = false
  public var isInIntroOfferPeriod = false
  public var isUpgraded = false
  public var inAppOwnershipType: OwnershipType = .purchased
  public var promotionalOfferID: String?
  public var offerCodeRefName: String?
  public var appAccountToken: String?
  /// What only signed data tells; nil where nothing but receipts told of the transaction.
  public var terms: SignedTerms?

  public init(
    transactionID: TransactionID, originalTransactionID: OriginalTransactionID, productID: ProductID,
    purchaseDate: Instant, expiresDate: Instant? = nil
  ) {
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
  }

  /// METRICS §2; nil for one-time purchases, which have no expiry.
  public var kind: PeriodKind? {
    guard expiresDate != nil else { return nil }
    if isTrialPeriod { return .trial }
    if isInIntroOfferPeriod { return .intro }
    if offerCodeRefName != nil { return .code }
    if promotionalOfferID != nil { return .promo }
    return terms?.winBackOfferID != nil ? .winback : .standard
  }

  /// METRICS §1.2: the order that rows are read in, whatever order they came in.
  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.purchaseDate != right.purchaseDate { return left.purchaseDate < right.purchaseDate }
    let (a, b) = (left.expiresDate ?? .distantPast, right.expiresDate ?? .distantPast)
    return a == b ? left.transactionID < right.transactionID : a < b
  }
}

/// What a period was sold as. First match wins: a code row often carries a promotional offer id as well.
public enum PeriodKind: String, Hashable, Sendable, Codable, CaseIterable {
  case trial, intro, code, promo, winback, standard

  /// Everything but a trial counts as paid.
  public var isPaid: Bool { self != .trial }
}
