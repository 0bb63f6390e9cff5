import AppStore
import Subscriptions

/// Field that an import reads from Apple's reports; its column's name depends on the report and its version.
enum AppleReportField: Int, CaseIterable {
  case day, end, event, appleID, product, type, country, offer, price, currency, proceeds, proceedsCurrency
  case units, refund, subscriber, purchased, settled
}

/// Columns of one of Apple's reports, found by name regardless of order, case and punctuation.
struct AppleReportColumns {
  let kind: AppleReportKind
  let count: Int
  /// Columns with counts of subscriptions, which only subscription reports have.
  private(set) var balances: [Balance] = []
  private(set) var unknown: [String] = []
  private var places = [Int?](repeating: nil, count: AppleReportField.allCases.count)
  private let names: [String]

  struct Balance {
    var place: Int
    var measure: AppleMeasure
    /// Whether no known version has this column; if so, its values that are not whole numbers are ignored.
    var isUnknown: Bool
  }

  private static let most = 200

  init(_ header: [String]) throws(UnreadableAnswer) {
    guard header.count <= Self.most, header.allSatisfy({ $0.utf8.count <= FieldLimits.text }) else {
      throw UnreadableAnswer(
        reason: "the header has more than \(Self.most) columns, or a name over \(FieldLimits.text) bytes")
    }
    let names = header.map { AppleColumn.words($0).joined(separator: " ") }
    guard let kind = AppleReportKind.allCases.first(where: { Self.marks($0).isSubset(of: names) }) else {
      let kinds = AppleReportKind.allCases.map(\.title).joined(separator: ", ")
      throw UnreadableAnswer(reason: "the header is of none of Apple's reports that are read: \(kinds)")
    }
    (self.kind, self.names, count) = (kind, names, header.count)
    let named = names.filter { !$0.isEmpty }
    guard Set(named).count == named.count else {
      throw UnreadableAnswer(reason: "the header has two columns of the same name")
    }
    for field in AppleReportField.allCases {
      let known = (Self.table[field] ?? "").split(separator: "|").map(String.init)
      let place = names.firstIndex(where: known.contains)
      if place == nil, Self.required(kind).contains(field) {
        let lacks = known.joined(separator: " or ")
        throw UnreadableAnswer(reason: "the header of a \(kind.title) report lacks the column \(lacks)")
      }
      places[field.rawValue] = place
    }
    for (place, name) in names.enumerated() where !name.isEmpty {
      guard !Self.others.contains(name), !places.contains(place) else { continue }
      let isUnknown = kind != .subscription || !Self.knownBalances.contains(name)
      if isUnknown { unknown.append(header[place]) }
      guard kind == .subscription else { continue }
      balances.append(
        Balance(place: place, measure: AppleMeasure(rawValue: name), isUnknown: isUnknown))
    }
  }

  func place(_ field: AppleReportField) -> Int? { places[field.rawValue] }

  func name(_ field: AppleReportField) -> String { place(field).map { names[$0] } ?? "a field" }
}

/// Names of columns in versions 1_0 to 1_4 of the reports, as lowercase words.
extension AppleReportColumns {
  private static func marks(_ kind: AppleReportKind) -> Set<String> {
    switch kind {
    case .sales: ["sku", "begin date", "units"]
    case .subscription: ["customer price", "billing retry"]
    case .events: ["event date", "event"]
    case .subscriber: ["event date", "subscriber id"]
    case .financial: ["start date", "vendor identifier"]
    case .financeDetail: ["transaction date", "settlement date"]
    }
  }

  private static func required(_ kind: AppleReportKind) -> Set<AppleReportField> {
    let prices: Set<AppleReportField> = [.appleID, .country, .price, .currency]
    let transactions = prices.union([.day, .proceeds, .proceedsCurrency, .units])
    return switch kind {
    case .subscription: prices
    case .events: [.day, .appleID, .country, .units]
    case .subscriber: transactions.union([.refund])
    case .sales: transactions.union([.end, .type])
    case .financial: transactions.union([.end, .type, .refund])
    case .financeDetail: transactions.union([.product, .type, .refund])
    }
  }

  private static let table: [AppleReportField: String] = [
    .day: "event date|begin date|transaction date|start date", .end: "end date", .event: "event",
    .appleID: "subscription apple id|apple identifier|subscription id", .product: "sku|vendor identifier",
    .type: "product type identifier", .country: "country|country code|country of sale",
    .offer: "subscription offer type|introductory price type|order type", .price: "customer price",
    .currency: "customer currency", .proceeds: "developer proceeds|extended partner share",
    .proceedsCurrency: "proceeds currency|currency of proceeds|partner share currency",
    .units: "units|quantity", .refund: "refund|sale or return|sales or return",
    .subscriber: "subscriber id", .purchased: "purchase date", .settled: "settlement date",
  ]

  /// Known columns that the import ignores.
  private static let others = Set(
    """
    provider|provider country|developer|title|version|promo code|parent identifier|subscription|period|category
    cmb|device|supported platforms|proceeds reason|preserved pricing|client|app name|app apple id|app id
    subscription name|subscription group id|standard subscription duration|subscription duration
    subscription offer name|promotional offer name|promotional offer id|subscription offer duration
    introductory price duration|marketing opt in|marketing opt in duration|state|consecutive paid periods
    original start date|previous subscription name|previous subscription apple id|previous subscription id
    days before canceling|cancellation reason|days canceled|paid service days recovered|subscriber id reset
    upc|isrc isbn|artist show developer author|label studio network developer publisher|grid
    isan other identifier|pre order flag|developer name|region|partner share
    """.split { "|\n".contains($0) }.map(String.init))

  private static let knownBalances = Set(
    ["free trial", "pay up front", "pay as you go"].flatMap { way in
      [
        "active \(way) introductory offer subscriptions", "\(way) promotional offer subscriptions",
        "\(way) offer code subscriptions", "\(way) win back offers",
      ]
    } + [
      "active standard price subscriptions", "marketing opt ins", "billing retry", "grace period",
      "subscribers",
    ])
}
