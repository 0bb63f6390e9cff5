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
    guard let found = try TransactionShape.fetch(shape, db) else { throw Shapes.missing(shape) }
    let facts = CountedRow(found, dates).facts
    known.withLock { known in
      if known.ofRows.count >= Shapes.most { known.ofRows.removeAll() }
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
      environment: shape.environment, product: row.productID,
      isFamilyShared: row.inAppOwnershipType.isShared, kind: facts.kind,
      price: facts.priceMicros.flatMap { micros in
        facts.currency.map { Money(micros: micros, currency: $0) }
      }, isPriceSigned: facts.isPriceSigned ?? false, storefront: facts.storefront, arrival: facts.arrival,
      isPastFirstYear: facts.isPastFirstYear, refundReason: facts.refundReason,
      app: facts.app, outcome: facts.outcome, period: facts.period.flatMap(Period.init(parsing:)),
      change: facts.changeDirection,
      upgrade: facts.upgraded == true
        ? (facts.upgradeDirection ?? .unranked, isConfirmed: facts.upgradeConfirmed ?? false) : nil,
      dates: dates)
  }
}
