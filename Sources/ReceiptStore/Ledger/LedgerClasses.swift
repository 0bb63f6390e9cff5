import FoundationEssentials
import GRDB
import Subscriptions
import Synchronization

/// Cache of the classes of positions, changes and facts by their row ids, which are never reassigned.
final class LedgerClasses: Sendable {
  struct Known {
    var changes: [Int64: ChangeClass] = [:]
    var positions: [Int64: PositionClass] = [:]
    /// Ids of the change classes of renewals, which keep the position class, by the id of that class.
    var renewals: [Int64: Int64] = [:]
    var facts: [Int64: FactClass] = [:]
    var numbersOfFacts: [FactClass: Int64] = [:]
    fileprivate var (lastPosition, lastChange, lastFact) = (0, 0, 0)
    fileprivate var ofRows: [RowFactsKey: [RowFact]] = [:]
  }

  private let known = Mutex(Known())

  func read(_ db: Database) throws -> Known {
    try known.withLock { known in
      try PositionShape.forEach(after: known.lastPosition, db) { number, shape in
        known.positions[number] = shape.position
        known.lastPosition = Int(number)
      }
      try ChangeShape.forEach(after: known.lastChange, db) { number, shape in
        known.lastChange = Int(number)
        // Use the cached positions, so that comparing two of them mostly compares references.
        guard let new = known.positions[shape.new] else { return }
        let kind = ChangeClass(old: shape.old.flatMap { known.positions[$0] }, new: new, flow: shape.flow)
        known.changes[number] = kind
        if kind.flow == nil, kind.old == new { known.renewals[shape.new] = number }
      }
      try FactShape.forEach(after: known.lastFact, db) { number, shape in
        known.lastFact = Int(number)
        known.facts[number] = shape.kind
        known.numbersOfFacts[shape.kind] = number
      }
      return known
    }
  }

  func facts(ofShape shape: Int64, _ dates: RowDates, _ db: Database) throws -> [RowFact] {
    let key = RowFactsKey(shape: shape, dates)
    if let facts = known.withLock({ $0.ofRows[key] }) { return facts }
    guard let found = try TransactionShape.fetch(shape, db) else {
      throw AttributeDictionary.missing(shape, of: TransactionShape.sql.table)
    }
    let facts = CountedRow(found, dates).facts
    known.withLock { known in
      if known.ofRows.count >= AttributeDictionary.most { known.ofRows.removeAll() }
      known.ofRows[key] = facts
    }
    return facts
  }
}

struct PositionShape: StoredRow {
  var position = PositionClass(
    environment: .production, state: .expired, product: ProductID(""), kind: .standard)

  static let sql = RowSQL(Self(), "position_classes")

  mutating func map(_ columns: inout some ColumnMapper) {
    var (environment, state, product, kind) = (
      position.environment, position.state, position.product, position.kind
    )
    var (autoRenew, reason, currency) = (position.autoRenew, position.reason?.text, position.currency)
    var (isUnseen, isPending, storefront) = (position.isUnseen, position.isChangePending, position.storefront)
    columns.map("environment", &environment)
    columns.map("state", &state)
    columns.map("product_id", &product)
    columns.map("kind", &kind)
    columns.map("auto_renew", &autoRenew)
    columns.map("reason", &reason)
    columns.map("currency", &currency)
    columns.map("is_unseen", &isUnseen)
    columns.map("is_change_pending", &isPending)
    columns.map("storefront", &storefront)
    position = PositionClass(
      environment: environment, state: state, product: product, kind: kind, autoRenew: autoRenew,
      reason: reason.map(LossReason.init(text:)), currency: currency, isUnseen: isUnseen,
      isChangePending: isPending, storefront: storefront)
  }

  static func intent(of reason: String) -> String {
    let mark = LossReason.intentMark
    return "iif(\(reason) LIKE '\(mark)%', substr(\(reason), \(mark.count + 1)), NULL)"
  }
}

struct ChangeShape: StoredRow {
  var old: Int64?
  var new: Int64 = 0
  var flow: Flow?

  static let sql = RowSQL(Self(), "change_classes")

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("old_position_id", &old)
    columns.map("new_position_id", &new)
    columns.map("flow", &flow)
  }
}

extension LossReason {
  fileprivate static let intentMark = "intent "

  fileprivate var text: String {
    switch self {
    case .intent(let intent): Self.intentMark + intent.rawValue
    case .unknown: "unknown"
    case .refunded: "refunded"
    }
  }

  fileprivate init(text: String) {
    switch text {
    case "refunded": self = .refunded
    case _ where text.hasPrefix(Self.intentMark):
      self = .intent(ExpirationIntent(String(text.dropFirst(Self.intentMark.count))))
    default: self = .unknown
    }
  }
}

struct FactShape: StoredRow {
  var kind = FactClass(.fresh, .production)

  static let sql = RowSQL(Self(), "fact_classes")

  mutating func map(_ columns: inout some ColumnMapper) {
    let own = kind.kind.json
    var (family, detail) = (Int64(kind.family.rawValue), own)
    var (environment, product, currency, storefront) = (
      kind.environment, kind.product, kind.currency, kind.storefront
    )
    columns.map("family", &family)
    columns.map("environment", &environment)
    columns.map("product_id", &product)
    columns.map("detail", &detail)
    columns.map("currency", &currency)
    columns.map("storefront", &storefront)
    guard let known = detail == own ? kind.kind : FactKind(json: detail),
      Int64(known.family.rawValue) == family
    else { return columns.reject() }
    kind = FactClass(known, environment, product: product, currency: currency, storefront: storefront)
  }
}

extension FactKind {
  fileprivate var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  fileprivate init?(json: String) {
    guard let kind = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
    self = kind
  }
}

struct CohortShape: StoredRow {
  var origin = CohortOrigin(.production, product: ProductID(""), storefront: nil, kind: .standard, offer: nil)
  var currency: CurrencyCode?

  static let sql = RowSQL(Self(), "cohort_classes")

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("environment", &origin.environment)
    columns.map("product_id", &origin.product)
    columns.map("storefront", &origin.storefront)
    columns.map("kind", &origin.kind)
    columns.map("offer", &origin.offer)
    columns.map("currency", &currency)
  }

  static func fetchAll(_ db: Database) throws -> [Int64: CohortShape] {
    var shapes: [Int64: CohortShape] = [:]
    try forEach(after: 0, db) { shapes[$0] = $1 }
    return shapes
  }
}

/// Key of cached facts: the shape of a row, and flags for the dates and the prorated refund that it has.
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
    self.init(shape.environment, row.productID, isFamilyShared: row.inAppOwnershipType.isShared, dates)
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
