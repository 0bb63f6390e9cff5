import GRDB
import Subscriptions
import Synchronization

/// The classes of facts, by their numbers and by the shapes of the rows that are counted in them. A number is never given to another
/// class or shape, so that what was once read stays true.
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

  /// All that are in the table.
  func read(_ db: Database) throws -> Numbered {
    let last = known.withLock { $0.all.classes.last }
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, \(FactShape.columns.joined(separator: ", ")) FROM fact_classes WHERE id > ? ORDER BY id
          """), arguments: [last])
    return known.withLock { known in
      for row in rows {
        guard let kind = FactShape.kind(row, from: 1) else { continue }
        known.all.classes.put(kind, at: row[0])
        known.all.numbers[kind] = row[0]
      }
      return known.all
    }
  }

  /// What rows of a shape are counted as.
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

/// What decides as what a row is counted: its shape, and which dates there are.
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
