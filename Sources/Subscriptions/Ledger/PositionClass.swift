/// Everything that distinguishes positions in figures. Lines whose positions have the same class are counted
/// alike.
public typealias PositionClass = HashedOnce<PositionFields>

public struct PositionFields: Hashable, Sendable {
  public let environment: StoreEnvironment
  public let state: LineState
  /// Product of the current row.
  public let product: ProductID
  /// Kind of the current row; `standard` once the line is out.
  public let kind: PeriodKind
  /// Auto-renew in a running period; `nil` otherwise, and if no renewal info had it.
  public let autoRenew: Bool?
  /// Reason that the line is out; `nil` in every other state.
  public let reason: LossReason?
  /// Currency of the current row's monthly price; `nil` if unpriced, and once the line is out.
  public let currency: CurrencyCode?
  public let isUnseen: Bool
  /// Whether the line will renew as another product (METRICS §4, Pending changes); false once it is out.
  public let isChangePending: Bool
  public let storefront: StorefrontCode?
}

extension PositionClass {
  public init(
    environment: StoreEnvironment, state: LineState, product: ProductID, kind: PeriodKind,
    autoRenew: Bool? = nil, reason: LossReason? = nil, currency: CurrencyCode? = nil, isUnseen: Bool = false,
    isChangePending: Bool = false, storefront: StorefrontCode? = nil
  ) {
    self.init(
      PositionFields(
        environment: environment, state: state, product: product, kind: kind, autoRenew: autoRenew,
        reason: reason, currency: currency, isUnseen: isUnseen, isChangePending: isChangePending,
        storefront: storefront))
  }

  public var set: PositionSet { self.state.set(of: self.kind) }
}

/// Class of a position, with the monthly price of the current row in micros of the class's currency.
public struct ClassifiedPosition: Hashable, Sendable {
  public var kind: PositionClass
  public var monthlyMicros: Int64
  /// Monthly price in the reporting currency. Lines of the same class may differ, because their purchase
  /// dates do.
  public var converted: Converted

  /// Whether two positions differ at most in the reporting currency.
  func isSame(as other: Self) -> Bool { kind == other.kind && monthlyMicros == other.monthlyMicros }
}

extension Line {
  public func classified(_ span: Span) -> ClassifiedPosition {
    let position = span.position
    let row = rows[position.row]
    let isOut = position.state.isOut
    let monthly = isOut ? nil : row.monthly
    let kind = PositionClass(
      environment: id.environment, state: position.state, product: row.productID,
      kind: isOut ? .standard : row.kind, autoRenew: position.state.isRunning ? position.autoRenew : nil,
      reason: position.reason, currency: monthly?.currency, isUnseen: position.isUnseen,
      isChangePending: !isOut && span.renewal.map { renewals[$0].info.changes(from: row.productID) } ?? false,
      storefront: row.storefront)
    return ClassifiedPosition(
      kind: kind, monthlyMicros: monthly?.single ?? 0,
      converted: monthly.map { row.conversion.of($0.micros) } ?? Converted())
  }
}
