/// Evidence behind a report, for judging how reliable its figures are.
public struct Trust: Hashable, Sendable, Encodable {
  public var receipts = 0
  public var lines = 0
  /// Freshness (METRICS §4), 0 to 1; `nil` if no line has access, or if the question looks back.
  public var fresh24h: Double?
  /// Number of lines whose expiry has passed without a validation since.
  public var overdue = 0
  public var unpricedTransactions = 0
  public var excludedSandbox = 0
  public var excludedFamilyShared = 0
  /// Whether there are one-time purchases; determined only if there are no lines.
  public var hasOneTimePurchases = false

  public init() {}

  var values: FigureValues {
    var values = FigureValues()
    (values["receipts"], values["lines"], values[share: "fresh_24h"]) = (receipts, lines, fresh24h)
    (values["overdue"], values["unpriced_transactions"]) = (overdue, unpricedTransactions)
    (values["excluded_sandbox"], values["excluded_family_shared"]) = (excludedSandbox, excludedFamilyShared)
    return values
  }

  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
