/// What figures tell positions apart by: lines whose positions are of one class count alike.
///
/// Sums look classes up and hand them on far more often than there are any: a class is a reference to its fields, hashed once.
public struct PositionClass: Hashable, Sendable {
  private final class Fields: Sendable {
    let environment: StoreEnvironment
    let state: LineState
    let product: ProductID
    let kind: PeriodKind
    let autoRenew: Bool?
    let reason: LossReason?
    let currency: CurrencyCode?
    let isUnseen: Bool
    let isChangePending: Bool
    let hash: Int

    init(
      _ environment: StoreEnvironment, _ state: LineState, _ product: ProductID, _ kind: PeriodKind,
      _ autoRenew: Bool?, _ reason: LossReason?, _ currency: CurrencyCode?, _ isUnseen: Bool,
      _ isChangePending: Bool
    ) {
      self.environment = environment
      self.state = state
      self.product = product
      self.kind = kind
      self.autoRenew = autoRenew
      self.reason = reason
      self.currency = currency
      self.isUnseen = isUnseen
      self.isChangePending = isChangePending
      var hasher = Hasher()
      hasher.combine(environment)
      hasher.combine(state)
      hasher.combine(product)
      hasher.combine(kind)
      hasher.combine(autoRenew)
      hasher.combine(reason)
      hasher.combine(currency)
      hasher.combine(isUnseen)
      hasher.combine(isChangePending)
      hash = hasher.finalize()
    }

    func isSame(as other: Fields) -> Bool {
      hash == other.hash && state == other.state && product == other.product && kind == other.kind
        && autoRenew == other.autoRenew && reason == other.reason && currency == other.currency
        && isUnseen == other.isUnseen && isChangePending == other.isChangePending
        && environment == other.environment
    }
  }

  private let fields: Fields

  public init(
    environment: StoreEnvironment, state: LineState, product: ProductID, kind: PeriodKind,
    autoRenew: Bool? = nil, reason: LossReason? = nil, currency: CurrencyCode? = nil, isUnseen: Bool = false,
    isChangePending: Bool = false
  ) {
    fields = Fields(
      environment, state, product, kind, autoRenew, reason, currency, isUnseen, isChangePending)
  }

  public var environment: StoreEnvironment { fields.environment }
  public var state: LineState { fields.state }
  /// Of the current row.
  public var product: ProductID { fields.product }
  /// Of the current row; `standard` once the line is out.
  public var kind: PeriodKind { fields.kind }
  /// Of a period that runs; nil otherwise and where no renewal info said it.
  public var autoRenew: Bool? { fields.autoRenew }
  /// Why the line is out; nil in every other state.
  public var reason: LossReason? { fields.reason }
  /// Of what the current row costs a month; nil where it is unpriced, and once the line is out.
  public var currency: CurrencyCode? { fields.currency }
  /// See `Position.isUnseen`.
  public var isUnseen: Bool { fields.isUnseen }
  /// METRICS §4, Pending changes: whether the line will renew as another product; false once it is out.
  public var isChangePending: Bool { fields.isChangePending }

  public static func == (left: PositionClass, right: PositionClass) -> Bool {
    left.fields === right.fields || left.fields.isSame(as: right.fields)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields.hash) }

  /// METRICS §3, Sets of positions.
  public var set: PositionSet {
    switch state {
    case .trial: .trial
    case .active: .paid
    case .grace: kind == .trial ? .trial : .paid
    case .billingRetry: .retry
    case .overdue: .overdue
    case .unattributed: .unattributed
    case .expired, .revoked: .out
    }
  }
}

/// A class of positions with what the current row of the line costs a month, in micros of the class's currency.
public struct ClassifiedPosition: Hashable, Sendable {
  public var kind: PositionClass
  public var monthlyMicros: Int64

  public init(_ kind: PositionClass, monthlyMicros: Int64) {
    self.kind = kind
    self.monthlyMicros = monthlyMicros
  }
}

extension Line {
  public func classified(_ span: Span) -> ClassifiedPosition {
    let position = span.position
    let row = rows[position.row]
    let isOut = position.state == .expired || position.state == .revoked
    let isRunning = position.state == .active || position.state == .trial
    let monthly = isOut ? nil : row.monthly
    let kind = PositionClass(
      environment: id.environment, state: position.state, product: row.productID,
      kind: isOut ? .standard : row.kind, autoRenew: isRunning ? position.autoRenew : nil,
      reason: position.reason, currency: monthly?.currency, isUnseen: position.isUnseen,
      isChangePending: !isOut && span.renewal.map { renewals[$0].info.changes(from: row.productID) } ?? false)
    return ClassifiedPosition(kind, monthlyMicros: monthly?.micros ?? 0)
  }
}
