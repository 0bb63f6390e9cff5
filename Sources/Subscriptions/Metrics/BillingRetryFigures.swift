/// METRICS §4: lines that Apple still tries to bill, with what is at risk.
public struct BillingRetryFigures: Hashable, Sendable, Encodable {
  public struct Grace: Hashable, Sendable, Encodable {
    public var lines = 0
    public var users = 0
    public init() {}
  }

  /// Monthly revenue that a failed recovery would lose.
  public struct AtRisk: Hashable, Sendable, Encodable {
    public var billingRetry = Amounts()
    public var grace = Amounts()
    public init() {}
  }

  public struct ByProduct: Hashable, Sendable, Encodable {
    public var productId: ProductID
    public var lines: Int
    public init(productId: ProductID, lines: Int) {
      self.productId = productId
      self.lines = lines
    }
  }

  public struct Entry: Hashable, Sendable, Encodable {
    public var originalTransactionId: OriginalTransactionID
    @ExplicitNull public var appUserId: AppUserID?
    public var productId: ProductID
    public var expiredAtMs: Instant
    /// Whole days since the expiry.
    public var daysInRetry: Int
    /// When Apple gives up: 60 days after the expiry.
    public var retryEndsAtMs: Instant
    @ExplicitNull public var storefront: StorefrontCode?

    public init(
      originalTransactionId: OriginalTransactionID, appUserId: AppUserID?, productId: ProductID,
      expired: Instant, storefront: StorefrontCode? = nil, at t: Instant
    ) {
      self.storefront = storefront
      self.originalTransactionId = originalTransactionId
      self.appUserId = appUserId
      self.productId = productId
      expiredAtMs = expired
      daysInRetry = Int((t - expired) / Milliseconds.day)
      retryEndsAtMs = expired + billingRetryMilliseconds
    }
  }

  public var lines = 0
  public var users = 0
  public var grace = Grace()
  public var atRiskMrr = AtRisk()
  /// Sorted by lines, most first, then by name.
  public var byProduct: [ByProduct] = []
  /// The newest expiry first.
  public var rows: [Entry] = []

  public init() {}
}

extension BillingRetryFigures {
  /// The newest expiry first.
  public static func inOrder(_ left: Entry, _ right: Entry) -> Bool {
    left.expiredAtMs == right.expiredAtMs
      ? left.originalTransactionId < right.originalTransactionId : left.expiredAtMs > right.expiredAtMs
  }
}
