import Subscriptions

/// Rows of Apple's reports by kind and day, with equal rows added up.
struct ReportRows: Sendable {
  /// Pacific days, in days since 1970; rows of other days are ignored.
  let days: ClosedRange<Int>
  /// Number of equal rows, by kind, day and text of the row.
  ///
  /// A row with the placeholder `number` is written once, with the number in its place; others are repeated.
  private var counts: [AppleReportKind: [Int: [String: Int]]] = [:]

  static let number = "#"

  init(days: ClosedRange<Int>) { self.days = days }

  /// Adds `number` to the count of the row with `fields`, its values by column name; other columns are blank.
  mutating func add(
    _ kind: AppleReportKind, on day: Int, _ number: Int, _ fields: @autoclosure () -> [String: String]
  ) {
    guard days.contains(day), let columns = Self.columns[kind] else { return }
    let fields = fields()
    // Apple's rows in finance reports end with a tab that the header lacks.
    let end = kind == .financeDetail ? "\t" : ""
    let row = columns.map { fields[$0] ?? " " }.joined(separator: "\t") + end
    counts[kind, default: [:]][day, default: [:]][row, default: 0] += number
  }

  /// Replaces the daily changes in the subscription report by their running totals.
  mutating func addUpBalances() {
    var running: [String: Int] = [:]
    for day in days {
      running.merge(counts[.subscription]?[day] ?? [:], uniquingKeysWith: +)
      running = running.filter { $0.value != 0 }
      counts[.subscription, default: [:]][day] = running
    }
  }

  func text(_ kind: AppleReportKind, on days: ClosedRange<Int>, lacking missing: Int = 0) -> String {
    let rows = days.flatMap { day in counts[kind]?[day] ?? [:] }.flatMap { row, count in
      row.contains(Self.number)
        ? [row.replacing(Self.number, with: String(count))] : Array(repeating: row, count: count)
    }
    let header = (Self.columns[kind] ?? []).joined(separator: "\t")
    return ([header] + rows.sorted().dropLast(missing)).map { $0 + "\n" }.joined()
  }

  private static let product = """
    App Name · App Apple ID · Subscription Name · Subscription Apple ID · Subscription Group ID · \
    Standard Subscription Duration
    """
  private static let price =
    "Customer Price · Customer Currency · Developer Proceeds · Proceeds Currency · Preserved Pricing · Proceeds Reason"

  private static let columns: [AppleReportKind: [String]] = [
    .sales: """
    Provider · Provider Country · SKU · Developer · Title · Version · Product Type Identifier · Units · \
    Developer Proceeds · Begin Date · End Date · Customer Currency · Country Code · Currency of Proceeds · \
    Apple Identifier · Customer Price · Promo Code · Parent Identifier · Subscription · Period · Category · \
    CMB · Device · Supported Platforms · Proceeds Reason · Preserved Pricing · Client · Order Type
    """,
    .subscriber: """
    Event Date · \(product) · Subscription Offer Name · Promotional Offer ID · Subscription Offer Type · \
    Subscription Offer Duration · Marketing Opt-In Duration · \(price) · Client · Device · Country · \
    Subscriber ID · Subscriber ID Reset · Refund · Purchase Date · Units
    """,
    .events: """
    Event Date · Event · \(product) · Subscription Offer Type · Subscription Offer Duration · \
    Marketing Opt-In · Marketing Opt-In Duration · Preserved Pricing · Proceeds Reason · \
    Subscription Offer Name · Promotional Offer ID · Consecutive Paid Periods · Original Start Date · Device · \
    Client · State · Country · Previous Subscription Name · Previous Subscription Apple ID · \
    Days Before Canceling · Cancellation Reason · Days Canceled · Quantity · Paid Service Days Recovered
    """,
    .subscription: """
    \(product) · Subscription Offer Name · Promotional Offer ID · \(price) · Client · Device · \
    State · Country · Active Standard Price Subscriptions · \
    Active Free Trial Introductory Offer Subscriptions · Active Pay Up Front Introductory Offer Subscriptions · \
    Active Pay As You Go Introductory Offer Subscriptions · Free Trial Promotional Offer Subscriptions · \
    Pay Up Front Promotional Offer Subscriptions · Pay As You Go Promotional Offer Subscriptions · \
    Free Trial Offer Code Subscriptions · Pay Up Front Offer Code Subscriptions · \
    Pay As You Go Offer Code Subscriptions · Marketing Opt-Ins · Billing Retry · Grace Period · Subscribers · \
    Free Trial Win-back Offers · Pay Up Front Win-back Offers · Pay As You Go Win-back Offers
    """,
    .financeDetail: """
    Transaction Date · Settlement Date · Apple Identifier · SKU · Title · Developer Name · \
    Product Type Identifier · Country of Sale · Quantity · Partner Share · Extended Partner Share · \
    Partner Share Currency · Customer Price · Customer Currency · Sale or Return · Promo Code · Order Type · \
    Region
    """,
  ].mapValues { $0.split(separator: " · ").map(String.init) }
}
