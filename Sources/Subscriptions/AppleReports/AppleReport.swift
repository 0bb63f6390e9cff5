/// Kind of report that App Store Connect offers for download.
public enum AppleReportKind: String, Hashable, Sendable, Codable, CaseIterable {
  case sales, subscription, events, subscriber, financial
  case financeDetail = "finance_detail"

  public var title: String {
    switch self {
    case .sales: "Sales Summary"
    case .subscription: "Subscription"
    case .events: "Subscription Event"
    case .subscriber: "Subscriber"
    case .financial: "Financial"
    case .financeDetail: "Finance Detail"
    }
  }

  /// Whether the report covers a fiscal month.
  public var isFinance: Bool { self == .financial || self == .financeDetail }
}

/// Identity of a downloaded report; a report with an equal identity but different content is a newer version.
public struct AppleReport: Hashable, Sendable {
  public var kind: AppleReportKind
  /// Vendor number; empty if neither the file's name nor the command contains one.
  public var vendor: String
  /// Region of a finance report, such as `US` or `Z1`; empty for other kinds, or if the file name has none.
  public var region: String
  /// First and last day, in Pacific time.
  public var from: CivilDate
  public var through: CivilDate

  public init(
    kind: AppleReportKind, vendor: String, region: String = "", from: CivilDate, through: CivilDate
  ) {
    (self.kind, self.vendor, self.region) = (kind, vendor, region)
    (self.from, self.through) = (from, through)
  }
}

/// Sum of a report's rows that differ only in units, amounts, and columns such as State, Device and names.
public struct AppleReportRow: Hashable, Sendable {
  /// Event Date, Begin Date, Start Date or Transaction Date of the row; for balances, the report's day.
  public var day: CivilDate
  public var measure: AppleMeasure
  /// Apple Identifier of the subscription or product.
  public var appleID: String
  /// Product id: `SKU` or Vendor Identifier of this or (in stored rows) any report; `nil` if none has it.
  public var product: ProductID?
  /// Three-letter ISO 3166 code, or Apple's code if ISO has no equivalent; empty without a storefront.
  public var storefront: StorefrontCode
  /// Subscription Offer Type, Introductory Price Type or Order Type in Apple's words; empty without an offer.
  public var offer = ""
  /// Price that a customer pays for one unit (Customer Price); never negative.
  public var price: Money?
  /// Apple's number of units, subscriptions or events; negative for a refund, 0 for an upgrade credit.
  public var units: Int64 = 0
  /// Amount that the customer paid for all units; negative for a refund or an upgrade credit.
  public var amount: Money?
  /// Developer Proceeds or Partner Share for all units; negative for a refund or an upgrade credit.
  public var proceeds: Money?
  /// Salted hash of the Subscriber ID.
  public var subscriber: String?
  /// Day of the refunded purchase.
  public var purchased: CivilDate?
  public var settled: CivilDate?

  public init(day: CivilDate, measure: AppleMeasure, appleID: String, storefront: StorefrontCode) {
    (self.day, self.measure, self.appleID, self.storefront) = (day, measure, appleID, storefront)
  }
}

extension AppleReportRow {
  /// Maximum absolute value of a row's amounts in micros: 10¹² units of a currency.
  package static let largestAmount: Int128 = 1_000_000_000_000_000_000
}

/// Name of the balance, event or kind of sale that a row counts.
public struct AppleMeasure: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let sale = AppleMeasure(rawValue: "sale")
  public static let refund = AppleMeasure(rawValue: "refund")
  /// Partial refund of a subscription that was upgraded.
  public static let credit = AppleMeasure(rawValue: "upgrade credit")
  /// Sale or refund of a product that is not a subscription.
  public static let other = AppleMeasure(rawValue: "other product")

  /// Normalizes the name of an event: lower case, no punctuation, and one word where Apple's reports vary.
  public init(event: String) {
    let words = AppleColumn.words(event).map { word in
      switch word {
      case "cancelled": "canceled"
      case "renewals": "renewal"
      case "price": "offer"
      default: word
      }
    }
    self.init(rawValue: words.joined(separator: " "))
  }
}

/// Parser of names in Apple's reports, which are compared without regard to case and punctuation.
public enum AppleColumn {
  /// Returns the words of a name in lower case: `Win-Back Offers` → `win`, `back`, `offers`.
  public static func words(_ name: some StringProtocol) -> [String] {
    name.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
