import GRDB
import Subscriptions
import Synchronization

/// A class of facts as the table keeps it.
struct FactShape: StoredShape {
  var kind: FactClass

  static let table = "fact_classes"
  static let columns = ["family", "environment", "product_id", "detail", "currency"]

  func tell(_ values: inout some ColumnValues) {
    values.bind(kind.family.rawValue)
    values.bind(kind.environment.rawValue)
    values.bind(kind.product)
    values.bind(kind.detail)
    values.bind(kind.currency)
  }

  /// Nil where the row names something that there is not.
  static func kind(_ row: FetchedRow, from first: Int) -> FactClass? {
    guard let family = FactFamily(rawValue: row[first]) else { return nil }
    return FactClass(
      family, StoreEnvironment(row[first + 1] as String), product: row[first + 2], detail: row[first + 3],
      currency: row[first + 4])
  }
}

/// A class of facts with what its detail says read once. There is one object for each, so that sums do not compare texts.
final class KnownFactClass: Sendable, Hashable {
  let kind: FactClass
  let bought: BoughtDetail?
  let due: DueDetail?
  let upgrade: UpgradeDetail?

  fileprivate init(_ kind: FactClass) {
    self.kind = kind
    bought = kind.family == .bought ? BoughtDetail(kind.detail) : nil
    due = kind.family == .due ? DueDetail(kind.detail) : nil
    upgrade = kind.family == .upgrade ? UpgradeDetail(kind.detail) : nil
  }

  static func == (left: KnownFactClass, right: KnownFactClass) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The classes of facts, by their numbers and by the shapes of the rows that are counted in them. A number is never given to another
/// class or shape, so that what was once read stays true.
final class FactClasses: Sendable {
  private struct Known {
    var numbered: [Int64: KnownFactClass] = [:]
    var byKind: [FactClass: KnownFactClass] = [:]
    var last: Int64 = 0
    var ofRows: [RowFacts.Key: [(fact: RowFact, kind: KnownFactClass)]] = [:]

    mutating func of(_ kind: FactClass) -> KnownFactClass {
      if let known = byKind[kind] { return known }
      let new = KnownFactClass(kind)
      byKind[kind] = new
      return new
    }
  }

  private let known = Mutex(Known())

  /// All that are in the table.
  func read(_ db: Database) throws -> [Int64: KnownFactClass] {
    let last = known.withLock { $0.last }
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, \(FactShape.columns.joined(separator: ", ")) FROM fact_classes WHERE id > ? ORDER BY id
          """), arguments: [last])
    return known.withLock { known in
      for row in rows {
        if let kind = FactShape.kind(row, from: 1) { known.numbered[row[0]] = known.of(kind) }
        known.last = max(known.last, row[0])
      }
      return known.numbered
    }
  }

  func of(_ kind: FactClass) -> KnownFactClass { known.withLock { $0.of(kind) } }

  /// What rows of a shape are counted as.
  func facts(
    ofRows key: RowFacts.Key, _ dates: RowDates, _ db: Database
  ) throws -> [(fact: RowFact, kind: KnownFactClass)] {
    if let facts = known.withLock({ $0.ofRows[key] }) { return facts }
    let shape = try TransactionShape.fetch(key.shape, db)
    return known.withLock { known in
      let facts = shape.map { RowFacts($0, dates).facts.map { (fact: $0, kind: known.of($0.kind)) } } ?? []
      known.ofRows[key] = facts
      return facts
    }
  }
}
