import Subscriptions

/// Rows of a report. Rows that differ only in their count are added up.
struct ReportTable: Sendable {
  private let columns: [String]
  /// Place of the count.
  private let counted: Int?
  private var counts: [[String]: Int] = [:]
  private var others: [[String]] = []

  /// - Parameters:
  ///   - columns: Separated by ` · `.
  ///   - count: Column of the count; `nil` if rows are never added up.
  init(_ columns: String, counting count: String?) {
    self.columns = columns.split(separator: " · ").map(String.init)
    counted = self.columns.firstIndex { $0 == count }
  }

  /// Adds a row. Rows that count 0, such as credits, remain apart.
  mutating func add(_ fields: [String], _ count: Int = 0) {
    if count == 0 { others.append(fields) } else { counts[fields, default: 0] += count }
  }

  /// - Parameter missing: Number of rows to leave out at the end.
  func text(lacking missing: Int = 0) -> String {
    let rows = counts.map { fields, count in
      var fields = fields
      if let counted { fields[counted] = String(count) }
      return fields
    }
    let sorted = (rows + others).sorted { $0.lexicographicallyPrecedes($1) }.dropLast(missing)
    return ([columns] + sorted).map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}

extension ReportTable {
  private static let product = """
    App Name · App Apple ID · Subscription Name · Subscription Apple ID · Subscription Group ID · \
    Standard Subscription Duration
    """
  private static let price =
    "Customer Price · Customer Currency · Developer Proceeds · Proceeds Currency · Preserved Pricing · Proceeds Reason"

  static func sales(_ charges: [ReportedCharge], _ day: String) -> ReportTable {
    var table = ReportTable(
      """
      Provider · Provider Country · SKU · Developer · Title · Version · Product Type Identifier · Units · \
      Developer Proceeds · Begin Date · End Date · Customer Currency · Country Code · Currency of Proceeds · \
      Apple Identifier · Customer Price · Promo Code · Parent Identifier · Subscription · Period · Category · \
      CMB · Device · Supported Platforms · Proceeds Reason · Preserved Pricing · Client · Order Type
      """, counting: "Units")
    for charge in charges {
      let (item, plan) = (charge.item, charge.item.plan)
      table.add(
        [
          "APPLE", "US", item.product.rawValue, " ", item.title, " ", item.type, "0", charge.proceeds, day,
          day,
          item.currency, item.country, item.currency, item.appleID, charge.price,
          item.offer?.isFree == true ? "FREE" : " ", item.app.rawValue,
          plan == nil ? " " : charge.isRenewal ? "Renewal" : "New", plan?.period.reported ?? " ",
          "Photo & Video", "", item.device, "iOS", item.proceedsReason, " ", " ",
          item.offer?.orderType ?? " ",
        ], charge.units)
    }
    return table
  }

  /// - Parameter shifted: Indices of subscribers whose events are dated a day later.
  static func subscribers(_ charges: [ReportedCharge], _ shifted: Set<Int>) -> ReportTable {
    var table = ReportTable(
      """
      Event Date · \(product) · Subscription Offer Name · Promotional Offer ID · Subscription Offer Type · \
      Subscription Offer Duration · Marketing Opt-In Duration · \(price) · Client · Device · Country · \
      Subscriber ID · Subscriber ID Reset · Refund · Purchase Date · Units
      """, counting: "Units")
    for charge in charges where charge.item.plan != nil {
      let (item, isSale) = (charge.item, charge.kind == .sale)
      // Anonymous, but always the same for a customer.
      let id = 1_000_000_000_000 + SplitMix64.mixed(UInt64(charge.customer) &+ 0x5EED) % 9_000_000_000_000
      table.add(
        [date(charge.eventDay, isLate: shifted.contains(charge.customer))] + item.subscription
          + item.offerNames
          + (item.offer?.columns ?? ["", ""])
          + [
            "", charge.price, item.currency, charge.proceeds, item.currency, " ", item.proceedsReason, " ",
            item.device, item.country, String(id), "", isSale ? "" : "Yes",
            isSale ? "" : date(charge.purchased), "0",
          ], charge.units)
    }
    return table
  }

  /// - Parameter shifted: Indices of subscribers whose events are dated a day later.
  static func events(_ events: [ReportedEvent], _ shifted: Set<Int>) -> ReportTable {
    var table = ReportTable(
      """
      Event Date · Event · \(product) · Subscription Offer Type · Subscription Offer Duration · \
      Marketing Opt-In · Marketing Opt-In Duration · Preserved Pricing · Proceeds Reason · \
      Subscription Offer Name · Promotional Offer ID · Consecutive Paid Periods · Original Start Date · Device · \
      Client · State · Country · Previous Subscription Name · Previous Subscription Apple ID · \
      Days Before Canceling · Cancellation Reason · Days Canceled · Quantity · Paid Service Days Recovered
      """, counting: "Quantity")
    for event in events {
      let item = event.item
      table.add(
        [date(event.eventDay, isLate: shifted.contains(event.customer)), event.name] + item.subscription
          + (event.offer?.columns ?? ["", ""]) + ["", " ", "", item.proceedsReason] + item.offerNames
          + [
            String(event.paidPeriods), date(event.started), item.device, "", " ",
            item.country, event.previous?.title ?? "", event.previous?.appleID ?? " ", " ",
            event.reason ?? " ", " ", "", " ",
          ], 1)
    }
    return table
  }

  static func subscriptions(_ balances: [ReportedBalance: Int]) -> ReportTable {
    var table = ReportTable(
      """
      \(product) · Subscription Offer Name · Promotional Offer ID · \(price) · Client · Device · \
      State · Country · Active Standard Price Subscriptions · \
      Active Free Trial Introductory Offer Subscriptions · Active Pay Up Front Introductory Offer Subscriptions · \
      Active Pay As You Go Introductory Offer Subscriptions · Free Trial Promotional Offer Subscriptions · \
      Pay Up Front Promotional Offer Subscriptions · Pay As You Go Promotional Offer Subscriptions · \
      Free Trial Offer Code Subscriptions · Pay Up Front Offer Code Subscriptions · \
      Pay As You Go Offer Code Subscriptions · Marketing Opt-Ins · Billing Retry · Grace Period · Subscribers · \
      Free Trial Win-back Offers · Pay Up Front Win-back Offers · Pay As You Go Win-back Offers
      """, counting: nil)
    for (balance, count) in balances {
      let item = balance.item
      var counts = [String](repeating: "0", count: 17)
      counts[balance.column] = String(count)
      // Few subscribers are not named.
      counts[13] = count > 3 ? String(count) : ""
      table.add(
        item.subscription + item.offerNames
          + [
            item.price.decimal, item.currency, item.proceeds.decimal, item.currency, " ", item.proceedsReason,
            "", item.device, " ", item.country,
          ] + counts)
    }
    return table
  }

  static func finance(_ charges: [ReportedCharge]) -> ReportTable {
    var table = ReportTable(
      """
      Transaction Date · Settlement Date · Apple Identifier · SKU · Title · Developer Name · \
      Product Type Identifier · Country of Sale · Quantity · Partner Share · Extended Partner Share · \
      Partner Share Currency · Customer Price · Customer Currency · Sale or Return · Promo Code · Order Type · \
      Region
      """, counting: nil)
    for charge in charges {
      // Apple's rows end with a tab that the header lacks.
      let (item, isSale) = (charge.item, charge.kind == .sale)
      let dates = [charge.day, charge.settled].map { CivilDate(daysSince1970: $0).slashed }
      table.add(
        dates + [
          item.appleID, item.product.rawValue, item.title, "", item.type, item.country, isSale ? "1" : "-1",
          charge.proceeds, (isSale ? "" : "-") + charge.proceeds, item.currency, charge.price + "0",
          item.currency, isSale ? "S" : "R", "", "", "", "",
        ])
    }
    return table
  }

  private static func date(_ day: Int, isLate: Bool = false) -> String {
    CivilDate(daysSince1970: day + (isLate ? 1 : 0)).dashed
  }
}

extension ReportedCharge {
  fileprivate var units: Int { kind == .sale ? 1 : kind == .refund ? -1 : 0 }
  /// Negative for refunds and credits.
  fileprivate var price: String { (kind == .sale ? amount : -amount).decimal }
  /// Never negative.
  fileprivate var proceeds: String {
    ReportedItem.rounded(item.proceeds, times: amount, over: item.price).decimal
  }
}

extension Int64 {
  /// `-13.47` for -1347.
  fileprivate var decimal: String {
    let cents = String(100 + magnitude % 100).dropFirst()
    return "\(self < 0 ? "-" : "")\(magnitude / 100).\(cents)"
  }
}
