import GRDB
import Subscriptions

extension ReceiptStore {
  /// Version of the published rows: the versions of the counting rules and of the store's schema.
  package static var publishedVersion: String { "\(RollupWriter.version)_\(Schema.version)" }

  /// Returns the publication state; `nil` if the store was never published.
  package func publication() throws(StoreError) -> PublicationState? {
    try read("read the state of publishing from", Self.publication)
  }

  static func publication(_ db: Database) throws -> PublicationState? {
    try db.rows("SELECT store_id, part_offset, tokens FROM publication") { row in
      let tokens: String = try row.read(2)
      return PublicationState(
        storeID: try row.read(0), offset: try row.read(1),
        tokens: tokens.split(separator: " ").map(String.init))
    }.first
  }

  /// Saves the publication state, deletes the stored server ids of classes, and starts an empty journal.
  package func keep(_ state: PublicationState) throws(StoreError) {
    try write("save the state of publishing in") { db in
      try db.execute(
        sql: """
          DELETE FROM publication; DELETE FROM published_classes; DELETE FROM changed_chains;
          DELETE FROM changed_sums;
          """)
      try db.execute(
        sql: """
          INSERT INTO publication (store_id, part_offset, journal_seq, tokens) VALUES (?, ?, 0, ?)
          """, arguments: [state.storeID, state.offset, state.tokens.joined(separator: " ")])
    }
  }

  /// Saves the token of the next commit on the server; keeps ten, because several programs may publish.
  package func keep(token: String) throws(StoreError) {
    try write("save the state of publishing in") { db in
      let known = try Self.publication(db)?.tokens ?? []
      let tokens = known.filter { $0 != token }.suffix(9) + [token]
      try db.execute(
        sql: "UPDATE publication SET tokens = ?", arguments: [tokens.joined(separator: " ")])
    }
  }

  /// Returns up to a thousand classes that the server does not have yet.
  package func unpublished(_ kind: SharedClass) throws(StoreError) -> [UnpublishedClass] {
    try read("read the classes of") { db in
      let columns = try db.columns(in: kind.table).map(\.name).filter { $0 != "id" }.map { column in
        kind == .change && column.hasSuffix("position_id")
          ? """
          (SELECT shared_id FROM published_classes WHERE kind = \(SharedClass.position.rawValue)
            AND local_id = t.\(column))
          """ : "t.\(column)"
      }
      return try db.rows(
        """
        SELECT t.id, json_array(\(columns.joined(separator: ", "))) FROM \(kind.table) t
        WHERE t.id NOT IN (SELECT local_id FROM published_classes WHERE kind = \(kind.rawValue))
        ORDER BY t.id LIMIT 1000
        """
      ) { UnpublishedClass(localID: $0[0], key: $0.longText(1) ?? "") }
    }
  }

  package func keep(_ numbers: [Int64: Int64], of kind: SharedClass) throws(StoreError) {
    try write("record published classes in") { db in
      var insert = try BoundStatement(
        "INSERT OR REPLACE INTO published_classes (kind, local_id, shared_id) VALUES (?, ?, ?)", db)
      for (local, shared) in numbers {
        insert.bind(Int64(kind.rawValue))
        insert.bind(local)
        insert.bind(shared)
        try insert.execute()
      }
    }
  }

  /// Deletes the stored server ids of classes, so that publishing requests them again.
  package func forgetPublishedClasses() throws(StoreError) {
    try write("save the state of publishing in") { try $0.execute(sql: "DELETE FROM published_classes") }
  }

  package func forgetJournal(through seq: Int64) throws(StoreError) {
    try write("save the state of publishing in") { db in
      try db.execute(sql: "DELETE FROM changed_chains WHERE seq <= ?", arguments: [seq])
      try db.execute(sql: "DELETE FROM changed_sums WHERE seq <= ?", arguments: [seq])
    }
  }

  /// Reads one consistent state of the store; errors of `body` keep their type.
  package func snapshot<Value>(
    _ body: (PublishedSnapshot) throws -> Value
  ) throws -> Value {
    try withoutActuallyEscaping(body) { body in
      let result = try read("read what is to be published of") { db in
        guard let state = try Self.publication(db) else {
          throw StoreError("it does not publish; run `subtop publish --init` first")
        }
        let snapshot = try PublishedSnapshot(db, state) { try self.report($0, db) }
        return Result { try body(snapshot) }
      }
      return try result.get()
    }
  }
}

extension ReceiptStore {
  private static let columns = Result {
    try DatabaseQueue().write { db in
      try Schema.makeTables(in: db)
      let tables = SharedTable.rows.map(\.name) + SharedClass.allCases.map(\.table)
      return try tables.reduce(into: [String: [(name: String, type: String)]]()) { columns, table in
        columns[table] = try db.columns(in: table).map { ($0.name, $0.type) }
      }
    }
  }

  /// Columns of a published table on the server, with their SQLite types.
  package static func columns(of table: SharedTable) throws -> [(name: String, type: String)] {
    try columns.get()[table.name, default: []] + (table.needsChain ? [("chain_id", "INTEGER")] : [])
  }

  /// Columns of a class with their SQLite types, in the order of `UnpublishedClass.key`.
  package static func columns(of kind: SharedClass) throws -> [(name: String, type: String)] {
    try columns.get()[kind.table, default: []].filter { $0.name != "id" }
  }
}
