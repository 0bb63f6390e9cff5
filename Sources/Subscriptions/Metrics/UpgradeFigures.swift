/// METRICS §5: changes of product, and what Apple gave back for the unused part of replaced periods.
public struct UpgradeFigures: Hashable, Sendable, Encodable {
  /// Rows upgraded away in the window, by direction.
  public struct Immediate: Hashable, Sendable, Encodable {
    public var upgrade = 0
    public var crossgrade = 0
    public var unranked = 0
    public var total: Int { upgrade + crossgrade + unranked }
    public init() {}
  }

  /// Changes that took effect at a renewal in the window.
  public struct AtRenewal: Hashable, Sendable, Encodable {
    public var downgrade = 0
    public var crossgrade = 0
    public var unranked = 0
    public init() {}

  }

  public struct Entry: Hashable, Sendable, Encodable {
    public var originalTransactionId: OriginalTransactionID
    public var transactionId: TransactionID
    public var fromProductId: ProductID
    @ExplicitNull public var toProductId: ProductID?
    public var kind: ChangeDirection
    public var upgradedAtMs: Instant
    /// True where Apple gave the date; otherwise it is the successor's.
    public var confirmed: Bool
    @ExplicitNull public var priceMicros: Int64?
    @ExplicitNull public var currency: CurrencyCode?
    @ExplicitNull public var proratedRefundMicros: Int64?
    @ExplicitNull public var storefront: StorefrontCode?

    public init(
      originalTransactionId: OriginalTransactionID, transactionId: TransactionID, fromProductId: ProductID,
      toProductId: ProductID?, kind: ChangeDirection, upgradedAtMs: Instant, confirmed: Bool, price: Money?,
      proratedRefundMicros: Int64?, storefront: StorefrontCode? = nil
    ) {
      self.storefront = storefront
      self.originalTransactionId = originalTransactionId
      self.transactionId = transactionId
      self.fromProductId = fromProductId
      self.toProductId = toProductId
      self.kind = kind
      self.upgradedAtMs = upgradedAtMs
      self.confirmed = confirmed
      priceMicros = price?.single
      currency = price?.currency
      self.proratedRefundMicros = proratedRefundMicros
    }
  }

  public var immediate = Immediate()
  public var confirmed = 0
  public var estimated = 0
  /// In micros for each currency.
  public var proratedRefund = Amounts()
  /// Upgraded rows without a price, which add nothing.
  public var unpriced = 0
  /// Rows upgraded away, bought in the window, that nothing dates.
  public var undated = 0
  public var atRenewal = AtRenewal()
  /// Lines that will change product at their next renewal.
  public var pending = 0
  /// The newest upgrade first.
  public var rows: [Entry] = []

  public init() {}
}

extension UpgradeFigures {
  static func inOrder(_ left: Entry, _ right: Entry) -> Bool {
    left.upgradedAtMs == right.upgradedAtMs
      ? left.transactionId < right.transactionId : left.upgradedAtMs > right.upgradedAtMs
  }
}
