/// Class of a position: the attributes that figures distinguish.
public typealias PositionClass = HashedOnce<PositionFields>

public struct PositionFields: Hashable, Sendable {
  public let environment: StoreEnvironment
  public let state: LineState
  public let product: ProductID
  /// Kind of the current row; `standard` if the line is expired or revoked.
  public let kind: PeriodKind
  /// Auto-renew in a running period; `nil` if unknown, or if no period runs.
  public let autoRenew: Bool?
  public let reason: LossReason?
  /// Currency of the current row's monthly price; `nil` if that price is unknown, or if the line is out.
  public let currency: CurrencyCode?
  public let isUnseen: Bool
  /// Whether the line will renew as another product (METRICS §4, Pending changes); false if it is out.
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
  /// Monthly price in the reporting currency, at the rate of the current row's purchase day.
  public var converted: Converted

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
