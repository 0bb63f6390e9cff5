/// Everything that distinguishes positions in figures. Lines whose positions have the same class are counted
/// alike.
public struct PositionClass: Hashable, Sendable {
  private struct Fields: Hashable, Sendable {
    var environment: StoreEnvironment
    var state: LineState
    var product: ProductID
    var kind: PeriodKind
    var autoRenew: Bool?
    var reason: LossReason?
    var currency: CurrencyCode?
    var isUnseen: Bool
    var isChangePending: Bool
    var storefront: StorefrontCode?
  }

  private let fields: HashedOnce<Fields>

  public init(
    environment: StoreEnvironment, state: LineState, product: ProductID, kind: PeriodKind,
    autoRenew: Bool? = nil, reason: LossReason? = nil, currency: CurrencyCode? = nil, isUnseen: Bool = false,
    isChangePending: Bool = false, storefront: StorefrontCode? = nil
  ) {
    fields = HashedOnce(
      Fields(
        environment: environment, state: state, product: product, kind: kind, autoRenew: autoRenew,
        reason: reason, currency: currency, isUnseen: isUnseen, isChangePending: isChangePending,
        storefront: storefront))
  }

  public var environment: StoreEnvironment { fields.value.environment }
  public var state: LineState { fields.value.state }
  /// Product of the current row.
  public var product: ProductID { fields.value.product }
  /// Kind of the current row; `standard` once the line is out.
  public var kind: PeriodKind { fields.value.kind }
  /// Auto-renew in a running period; `nil` otherwise, and if no renewal info had it.
  public var autoRenew: Bool? { fields.value.autoRenew }
  /// Reason that the line is out; `nil` in every other state.
  public var reason: LossReason? { fields.value.reason }
  /// Currency of the current row's monthly price; `nil` if unpriced, and once the line is out.
  public var currency: CurrencyCode? { fields.value.currency }
  public var isUnseen: Bool { fields.value.isUnseen }
  /// Whether the line will renew as another product (METRICS §4, Pending changes); false once it is out.
  public var isChangePending: Bool { fields.value.isChangePending }
  public var storefront: StorefrontCode? { fields.value.storefront }

  public var set: PositionSet { state.set(of: kind) }
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
