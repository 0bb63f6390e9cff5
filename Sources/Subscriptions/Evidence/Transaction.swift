/// Purchase or renewal: *App Store Receipts › responseBody.Latest_receipt_info*.
///
/// Fields that many transactions have in common share one reference, since reference counting was slow.
public struct Transaction: Hashable, Sendable {
  private struct Terms: Hashable, Sendable {
    var productID: ProductID
    var subscriptionGroupIdentifier: SubscriptionGroupID?
    var quantity: Int64 = 1
    var cancellationReason: String?
    var isTrialPeriod = false
    var isInIntroOfferPeriod = false
    var isUpgraded = false
    var inAppOwnershipType: OwnershipType = .purchased
    var promotionalOfferID: String?
    var offerCodeRefName: String?
    var signed: SignedTerms?
  }

  public var transactionID: TransactionID
  public var originalTransactionID: OriginalTransactionID
  public var webOrderLineItemID: WebOrderLineItemID?
  /// Start of the period, up to 24 h in the future for a renewal created ahead of time.
  public var purchaseDate: Instant
  /// Start of the chain. On a restored row it can be later than `purchaseDate`.
  public var originalPurchaseDate: Instant?
  /// `nil` if not auto-renewable.
  public var expiresDate: Instant?
  /// Date of a refund, revocation or upgrade, also after `expiresDate`. It is unrelated to auto-renew.
  public var cancellationDate: Instant?
  public var appAccountToken: String?
  private var common: SharedValue<Terms>

  public init(
    transactionID: TransactionID, originalTransactionID: OriginalTransactionID, productID: ProductID,
    purchaseDate: Instant, expiresDate: Instant? = nil
  ) {
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    common = SharedValue(Terms(productID: productID))
  }
}

extension Transaction {
  public var productID: ProductID {
    get { common.value.productID }
    set { common.value.productID = newValue }
  }
  public var subscriptionGroupIdentifier: SubscriptionGroupID? {
    get { common.value.subscriptionGroupIdentifier }
    set { common.value.subscriptionGroupIdentifier = newValue }
  }
  public var quantity: Int64 {
    get { common.value.quantity }
    set { common.value.quantity = newValue }
  }
  /// "1" a problem with the app, "0" any other reason.
  public var cancellationReason: String? {
    get { common.value.cancellationReason }
    set { common.value.cancellationReason = newValue }
  }
  public var isTrialPeriod: Bool {
    get { common.value.isTrialPeriod }
    set { common.value.isTrialPeriod = newValue }
  }
  public var isInIntroOfferPeriod: Bool {
    get { common.value.isInIntroOfferPeriod }
    set { common.value.isInIntroOfferPeriod = newValue }
  }
  public var isUpgraded: Bool {
    get { common.value.isUpgraded }
    set { common.value.isUpgraded = newValue }
  }
  public var inAppOwnershipType: OwnershipType {
    get { common.value.inAppOwnershipType }
    set { common.value.inAppOwnershipType = newValue }
  }
  public var promotionalOfferID: String? {
    get { common.value.promotionalOfferID }
    set { common.value.promotionalOfferID = newValue }
  }
  public var offerCodeRefName: String? {
    get { common.value.offerCodeRefName }
    set { common.value.offerCodeRefName = newValue }
  }
  /// `nil` if the transaction is only in receipts.
  public var terms: SignedTerms? {
    get { common.value.signed }
    set { common.value.signed = newValue }
  }

  /// METRICS §2; `nil` for one-time purchases.
  public var kind: PeriodKind? {
    guard expiresDate != nil else { return nil }
    if isTrialPeriod { return .trial }
    if isInIntroOfferPeriod { return .intro }
    if offerCodeRefName != nil { return .code }
    if promotionalOfferID != nil { return .promo }
    return terms?.winBackOfferID != nil ? .winback : .standard
  }

  /// METRICS §1.2.
  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.purchaseDate != right.purchaseDate { return left.purchaseDate < right.purchaseDate }
    let (a, b) = (left.expiresDate ?? .distantPast, right.expiresDate ?? .distantPast)
    return a == b ? left.transactionID < right.transactionID : a < b
  }
}

extension Transaction {
  /// Adds missing fields from another sighting or another id of the purchase, except its end. The order does
  /// not matter. Apple does not change these fields, but older answers lack some.
  public func filled(from other: Transaction) -> Transaction {
    var sum = self
    sum.webOrderLineItemID = [webOrderLineItemID, other.webOrderLineItemID].compactMap(\.self).max()
    sum.productID = max(productID, other.productID)
    sum.subscriptionGroupIdentifier =
      [subscriptionGroupIdentifier, other.subscriptionGroupIdentifier].compactMap(\.self).max()
    sum.quantity = max(quantity, other.quantity)
    sum.purchaseDate = max(purchaseDate, other.purchaseDate)
    sum.originalPurchaseDate = [originalPurchaseDate, other.originalPurchaseDate].compactMap(\.self).max()
    sum.isTrialPeriod = isTrialPeriod || other.isTrialPeriod
    sum.isInIntroOfferPeriod = isInIntroOfferPeriod || other.isInIntroOfferPeriod
    sum.inAppOwnershipType =
      [inAppOwnershipType, other.inAppOwnershipType].min(by: OwnershipType.tellsMore)
      ?? inAppOwnershipType
    sum.promotionalOfferID = [promotionalOfferID, other.promotionalOfferID].compactMap(\.self).max()
    sum.offerCodeRefName = [offerCodeRefName, other.offerCodeRefName].compactMap(\.self).max()
    sum.terms = terms.map { mine in other.terms.map(mine.adding) ?? mine } ?? other.terms
    sum.appAccountToken = [appAccountToken, other.appAccountToken].compactMap(\.self).max()
    return sum
  }
}

extension OwnershipType {
  /// Prefers other values, since an answer without the field also means purchased.
  fileprivate static func tellsMore(_ left: Self, _ right: Self) -> Bool {
    (left == .purchased ? 1 : 0, left.rawValue) < (right == .purchased ? 1 : 0, right.rawValue)
  }
}

/// Offer of a period. First match wins, since a code row often carries a promotional offer id too.
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

/// Large value that many instances share, with copy on write.
struct SharedValue<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }

  func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
