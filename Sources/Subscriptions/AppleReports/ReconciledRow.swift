/// Reason for a difference between Apple's figure and the store's, backed by rows or a computed amount.
///
/// Causes explain it in the order of the cases, as far as their backing allows; `meaning` describes each.
public enum DifferenceCause: String, Hashable, Sendable, Codable, CaseIterable {
  case unmappedProduct = "unmapped_product"
  case storefrontUnknown = "storefront_unknown"
  case catalogPrice = "catalog_price"
  case notInStore = "not_in_store"
  case overdue
  case unobservedGap = "unobserved_gap"
  case paidLate = "paid_late"
  case canceledUnpaid = "canceled_unpaid"
  case billedEarly = "billed_early"
  case retryEnd = "retry_end"
  case wholeDays = "whole_days"
  case rounding
  case priceMissing = "price_missing"
  case tax
  case commission
  case settledBefore = "settled_before"
  case settledLater = "settled_later"

  public var words: String {
    switch self {
    case .unmappedProduct: "product not mapped"
    case .storefrontUnknown: "storefront unknown"
    case .catalogPrice: "catalogue price"
    case .notInStore: "customers not in the store"
    case .overdue: "unverified"
    case .unobservedGap: "gap without checks"
    case .paidLate: "paid late"
    case .canceledUnpaid: "canceled while unpaid"
    case .billedEarly: "billed early"
    case .retryEnd: "billing retry ends a day later"
    case .wholeDays: "credits in whole days"
    case .rounding: "rounding"
    case .priceMissing: "price missing"
    case .tax: "tax"
    case .commission: "reduced commission"
    case .settledBefore: "earlier sales settled"
    case .settledLater: "settled later"
    }
  }

  public var meaning: String {
    switch self {
    case .unmappedProduct: "Import a sales report, which names the product."
    case .storefrontUnknown: "Answers of verifyReceipt have no storefront."
    case .catalogPrice: "Answers of verifyReceipt have no price; the catalogue's may have another currency."
    case .notInStore: "Apple reports customers that the store lacks; --missing lists them."
    case .overdue: "Subscriptions expired and have not been checked since; a sweep checks them."
    case .unobservedGap: "Subscriptions lapsed and came back between two checks."
    case .paidLate: "Renewals were paid during grace or billing retry. The store dates them back."
    case .canceledUnpaid: "Apple ends subscriptions that are canceled during grace at once."
    case .billedEarly: "Apple bills renewals up to a day before their date."
    case .retryEnd: "Apple ends billing retry a day later."
    case .wholeDays: "Apple rounds the credit of an upgrade to whole days."
    case .rounding: "Apple rounds partial refunds to hundredths."
    case .priceMissing: "The store has no price for these transactions; import one into the catalogue."
    case .tax: "The price includes tax, which is computed from Apple's proceeds."
    case .commission: "Apple's commission is reduced for these sales."
    case .settledBefore: "Sales of the month before were settled in this one."
    case .settledLater: "Sales of the month are settled in the next one."
    }
  }
}

/// Figure that both Apple's reports and the store have.
public enum ReconciledFigure: String, Hashable, Sendable, Codable, CaseIterable {
  // Balances at the end of a day.
  case activeStandard = "active_standard"
  case freeTrial = "free_trial"
  case introductory, promotional
  case offerCode = "offer_code"
  case winBack = "win_back"
  case billingRetry = "billing_retry"
  case grace
  // Events by their date.
  case started, renewed, recovered, reactivated, canceled
  case enteredRetry = "entered_retry"
  case refunded
  // Transactions, matched one by one.
  case transactions
  case transactionRefunds = "transaction_refunds"
  case units, sales, refunds, credits, payout

  public var source: AppleReportKind {
    switch self {
    case .activeStandard, .freeTrial, .introductory, .promotional, .offerCode, .winBack, .billingRetry,
      .grace:
      .subscription
    case .started, .renewed, .recovered, .reactivated, .canceled, .enteredRetry, .refunded: .events
    case .transactions, .transactionRefunds: .subscriber
    case .units, .sales, .refunds, .credits: .sales
    case .payout: .financeDetail
    }
  }

  /// Whether the figure is an amount of money, as are all cases from `sales` on.
  public var isMoney: Bool { place >= Self.sales.place }
  /// Index in `allCases`, which hashes faster than text; read from the enum's single byte (a test checks it).
  package var place: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
  public func hash(into hasher: inout Hasher) { hasher.combine(place) }
  /// Whether the figure is a balance, which is not summed over days.
  public var isBalance: Bool { source == .subscription }

  public var words: String {
    switch self {
    case .activeStandard: "Active, standard price"
    case .freeTrial: "Free trials"
    case .introductory: "Introductory offers, paid"
    case .promotional: "Promotional offers, paid"
    case .offerCode: "Offer codes, paid"
    case .winBack: "Win-back offers, paid"
    case .billingRetry: "Billing retry"
    case .grace: "Grace period"
    case .started: "Started"
    case .renewed: "Renewed or changed"
    case .recovered: "Recovered from billing retry"
    case .reactivated: "Reactivated"
    case .canceled: "Ended"
    case .enteredRetry: "Entered billing retry"
    case .refunded: "Refunded"
    case .transactions: "Purchases"
    case .transactionRefunds: "Refunds"
    case .units: "Units sold"
    case .sales: "Sales"
    case .refunds: "Refunded amount"
    case .credits: "Upgrade credits"
    case .payout: "Payout"
    }
  }
}

/// Unit of comparison: a figure on one day for one product, storefront and currency.
public struct ReconciledKey: Hashable, Sendable {
  public var figure: ReconciledFigure
  /// Pacific day, in days since 1970.
  var number: Int32
  /// Number in `ReconciledNames`; 0 if no imported report names the SKU of Apple's product id.
  var product: Int32 = 0
  var storefront: Int32 = 0
  var currency: Int32 = 0

  init(
    _ figure: ReconciledFigure, _ day: Int, product: Int32 = 0, storefront: Int32 = 0, currency: Int32 = 0
  ) {
    (self.figure, number) = (figure, Int32(truncatingIfNeeded: day))
    (self.product, self.storefront, self.currency) = (product, storefront, currency)
  }

  public var day: CivilDate { CivilDate(daysSince1970: Int(number)) }

  func with(_ figure: ReconciledFigure, on day: Int? = nil) -> ReconciledKey {
    var key = self
    key.figure = figure
    if let day { key.number = Int32(truncatingIfNeeded: day) }
    return key
  }

  var anywhere: ReconciledKey { ReconciledKey(figure, Int(number), product: product, currency: currency) }

  var ofAnyProduct: ReconciledKey { ReconciledKey(figure, Int(number), currency: currency) }
}

/// Cause of a difference, and the figure that it affects.
struct CausePart: Hashable, Sendable {
  var cause: DifferenceCause
  /// Key of the figure; without a storefront if the store does not know it, and for refunds and credits.
  var key: ReconciledKey
}

/// Apple's figure beside the store's: `apple` − `ours` = the causes + `rest`, with amounts in micros.
public struct ReconciledRow: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, Codable {
    case final
    /// A later report may change the row, such as a report of a neighboring day or of a late payment.
    case mayChange = "may_change"
    case absent
  }

  public var key: ReconciledKey
  /// Apple's figure; `nil` if the report is absent.
  public var apple: Int128?
  public var ours: Int128
  public private(set) var causes: [DifferenceCause: Int128] = [:]
  /// Sum of `causes`.
  public private(set) var explained: Int128 = 0
  public var state: State

  init(_ key: ReconciledKey, apple: Int128?, ours: Int128, _ state: State) {
    (self.key, self.apple, self.ours, self.state) = (key, apple, ours, state)
  }

  public var difference: Int128 { apple.map { $0 - ours } ?? 0 }
  public var rest: Int128 { difference - explained }

  /// Attributes the unexplained `rest` to a cause, up to the limit `rows`, and returns the attributed part.
  ///
  /// The part has the sign of `rows`; it is 0 if `rest` has the opposite sign.
  mutating func explain(_ cause: DifferenceCause, upTo rows: Int128) -> Int128 {
    guard apple != nil, rows != 0 else { return 0 }
    let part = rows > 0 ? min(max(rest, 0), rows) : max(min(rest, 0), rows)
    explain(cause, exactly: part)
    return part
  }

  /// Attributes a computed amount to a cause, even if it exceeds `rest`.
  mutating func explain(_ cause: DifferenceCause, exactly amount: Int128) {
    guard apple != nil, amount != 0 else { return }
    causes[cause, default: 0] += amount
    explained += amount
  }
}
