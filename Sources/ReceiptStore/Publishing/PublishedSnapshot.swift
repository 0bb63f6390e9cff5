import GRDB
import Subscriptions

/// Receiver of published rows, value by value, in the order of their columns.
package protocol RowSink {
  mutating func add(_ number: Int64)
  mutating func add(_ text: String)
  mutating func addNull()
  mutating func endRow()
}

/// Consistent state of the store, read for publishing, and valid only within `ReceiptStore.snapshot`.
package struct PublishedSnapshot {
  private let db: Database
  package let state: PublicationState
  let report: (Question) throws -> Report
  private let evidence: ChainDocument
  private let receipts: ChainDocument
  private var offset: Int64 { state.offset }

  init(_ db: Database, _ state: PublicationState, report: @escaping (Question) throws -> Report) throws {
    (self.db, self.state, self.report) = (db, state, report)
    evidence = try ChainDocument(SharedTable.evidence, offset: state.offset, db)
    receipts = try ChainDocument(SharedTable.receipts, offset: state.offset, db)
  }

  package func journalSeq() throws -> Int64 {
    try Int64.first(db, "SELECT journal_seq FROM publication") ?? 0
  }

  package func changedChains() throws -> [Int64] {
    try db.rows("SELECT chain_id FROM changed_chains ORDER BY chain_id") { $0[0] }
  }

  package func chains(after last: Int64, atMost count: Int) throws -> [Int64] {
    try db.rows("SELECT id FROM chains WHERE id > ? ORDER BY id LIMIT ?", [last, count]) { $0[0] }
  }

  package func isUnchanged() throws -> Bool {
    try Int.first(db, "SELECT 1 FROM changed_chains UNION ALL SELECT 1 FROM changed_sums LIMIT 1") == nil
  }

  package func chainCount() throws -> Int { try Int.first(db, "SELECT count(*) FROM chains") ?? 0 }

  package func changedSums() throws -> [SumKey] {
    try db.rows("SELECT series, grain, at FROM changed_sums ORDER BY 1, 2, 3", [], Self.key)
  }

  package func allSums() throws -> [SumKey] {
    try db.rows("SELECT series, grain, at FROM sums ORDER BY 1, 2, 3", [], Self.key)
  }

  private static func key(_ row: BoundStatement.Columns) -> SumKey {
    SumKey(series: row.count(0), grain: row.count(1), at: row[2])
  }

  package func hasEveryClass() throws -> Bool {
    try SharedClass.allCases.allSatisfy { kind in
      try Int.first(
        db,
        """
        SELECT 1 FROM \(kind.table) WHERE id NOT IN (SELECT local_id FROM published_classes WHERE kind = ?) LIMIT 1
        """, [kind.rawValue]) == nil
    }
  }

  /// Returns the server's id of each class, by the id in this store.
  package func numbers(of kind: SharedClass) throws -> [Int64: Int64] {
    var numbers: [Int64: Int64] = [:]
    try db.forEach("SELECT local_id, shared_id FROM published_classes WHERE kind = ?", [kind.rawValue]) {
      numbers[$0[0]] = $0[1]
    }
    return numbers
  }

  /// Returns the sums of a bucket by the server's class ids; empty if there are none.
  package func sums(_ key: SumKey, _ numbers: [Int64: Int64]) throws -> [PackedSums.Element] {
    try db.rows(
      "SELECT packed FROM sums WHERE series = ? AND grain = ? AND at = ?", [key.series, key.grain, key.at]
    ) { row in
      try PackedSums.unpack(row.bytes(0)).map { element -> PackedSums.Element in
        guard let number = numbers[element.kind] else {
          throw AttributeDictionary.missing(element.kind, of: "published_classes")
        }
        return (number, element.sum)
      }.sorted { $0.kind < $1.kind }
    }.first ?? []
  }

  /// Adds the rows of a chain to a sink, with the columns of `ReceiptStore.columns(of:)`.
  package func addRows(of table: SharedTable, chain: Int64, to sink: inout some RowSink) throws {
    let columns = try ReceiptStore.columns(of: table)
    try db.forEach(table.select(offset, db), [chain]) { row in
      for (place, column) in columns.enumerated() {
        let place = CInt(place)
        if row.isNull(place) {
          sink.addNull()
        } else if column.type == "TEXT" {
          sink.add(row.longText(place) ?? "")
        } else {
          sink.add(row[place])
        }
      }
      sink.endRow()
    }
  }

  package func document(chain: Int64) throws -> String { try evidence.encode(chain: chain, db) }

  package func receipts(chain: Int64) throws -> String { try receipts.encode(chain: chain, db) }

  /// Returns the ids that find a chain, including users whose receipts were never validated.
  package func ids(chain: Int64) throws -> [(kind: PublishedID, id: String)] {
    try PublishedID.allCases.flatMap { kind in
      try db.rows(kind.query, [chain]) { row in row.text(0).map { (kind, $0) } }
    }
  }

  /// Catalog and exchange rates as a JSON document.
  package func terms() throws -> String {
    try db.rows(
      """
      SELECT json_object(
        'catalog', (SELECT json_group_array(json_array(product_id, offer, valid_from_ms, subscription_group_id, level,
          period, price_micros, currency)) FROM catalog),
        'rates', (SELECT json_group_array(json_array(base, currency, day, rate_picos)) FROM rates))
      """
    ) { $0.longText(0) }.first ?? "{}"
  }

  func firstPurchase() throws -> Instant? { try ReceiptStore.firstPurchase(db) }

  package func numbers(at now: Instant) throws -> PublishedNumbers {
    func count(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
      try Int.first(db, sql, arguments) ?? 0
    }
    var numbers = PublishedNumbers()
    numbers.receipts = try count("SELECT receipts FROM ledger_state")
    numbers.transactions = try count("SELECT transactions FROM ledger_state")
    numbers.lines = try count("SELECT count(*) FROM lines")
    numbers.chains = try chainCount()
    numbers.due = try count("SELECT count(*) FROM receipts WHERE next_due_at_ms <= ?", [now])
    numbers.dead = try count("SELECT count(*) FROM receipts WHERE dead_reason IS NOT NULL")
    numbers.firstPurchase = try firstPurchase()
    numbers.currency = try ReportingCurrency.read(db)
    numbers.rates = try Int64.first(db, "SELECT rates_fingerprint FROM ledger_state") ?? 0
    numbers.isWhole = try StoredLedger.isWhole(db)
    return numbers
  }
}

/// Kind of an id that a search can find.
package enum PublishedID: Int, CaseIterable, Sendable {
  case original, user, transaction, order, accountToken, appTransaction

  fileprivate var query: String {
    switch self {
    case .original: "SELECT original_transaction_id FROM chains WHERE id = ?"
    case .user:
      """
      SELECT DISTINCT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
      WHERE k.chain_id = ? AND q.app_user_id <> '' ORDER BY 1
      """
    case .transaction: Self.ofRows("transaction_id")
    case .order: Self.ofRows("web_order_line_item_id")
    case .accountToken: Self.ofRows("app_account_token")
    case .appTransaction:
      """
      SELECT DISTINCT s.app_transaction_id FROM transaction_rows x JOIN signed_terms s ON s.transaction_row = x.id
      WHERE x.chain_id = ? AND s.app_transaction_id IS NOT NULL ORDER BY 1
      """
    }
  }

  private static func ofRows(_ column: String) -> String {
    "SELECT DISTINCT \(column) FROM transaction_rows WHERE chain_id = ? AND \(column) IS NOT NULL ORDER BY 1"
  }
}
