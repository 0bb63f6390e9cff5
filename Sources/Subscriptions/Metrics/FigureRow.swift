/// Line or transaction behind a panel's figures.
public struct FigureRow: Hashable, Sendable, Encodable {
  /// Paths of the figures that count the row: `paid`, `by_kind.standard`, `renewals.P1M.due`.
  ///
  /// A figure equals the number of its rows. An amount, such as `mrr`, equals the sum of its rows' amounts.
  public var figures: [String]
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Subscription group; `nil` if no source names one, and for one-time purchases.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// First of the app's user ids; `nil` if the app sent none.
  public var appUserID: AppUserID?
  /// Id of the counted transaction; for a line, the id of the transaction that represents it.
  public var transactionID: TransactionID
  public var productID: ProductID
  /// `trial`, `intro`, `code`, `promo`, `winback` or `standard`; `one_time` for a one-time purchase.
  public var kind: String
  /// Identifier of the offer (for cohorts, the first paid row's offer), not in JSON; `nil` if there is none.
  public var offer: String?
  public var storefront: StorefrontCode?
  public var priceSource: PriceSource?
  public var state: LineState?
  /// Date at which the row is counted: of a purchase, expiry, end, refund, upgrade or change, of the start of
  /// a position or an episode, or, for a cohort, of the age at which it is counted.
  public var at: Instant
  /// Milliseconds until the period ends, not in JSON; known only for open episodes of the offers panel.
  public var timeLeft: Int64?
  /// Contribution to the figure's amount; `nil` if the figure has no amount, or the row has no price.
  public var amount: Money?
  /// Amount in micros of the reporting currency, not in JSON; `nil` without a reporting currency or a rate.
  public var convertedMicros: Int64?
  public var proceeds: Money?
  public var why: String
  public var proration: Proration?

  public init(
    _ figures: [String], environment: StoreEnvironment, chain: OriginalTransactionID,
    group: SubscriptionGroupID?, user: AppUserID?, transaction: TransactionID, product: ProductID,
    kind: String,
    state: LineState? = nil, at: Instant, amount: Money? = nil, proceeds: Money? = nil, why: String
  ) {
    (self.figures, self.environment, originalTransactionID) = (figures, environment, chain)
    (subscriptionGroupID, appUserID, transactionID, productID) = (group, user, transaction, product)
    (self.kind, self.state, self.at, self.amount) = (kind, state, at, amount)
    (self.proceeds, self.why) = (proceeds, why)
  }

  /// Returns the order of a figure's rows: upcoming renewals earliest first, other rows latest first.
  public static func order(behind figure: String?) -> (Self, Self) -> Bool {
    guard DueHorizon.of(figure) != nil else { return inOrder }
    return { $0.at == $1.at ? inOrder($0, $1) : $0.at < $1.at }
  }

  /// Total order of rows, from the latest to the earliest.
  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    let one = (right.at, left.originalTransactionID, left.transactionID, left.environment)
    let other = (left.at, right.originalTransactionID, right.transactionID, right.environment)
    if one != other { return one < other }
    if left.figures != right.figures { return left.figures.lexicographicallyPrecedes(right.figures) }
    return (left.amount?.currency.rawValue ?? "") < (right.amount?.currency.rawValue ?? "")
  }

  public func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "figures": figures, "environment": environment, "originalTransactionId": originalTransactionID,
      "subscriptionGroupId": subscriptionGroupID, "appUserId": appUserID, "transactionId": transactionID,
      "productId": productID, "kind": kind, "storefront": storefront, "priceSource": priceSource,
      "state": state, "atMs": at, "amountMicros": amount?.micros, "proceedsMicros": proceeds?.micros,
      "currency": amount?.currency, "why": why, "proration": proration,
    ])
  }
}

/// Rows behind a panel's figures, or behind one figure.
public struct FigureRows: Hashable, Sendable {
  /// Number of rows, including those beyond the limit.
  public var count: Int
  public var rows: [FigureRow]
  /// Total of all rows, including those beyond the limit; `nil` if it is unknown.
  public var amounts: Amounts?
  public var proceeds: Amounts?
  /// Forecast for a figure of upcoming renewals; `nil` for others and for a shared store.
  public var forecast: RenewalForecast?

  public init(count: Int, rows: [FigureRow]) {
    (self.count, self.rows) = (count, rows)
    guard rows.count == count else { return }
    (amounts, proceeds) = (Amounts(rows.compactMap(\.amount)), Amounts(rows.compactMap(\.proceeds)))
  }
}

extension FigureRow {
  init(
    _ figures: [String], _ row: Row, of line: Line, at: Instant, amount: Money? = nil, proceeds: Money? = nil,
    why: String
  ) {
    self.init(
      figures, environment: line.id.environment, chain: line.id.originalTransactionID,
      group: line.id.subscriptionGroupID, user: line.users.min(), transaction: row.id, product: row.productID,
      kind: row.kind.rawValue, at: at, amount: amount, proceeds: proceeds, why: why)
    (storefront, priceSource, offer) = (row.storefront, row.price?.source, row.transaction.offerName)
    if let amount, amount.currency == row.price?.amount.currency { convertedMicros = row.converted(amount) }
  }
}
