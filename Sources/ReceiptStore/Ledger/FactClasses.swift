import GRDB
import Subscriptions
import Synchronization

/// Cache of the classes of facts, by number and by the shape of the rows they count. Numbers are never
/// reassigned, so entries stay valid.
final class FactClasses: Sendable {
  private struct Known {
    var all = Numbered()
    var ofRows: [RowFactsKey: [RowFact]] = [:]
  }

  private let known = Mutex(Known())

  struct Numbered {
    var classes = NumberedClasses<FactClass>()
    var numbers: [FactClass: Int] = [:]
  }

  func read(_ db: Database) throws -> Numbered {
    try known.withLock { known in
      try FactShape.forEach(after: known.all.classes.last, db) { number, shape in
        known.all.classes.put(shape.kind, at: Int(number))
        known.all.numbers[shape.kind] = Int(number)
      }
      return known.all
    }
  }

  func facts(ofShape shape: Int64, _ dates: RowDates, _ db: Database) throws -> [RowFact] {
    let key = RowFactsKey(shape: shape, dates)
    if let facts = known.withLock({ $0.ofRows[key] }) { return facts }
    guard let found = try TransactionShape.fetch(shape, db) else { throw AttributeDictionary.missing(shape) }
    let facts = CountedRow(found, dates).facts
    known.withLock { known in
      if known.ofRows.count >= AttributeDictionary.most { known.ofRows.removeAll() }
      known.ofRows[key] = facts
    }
    return facts
  }
}

/// Key of a row's facts: its shape, and which dates it has.
struct RowFactsKey: Hashable {
  private let shape: Int64
  private let dates: UInt8

  init(shape: Int64, _ dates: RowDates) {
    self.shape = shape
    let known = [
      dates.expires != nil, dates.refunded != nil, dates.upgraded != nil, dates.cancelled != nil,
      dates.proratedRefund != nil,
    ]
    self.dates = known.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }
}

extension CountedRow {
  init(_ shape: TransactionShape, _ dates: RowDates) {
    let (row, facts) = (shape.transaction, shape.facts)
    self.init(
      shape.environment, row.productID, isFamilyShared: row.inAppOwnershipType.isShared, dates)
    (kind, app, storefront) = (facts.kind, facts.app, facts.storefront)
    price = facts.priceMicros.flatMap { micros in
      facts.currency.map { Money(micros: micros, currency: $0) }
    }
    isPriceSigned = facts.isPriceSigned ?? false
    (arrival, isPastFirstYear) = (facts.arrival ?? .initial, facts.isPastFirstYear ?? false)
    refundReason = facts.refundReason
    (outcome, period) = (facts.outcome, facts.period.flatMap(Period.init(parsing:)))
    change = facts.changeDirection
    if facts.upgraded == true {
      upgrade = (facts.upgradeDirection ?? .unranked, isConfirmed: facts.upgradeConfirmed ?? false)
    }
  }
}

struct FactShape: FetchableShape {
  var kind: FactClass

  static let table = "fact_classes"
  static let columns = ["family", "environment", "product_id", "detail", "currency", "storefront"]

  func bind(to values: inout some ColumnValues) {
    values.bind(kind.family.rawValue)
    values.bind(kind.environment.rawValue)
    values.bind(kind.product)
    values.bind(kind.kind.detail)
    values.bind(kind.currency)
    values.bind(kind.storefront)
  }

  init(kind: FactClass) { self.kind = kind }

  init?(_ row: BoundStatement.Columns) {
    guard let family = FactFamily(rawValue: row.count(0)),
      let kind = FactKind(family, detail: row.text(3) ?? "")
    else { return nil }
    self.kind = FactClass(
      kind, StoreEnvironment(row.text(1) ?? ""), product: ProductID(row.text(2) ?? ""), currency: row.text(4),
      storefront: row.text(5))
  }
}

extension FactKind {
  /// Properties that distinguish facts of a family, separated by spaces.
  fileprivate var detail: String {
    switch self {
    case .fresh, .shared, .unpriced, .undated, .oneTimeRefund: ""
    case .event(let newProduct): newProduct?.rawValue ?? ""
    case .bought(let bought):
      "\([bought.isPaid, bought.isPastFirstYear, bought.isRefunded, bought.isPriceSigned].text) \(bought.arrival.rawValue) "
        + "\(bought.priceMicros.map(String.init) ?? "-") \(bought.app?.rawValue ?? "")"
    case .change(let direction): direction.rawValue
    case .due(let result, let period): "\(result.rawValue) \(period?.iso8601 ?? "-")"
    case .trialEnd(let outcome): outcome.rawValue
    case .refund(let reason): reason ?? ""
    case .upgrade(let direction, let isConfirmed): "\(direction.rawValue) \([isConfirmed].text)"
    case .comingDue(_, let isRenewing): [isRenewing].text
    case .retry(let retry): "\([retry.isTrial, retry.hadGrace].text) \(retry.back.text)"
    case .offer(let use), .offerRevenue(let use):
      "\(use.kind.rawValue) \(use.next.rawValue) \([use.isUnpriced].text) \(use.offer ?? "")"
    case .optOut, .endingSoon, .consent, .pendingConsent: ""
    }
  }

  fileprivate init?(_ family: FactFamily, detail: String) {
    // Splits bytes, since the first character of an app's name may combine with the space before it.
    let words = detail.utf8.split(
      separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    switch family {
    case .fresh: self = .fresh
    case .shared: self = .shared
    case .unpriced: self = .unpriced
    case .undated: self = .undated
    case .oneTimeRefund: self = .oneTimeRefund
    case .event: self = .event(newProduct: detail.isEmpty ? nil : ProductID(detail))
    case .bought:
      guard words.count == 4, words[0].utf8.count == 4, let arrival = Arrival(rawValue: words[1]) else {
        return nil
      }
      let flags = words[0].map { $0 == "1" }
      self = .bought(
        Bought(
          isPaid: flags[0], arrival: arrival, isPastFirstYear: flags[1], isRefunded: flags[2],
          priceMicros: Int64(words[2]), isPriceSigned: flags[3],
          app: words[3].isEmpty ? nil : BundleID(words[3])))
    case .change:
      guard let direction = ChangeDirection(rawValue: detail) else { return nil }
      self = .change(direction)
    case .due:
      guard words.count == 2, let result = PeriodResult(rawValue: words[0]) else { return nil }
      self = .due(result, Period(parsing: words[1]))
    case .trialEnd:
      guard let outcome = PeriodOutcome(rawValue: detail) else { return nil }
      self = .trialEnd(outcome)
    case .refund: self = .refund(reason: detail.isEmpty ? nil : detail)
    case .upgrade:
      guard words.count == 2, let direction = ChangeDirection(rawValue: words[0]) else { return nil }
      self = .upgrade(direction, isConfirmed: words[1] == "1")
    case .dueInADay: self = .comingDue(.day, isRenewing: detail == "1")
    case .dueInAWeek: self = .comingDue(.week, isRenewing: detail == "1")
    case .retry:
      guard words.count == 2, words[0].utf8.count == 2, let back = Retry.Back(text: words[1]) else {
        return nil
      }
      let flags = words[0].map { $0 == "1" }
      self = .retry(Retry(isTrial: flags[0], hadGrace: flags[1], back: back))
    case .offer, .offerRevenue:
      guard words.count == 4, let kind = PeriodKind(rawValue: words[0]),
        let next = OfferUse.Next(rawValue: words[1])
      else { return nil }
      let use = OfferUse(
        kind: kind, offer: words[3].isEmpty ? nil : words[3], next: next, isUnpriced: words[2] == "1")
      self = family == .offer ? .offer(use) : .offerRevenue(use)
    case .optOut: self = .optOut
    case .endingSoon: self = .endingSoon
    case .consent: self = .consent
    case .pendingConsent: self = .pendingConsent
    }
  }
}

extension FactKind.Retry.Back {
  fileprivate var text: String {
    switch self {
    case .never: "never"
    case .within(let days): String(days)
    case .later: "later"
    }
  }

  fileprivate init?(text: String) {
    switch text {
    case "never": self = .never
    case "later": self = .later
    default:
      guard let days = Int(text) else { return nil }
      self = .within(days: days)
    }
  }
}

extension [Bool] {
  fileprivate var text: String { String(decoding: map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self) }
}
