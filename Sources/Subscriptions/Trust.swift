/// Quality of the data behind a report.
public struct Trust: Hashable, Sendable, Encodable {
  public var receipts = 0
  public var lines = 0
  /// METRICS §4, Freshness: 0 to 1; `nil` if no line is active.
  @ExplicitNull public var fresh24h: Double?
  public var overdue = 0
  public var unpricedTransactions = 0
  public var excludedSandbox = 0
  public var excludedFamilyShared = 0
  /// Determined only if there are no lines.
  public var hasOneTimePurchases = false

  public init() {}

  enum CodingKeys: String, CodingKey {
    case receipts, lines
    case fresh24h = "fresh_24h"
    case overdue, unpricedTransactions, excludedSandbox, excludedFamilyShared
  }
}
