/// How far the figures of a report can be trusted.
public struct Trust: Hashable, Sendable, Encodable {
  public var receipts = 0
  /// Lines in scope.
  public var lines = 0
  /// METRICS §4, Freshness: 0 to 1; nil where no line is active.
  @ExplicitNull public var fresh24h: Double?
  /// Lines whose expiry has passed without a validation since.
  public var overdue = 0
  /// Auto-renewable transactions in scope without a price in the catalogue.
  public var unpricedTransactions = 0
  /// Sandbox lines left out.
  public var excludedSandbox = 0
  /// Family-shared lines left out.
  public var excludedFamilyShared = 0
  /// Whether there are purchases in scope that do not renew; asked only if there are no lines.
  public var hasOneTimePurchases = false

  public init() {}

  enum CodingKeys: String, CodingKey {
    case receipts, lines
    case fresh24h = "fresh_24h"
    case overdue, unpricedTransactions, excludedSandbox, excludedFamilyShared
  }
}
