/// One purchase or renewal as Apple reports it, with Apple's names: *App Store Receipts › responseBody.Latest_receipt_info*.
///
/// What a great many have in common stands apart, so that a copy counts one reference: a quarter of the time in which lines were derived
/// went into counting one for each text.
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
  /// Start of the period. On a renewal created ahead of time it lies up to 24 h in the future.
  public var purchaseDate: Instant
  /// Start of the chain; on a restored row it can be later than `purchaseDate`.
  public var originalPurchaseDate: Instant?
  /// Absent on everything that is not auto-renewable.
  public var expiresDate: Instant?
  /// A refund, a revocation or an upgrade; never that the user switched off auto-renew. May come after `expiresDate`.
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
  /// What only signed data tells; nil where nothing but receipts told of the transaction.
  public var terms: SignedTerms? {
    get { common.value.signed }
    set { common.value.signed = newValue }
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

extension Transaction {
  /// This transaction with what another sighting of it says, or another id of its purchase, apart from its end: the same, whichever came
  /// first. Apple does not change these fields; older answers lack some of them.
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
  /// Purchased is also what an answer without the field comes to.
  fileprivate static func tellsMore(_ left: Self, _ right: Self) -> Bool {
    (left == .purchased ? 1 : 0, left.rawValue) < (right == .purchased ? 1 : 0, right.rawValue)
  }
}

/// What a period was sold as. First match wins: a code row often carries a promotional offer id as well.
public enum PeriodKind: String, Hashable, Sendable, Codable, CaseIterable {
  case trial, intro, code, promo, winback, standard

  /// Everything but a trial counts as paid.
  public var isPaid: Bool { self != .trial }

  /// For people.
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

/// A large value that many hold alike: a reference to it, copied when one of them changes it.
struct SharedValue<Value: Hashable & Sendable>: Hashable, Sendable {
  // Written only where nobody else refers to it.
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
