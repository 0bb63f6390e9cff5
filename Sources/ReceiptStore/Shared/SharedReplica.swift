import Dispatch
import FoundationEssentials
import GRDB
import Subscriptions
import Synchronization

/// Published rows on a team's server.
package protocol SharedSource: AnyObject, Sendable {
  /// Calls `body` with a consistent state of the server.
  func reading<Value>(_ body: (any SharedReading) throws -> Value) throws -> Value
}

/// One consistent state of a team's server.
package protocol SharedReading {
  var state: SharedState { get throws }
  /// Gives `writer` new classes, the catalog, rates and, if `seq` is not negative, sums after commit `seq`.
  func refresh(after seq: Int64, _ writer: SharedWriter) throws
  func fetch(_ needs: [SharedNeed], _ writer: SharedWriter) throws
}

/// Copy in memory of the published sums and rows that queries needed so far, with the store's schema.
///
/// A query records the rows that it lacks (`SharedNeeds`), and is repeated once they have been fetched.
final class SharedReplica: Sendable {
  private struct Contents: Sendable {
    var seq: Int64 = -1
    var fetched = SharedNeeds.Fetched()
    var state: SharedState?
  }

  private let source: any SharedSource
  private let queue: DatabaseQueue
  private let contents = Mutex(Contents())
  /// Lets one thread read at a time, because a read may fetch rows.
  private let gate = DispatchSemaphore(value: 1)
  /// Maximum number of runs of a query; a query that needs more would never find its rows.
  private static let mostPasses = 40

  init(_ source: any SharedSource) throws {
    self.source = source
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try StoreConnections.harden($0) }
    queue = try DatabaseQueue(configuration: configuration)
    try queue.write { db in
      try Schema.makeTables(in: db)
      // The number of receipts comes from the published totals, not from triggers.
      try db.execute(sql: "DROP TRIGGER receipts_added; DROP TRIGGER receipts_removed")
    }
  }

  var database: any DatabaseReader { queue }

  var state: SharedState? { contents.withLock { $0.state } }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    gate.wait()
    defer { gate.signal() }
    return try source.reading { reading in
      var contents = self.contents.withLock { $0 }
      defer { self.contents.withLock { [contents] in $0 = contents } }
      try refresh(&contents, reading)
      for _ in 0..<Self.mostPasses {
        let needs = SharedNeeds(contents.fetched, contents.state)
        let result = try queue.read { db in
          SharedNeeds.$current.withValue(needs) { Result { try body(db) } }
        }
        let missing = needs.missing
        if missing.isEmpty { return try result.get() }
        try fetch(missing, &contents, reading)
      }
      throw StoreError("the query needs more rows than a shared view fetches; lower the limit")
    }
  }

  private func fetch(_ missing: [SharedNeed], _ contents: inout Contents, _ reading: any SharedReading) throws
  {
    let fetched = try queue.write { db in
      let writer = SharedWriter(db)
      try reading.fetch(missing, writer)
      return writer.fetched
    }
    contents.fetched.needs.formUnion(missing)
    contents.fetched.chains.formUnion(fetched.chains)
    contents.fetched.results.merge(fetched.results) { $1 }
  }

  /// Updates the copy if a store has published since the last read: adds sums, and deletes all chains' rows.
  private func refresh(_ contents: inout Contents, _ reading: any SharedReading) throws {
    let state = try reading.state
    defer { contents.state = state }
    guard state.seq != contents.seq else { return }
    let before = contents.seq
    // If fetching fails, the next read fills the copy again.
    contents.seq = -1
    var fetched = contents.fetched
    (fetched.chains, fetched.results) = ([], [:])
    // A lower commit number on the server means that the schema was created again.
    let isNew = before < 0 || state.seq < before
    fetched.needs = fetched.needs.filter { if case .sums = $0 { !isNew } else { false } }
    try queue.write { db in
      let tables = Set((SharedTable.rows + SharedTable.evidence + SharedTable.receipts).map(\.name))
      for table in tables { try db.execute(sql: "DELETE FROM \(table)") }
      if isNew {
        for table in SharedClass.allCases.map(\.table) + ["sums"] {
          try db.execute(sql: "DELETE FROM \(table)")
        }
      }
      let writer = SharedWriter(db)
      try writer.set(state.numbers)
      try reading.refresh(after: isNew ? -1 : before, writer)
    }
    contents.fetched = fetched
    contents.seq = state.seq
  }
}

/// Adds fetched rows to a copy in memory.
package final class SharedWriter {
  private let db: Database
  private(set) var fetched = SharedNeeds.Fetched()

  init(_ db: Database) { self.db = db }

  package func lastClass(_ kind: SharedClass) throws -> Int64 {
    try Int64.first(db, "SELECT max(id) FROM \(kind.table)") ?? 0
  }

  /// - Parameter rows: JSON array with an array for each class: its id, then the values of its columns.
  package func add(_ kind: SharedClass, _ rows: String) throws {
    let columns = ["id"] + (try db.columns(in: kind.table).map(\.name).filter { $0 != "id" })
    let values = columns.indices.map { "json_extract(value, '$[\($0)]')" }
    try db.run(
      """
      INSERT OR REPLACE INTO \(kind.table) (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM json_each(?)
      """, [rows])
  }

  package func add(sums packed: UnsafeRawBufferPointer, _ key: SumKey) throws {
    try db.run(
      "INSERT OR REPLACE INTO sums (series, grain, at, packed) VALUES (?, ?, ?, ?)",
      [key.series, key.grain, key.at, Data(packed)])
  }

  /// Adds rows with the columns of `ReceiptStore.columns(of:)`; for the row of an unknown line, also adds a
  /// placeholder to `lines`, so that queries find the line's chain.
  package func add(
    rows count: Int, of table: SharedTable, number: (_ row: Int, _ column: Int) -> Int64?,
    text: (_ row: Int, _ column: Int) -> String?
  ) throws {
    let columns = try table.columns(db)
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.map(\.name).joined(separator: ", ")
    var insert = try BoundStatement("INSERT OR REPLACE INTO \(table.name) (\(names)) VALUES (\(marks))", db)
    var line = try BoundStatement(
      """
      INSERT OR IGNORE INTO lines (id, chain_id, subscription_group_id, is_family_shared) VALUES (?, ?, ?, 0)
      """, db)
    for row in 0..<count {
      for (place, column) in columns.enumerated() {
        if column.type == "TEXT" { insert.bind(text(row, place)) } else { insert.bind(number(row, place)) }
      }
      try insert.execute()
      guard table.needsChain, let id = number(row, 0) else { continue }
      line.bind(id)
      line.bind(number(row, columns.count))
      line.bind("#\(id)")
      try line.execute()
    }
  }

  package func add(chain: Int64, _ document: String, receipts: String) throws {
    try db.run("DELETE FROM lines WHERE chain_id = ? AND subscription_group_id LIKE '#%'", [chain])
    try ChainDocument.add(document, of: SharedTable.evidence, to: db)
    try ChainDocument.add(receipts, of: SharedTable.receipts, to: db)
    fetched.chains.insert(chain)
  }

  package func note(chains: [Int64]) { fetched.chains.formUnion(chains) }

  package func set(result: [Int64], of query: String) { fetched.results[query] = result }

  func set(_ numbers: PublishedNumbers) throws {
    try db.execute(
      sql: """
        UPDATE ledger_state SET rollup_version = ?, is_complete = ?, receipts = ?, transactions = ?,
          reporting_currency = ?, rates_fingerprint = ?
        """,
      arguments: [
        numbers.rollupVersion, numbers.isWhole, numbers.receipts, numbers.transactions, numbers.currency,
        numbers.rates,
      ])
  }

  /// Replaces the catalog and the exchange rates.
  package func set(terms: String) throws {
    for (table, count) in [("catalog", 8), ("rates", 4)] {
      let names = [
        "catalog":
          "product_id, offer, valid_from_ms, subscription_group_id, level, period, price_micros, currency",
        "rates": "base, currency, day, rate_picos",
      ]
      let values = (0..<count).map { "json_extract(value, '$[\($0)]')" }.joined(separator: ", ")
      try db.execute(sql: "DELETE FROM \(table)")
      try db.run(
        "INSERT INTO \(table) (\(names[table] ?? "")) SELECT \(values) FROM json_each(?, '$.\(table)')",
        [terms])
    }
  }
}
