import Subscriptions

/// Signed purchase with Apple's field names: *App Store Server API › JWSTransactionDecodedPayload*.
public struct SignedTransaction: SignedPayload, Encodable {
  package var transactionId: String
  package var originalTransactionId: String?
  package var webOrderLineItemId: String?
  package var bundleId: String?
  package var productId: String
  package var subscriptionGroupIdentifier: String?
  package var purchaseDate: Int64
  package var originalPurchaseDate: Int64?
  package var expiresDate: Int64?
  package var quantity: Int64?
  /// Product type; only the fake App Store uses this property and `storefrontId`.
  package var type: String?
  package var inAppOwnershipType: String?
  package var appAccountToken: String?
  package var signedDate: Int64?
  package var environment: String?
  package var revocationDate: Int64?
  package var revocationReason: Int64?
  package var revocationType: String?
  package var revocationPercentage: Int64?
  package var isUpgraded: Bool?
  package var offerType: Int64?
  package var offerIdentifier: String?
  package var offerDiscountType: String?
  package var offerPeriod: String?
  package var storefront: String?
  package var storefrontId: String?
  package var transactionReason: String?
  package var price: Int64?
  package var currency: String?
  package var appTransactionId: String?
  package var billingPlanType: String?
  package var commitmentInfo: CommitmentInfo?

  /// Commitment of a plan with monthly billing: *JWSTransactionDecodedPayload › commitmentInfo*.
  package struct CommitmentInfo: Codable, Sendable {
    let billingPeriodNumber: Int64?
    let totalBillingPeriods: Int64?
    let commitmentExpiresDate: Int64?
    let commitmentPrice: Int64?
  }

  package init(_ transactionId: String, productId: String, purchaseDate: Instant) {
    (self.transactionId, self.productId) = (transactionId, productId)
    self.purchaseDate = purchaseDate.rawValue
  }

  public var signedAt: Instant? { signedDate.map(Instant.init(milliseconds:)) }
  public var signedEnvironment: String? { environment.unlessEmpty }
  public var bundleID: BundleID? { bundleId.unlessEmpty.map(BundleID.init) }

  /// Returns the original transaction id without verifying the signature; `nil` if missing or not credible.
  public static func unverifiedID(in text: String) -> CustomerID? {
    struct Named: Decodable { var originalTransactionId: String? }
    guard let jws = CompactJWS(text),
      let id = CompactJWS.unverified(jws.payload, as: Named.self)?.originalTransactionId
        .map({ CustomerID($0) }),
      id.isCredible, id.rawValue.utf8.count <= FieldLimits.id
    else { return nil }
    return id
  }

  public func transaction() throws(SignedDataProblem) -> Transaction {
    try SignedLimits.check(self)
    guard !productId.isEmpty else { throw .unreadable("productId is empty") }
    var transaction = Transaction(
      transactionID: TransactionID(transactionId),
      originalTransactionID: OriginalTransactionID(originalTransactionId.unlessEmpty ?? transactionId),
      productID: ProductID(productId), purchaseDate: Instant(milliseconds: purchaseDate),
      expiresDate: expiresDate.map(Instant.init(milliseconds:)))
    transaction.webOrderLineItemID = webOrderLineItemId.unlessEmpty.map(WebOrderLineItemID.init)
    transaction.subscriptionGroupIdentifier = subscriptionGroupIdentifier.unlessEmpty.map(
      SubscriptionGroupID.init)
    transaction.quantity = quantity ?? 1
    transaction.originalPurchaseDate = originalPurchaseDate.map(Instant.init(milliseconds:))
    transaction.cancellationDate = revocationDate.map(Instant.init(milliseconds:))
    transaction.cancellationReason = revocationReason.map(String.init)
    transaction.isUpgraded = isUpgraded ?? false
    transaction.inAppOwnershipType = OwnershipType(inAppOwnershipType.unlessEmpty)
    transaction.appAccountToken = appAccountToken.unlessEmpty
    transaction.isTrialPeriod = isFree
    switch offerType {
    case 1: transaction.isInIntroOfferPeriod = !transaction.isTrialPeriod
    case 2: transaction.promotionalOfferID = offerIdentifier ?? ""
    case 3: transaction.offerCodeRefName = offerIdentifier ?? ""
    default: break
    }
    if let signedAt { transaction.terms = terms(signedAt: signedAt) }
    return transaction
  }

  /// Whether the transaction is a free trial.
  ///
  /// An offer without a discount type, as in data before October 2023, is a trial if its price is 0.
  private var isFree: Bool {
    if let discount = offerDiscountType.unlessEmpty { return discount == "FREE_TRIAL" }
    return offerType != nil && price == 0
  }

  private func terms(signedAt: Instant) -> SignedTerms {
    var terms = SignedTerms(signedAt: signedAt)
    if let price, let currency = currency.unlessEmpty {
      // Apple sends prices in thousandths of a unit.
      terms.pricedSince = signedAt
      (terms.price, terms.pricedAt) = (
        Money(micros: price * 1000, currency: CurrencyCode(currency)), signedAt
      )
    }
    terms.storefront = storefront.unlessEmpty.map(StorefrontCode.init(rawValue:))
    terms.reason = transactionReason.unlessEmpty
    terms.offerType = offerType
    terms.offerDiscountType = offerDiscountType.unlessEmpty
    terms.offerPeriod = offerPeriod.unlessEmpty
    if offerType == 4 { terms.winBackOfferID = offerIdentifier ?? "" }
    terms.billingPlan = billingPlanType.unlessEmpty
    terms.appTransactionID = appTransactionId.unlessEmpty
    terms.commitment = commitmentInfo.map { commitment in
      Commitment(
        signedAt: signedAt, billingPeriodNumber: commitment.billingPeriodNumber,
        totalBillingPeriods: commitment.totalBillingPeriods,
        expires: commitment.commitmentExpiresDate.map(Instant.init(milliseconds:)),
        priceMicros: commitment.commitmentPrice.map { $0 * 1000 })
    }
    if let revocationDate {
      terms.add(
        SignedTerms.Revocation(
          date: Instant(milliseconds: revocationDate), signedAt: signedAt, type: revocationType.unlessEmpty,
          percentage: revocationPercentage))
    }
    return terms
  }
}

extension String? {
  /// Text, or `nil` if it is empty, because an empty text counts as missing.
  var unlessEmpty: String? { self?.isEmpty == true ? nil : self }
}
