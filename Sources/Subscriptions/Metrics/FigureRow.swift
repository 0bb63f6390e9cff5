/// One line or transaction behind a panel's figures: what a figure opens into.
public struct FigureRow: Hashable, Sendable {
  /// The figures that count it, by their paths in the panel's JSON: `paid`, `by_kind.standard`, `renewals.P1M.due`.
  ///
  /// How many rows name a figure is the figure; of an amount, as `mrr`, theirs add up to it.
  public var figures: [String]
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Nil where nobody names a group, and for one-time purchases.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// The first of the app's users; nil where the app gave none.
  public var appUserID: AppUserID?
  /// The transaction itself, or the one by which the line is counted.
  public var transactionID: TransactionID
  public var productID: ProductID
  /// `trial`, `intro`, `code`, `promo`, `standard`; `one_time` for what is not auto-renewable.
  public var kind: String
  /// The identifier of the offer that it was bought with, of cohorts the line's first paid row; nil where Apple told none. Not in JSON, whose
  /// readers have the chain's transactions.
  public var offer: String?
  /// Nil where Apple told none.
  public var storefront: StorefrontCode?
  /// Who says the price; nil where nobody does.
  public var priceSource: PriceSource?
  /// The line's state and why it is so; nil for a transaction.
  public var state: LineState?
  /// By what it is counted: of a line the change that it is counted by, or with which its position began; of a transaction the
  /// purchase, expiry, end, refund or upgrade.
  public var at: Instant
  /// Milliseconds until its period ends, which is waited for; nil where nothing is. Not in JSON, whose readers have the chain's dates.
  public var timeLeft: Int64?
  /// What it adds to the figure's amount; nil where the figure has none or there is no price.
  public var amount: Money?
  /// What the amount is worth in the reporting currency, by the rate of the row's purchase; nil where there is no such currency or no rate.
  /// Not in JSON, whose readers have the sum.
  public var convertedMicros: Int64?
  /// What Apple leaves of the amount; only of sales.
  public var proceeds: Money?
  /// The fields that decided, and the sum of a prorated refund.
  public var why: String
  /// What a prorated refund is made of; nil where there is none.
  public var proration: Proration?

  public init(
    _ figures: [String], environment: StoreEnvironment, chain: OriginalTransactionID,
    group: SubscriptionGroupID?, user: AppUserID?, transaction: TransactionID, product: ProductID,
    kind: String,
    state: LineState? = nil, at: Instant, amount: Money? = nil, proceeds: Money? = nil, why: String
  ) {
    self.figures = figures
    self.environment = environment
    originalTransactionID = chain
    subscriptionGroupID = group
    appUserID = user
    transactionID = transaction
    productID = product
    self.kind = kind
    self.state = state
    self.at = at
    self.amount = amount
    self.proceeds = proceeds
    self.why = why
  }

  /// The latest first, in one order.
  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.at != right.at { return left.at > right.at }
    if left.originalTransactionID != right.originalTransactionID {
      return left.originalTransactionID < right.originalTransactionID
    }
    if left.transactionID != right.transactionID { return left.transactionID < right.transactionID }
    if left.environment != right.environment { return left.environment < right.environment }
    if left.figures != right.figures { return left.figures.lexicographicallyPrecedes(right.figures) }
    return (left.amount?.currency.rawValue ?? "") < (right.amount?.currency.rawValue ?? "")
  }
}

/// The rows behind a panel's figures, or behind one of them.
public struct FigureRows: Hashable, Sendable {
  /// All there are, also those that the limit leaves out.
  public var count: Int
  public var rows: [FigureRow]
  /// What all of them add up to, also those that the limit leaves out; nil where that is not known.
  public var amounts: Amounts?
  /// What Apple leaves of it; only of sales.
  public var proceeds: Amounts?

  public init(count: Int, rows: [FigureRow]) {
    self.count = count
    self.rows = rows
    guard rows.count == count else { return }
    (amounts, proceeds) = (Amounts(rows.compactMap(\.amount)), Amounts(rows.compactMap(\.proceeds)))
  }
}

extension FigureRow: Encodable {
  private enum CodingKeys: String, CodingKey {
    case figures, environment, originalTransactionId, subscriptionGroupId, appUserId, transactionId,
      productId, kind, storefront, priceSource
    case state, atMs, amountMicros, proceedsMicros, currency, why, proration
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(figures, forKey: .figures)
    try container.encode(environment, forKey: .environment)
    try container.encode(originalTransactionID, forKey: .originalTransactionId)
    try container.encode(subscriptionGroupID, forKey: .subscriptionGroupId)
    try container.encode(appUserID, forKey: .appUserId)
    try container.encode(transactionID, forKey: .transactionId)
    try container.encode(productID, forKey: .productId)
    try container.encode(kind, forKey: .kind)
    try container.encode(storefront, forKey: .storefront)
    try container.encode(priceSource, forKey: .priceSource)
    try container.encode(state, forKey: .state)
    try container.encode(at, forKey: .atMs)
    try container.encode(amount?.micros, forKey: .amountMicros)
    try container.encode(proceeds?.micros, forKey: .proceedsMicros)
    try container.encode(amount?.currency, forKey: .currency)
    try container.encode(why, forKey: .why)
    try container.encode(proration, forKey: .proration)
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
    if let amount, amount.currency == row.price?.amount.currency, row.conversion != .none {
      convertedMicros = row.conversion.of(amount.micros).known.map { Int64(clamping: $0) }
    }
  }
}
