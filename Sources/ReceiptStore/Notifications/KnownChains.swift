import GRDB
import Subscriptions

/// Facts about chains from the store and from the notifications of one import, to detect outdated bodies.
/// Notifications of version 1 are undated.
///
/// All facts must be known before the first notification is judged, so they are in temporary tables, which
/// SQLite moves to files if they are large.
struct KnownChains {
  let db: Database
  private let shapes: Shapes

  init(db: Database) {
    self.db = db
    shapes = Shapes(db: db)
  }

  private struct Known {
    var id: Int64
    var newestPurchase: Instant
    /// Last switch of auto-renew dated by a notification.
    var lastSwitch: Instant
    /// Last validation with renewal infos before the import.
    var infosThrough: Instant?
    /// Whether facts from the store have been added.
    var isLookedUp: Bool
  }

  var tables: ImportTables {
    ImportTables(
      db: db, names: ["known_chains", "known_rows", "known_infos"],
      sql: """
        CREATE TEMP TABLE known_chains (id INTEGER PRIMARY KEY, environment TEXT NOT NULL, original TEXT NOT NULL,
          newest_purchase_ms INTEGER NOT NULL, last_switch_ms INTEGER NOT NULL, infos_through_ms INTEGER,
          is_looked_up INTEGER NOT NULL DEFAULT 0, UNIQUE (original, environment)) STRICT;
        CREATE TEMP TABLE known_rows (chain_id INTEGER NOT NULL, transaction_id TEXT NOT NULL,
          is_cancelled INTEGER NOT NULL, is_upgraded INTEGER NOT NULL, expires_date_ms INTEGER,
          PRIMARY KEY (chain_id, transaction_id)) STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE known_infos (chain_id INTEGER NOT NULL, place INTEGER NOT NULL, product_id TEXT,
          auto_renew_status INTEGER, PRIMARY KEY (chain_id, place)) STRICT, WITHOUT ROWID
        """)
  }

  func add(_ notification: ImportedNotification) throws {
    let environment = notification.facts.environment
    for (original, rows) in notification.rowsByChain {
      let isSubject = original == notification.facts.originalTransactionID
      let date = isSubject ? notification.facts.autoRenewStatusChangeDate : nil
      try add(rows, switched: date, to: original, in: environment)
    }
  }

  func add(_ notification: SignedNotification) throws {
    for row in notification.rows.flatMap(\.answer.transactions) {
      try add([row], switched: nil, to: row.originalTransactionID, in: notification.environment)
    }
  }

  @discardableResult
  private func add(
    _ rows: [Transaction], switched date: Instant?, to original: OriginalTransactionID,
    in environment: StoreEnvironment
  ) throws -> Int64 {
    let upsert = try db.cachedStatement(
      sql: """
        INSERT INTO temp.known_chains (environment, original, newest_purchase_ms, last_switch_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET newest_purchase_ms = max(newest_purchase_ms, excluded.newest_purchase_ms),
          last_switch_ms = max(last_switch_ms, excluded.last_switch_ms)
        RETURNING id
        """)
    let newest = rows.map(\.purchaseDate).max() ?? .distantPast
    let chain = try Int64.fetchOne(
      upsert, arguments: [environment.rawValue, original, newest, date ?? .distantPast])
    guard let chain else { return 0 }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO temp.known_rows VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET is_cancelled = max(is_cancelled, excluded.is_cancelled),
          is_upgraded = max(is_upgraded, excluded.is_upgraded),
          expires_date_ms = max(ifnull(expires_date_ms, excluded.expires_date_ms),
            ifnull(excluded.expires_date_ms, expires_date_ms))
        """)
    for row in rows {
      try statement.execute(arguments: [
        chain, row.transactionID, row.cancellationDate != nil, row.isUpgraded, row.expiresDate,
      ])
    }
    return chain
  }

  /// Adds the store's facts about a notification's chains, before anything of the import is written.
  func lookUp(_ notification: ImportedNotification) throws {
    let environment = notification.facts.environment
    for original in notification.rowsByChain.keys {
      guard let known = try known(original, in: environment), !known.isLookedUp else { continue }
      try db.cachedStatement(sql: "UPDATE temp.known_chains SET is_looked_up = 1 WHERE id = ?").execute(
        arguments: [known.id])
      if let chain = try ChainRecord.existing(original, in: environment, db) {
        try lookUp(chain, original, environment)
      }
    }
  }

  private func lookUp(
    _ chain: ChainRecord, _ original: OriginalTransactionID, _ environment: StoreEnvironment
  ) throws {
    let rows = try StoredTransaction.fetch(chain: chain, shapes, db).map(\.transaction)
    let lastSwitch = try NotificationRecord.fetch(chain: chain, db).compactMap(\.autoRenewStatusChangeDate)
      .max()
    let id = try add(rows, switched: lastSwitch, to: original, in: environment)
    try db.cachedStatement(sql: "UPDATE temp.known_chains SET infos_through_ms = ? WHERE id = ?").execute(
      arguments: [chain.renewalsObservedAt, id])
    let renewals = try StoredRenewal.fetch(chain: chain, db).map(\.observation)
    let newest = renewals.filter { $0.observedAt == renewals.last?.observedAt }.map(\.info)
    let statement = try db.cachedStatement(sql: "INSERT INTO temp.known_infos VALUES (?, ?, ?, ?)")
    for (place, info) in newest.enumerated() {
      try statement.execute(arguments: [id, place, info.productID, info.autoRenewStatus])
    }
  }

  private func known(
    _ original: OriginalTransactionID, in environment: StoreEnvironment
  ) throws -> Known? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, newest_purchase_ms, last_switch_ms, infos_through_ms, is_looked_up FROM temp.known_chains
        WHERE original = ? AND environment = ?
        """)
    return try FetchedRow.fetchOne(statement, arguments: [original, environment.rawValue]).map { row in
      try Known(
        id: row[0], newestPurchase: row[1], lastSwitch: row[2], infosThrough: row[3], isLookedUp: row[4])
    }
  }

  /// Whether a body was sent before known facts: it lacks a later purchase, an end of a period, or a later
  /// switch of auto-renew.
  func isOutdated(_ notification: ImportedNotification) throws -> Bool {
    for (original, rows) in notification.rowsByChain {
      guard let known = try known(original, in: notification.facts.environment) else { continue }
      if try isOutdated(rows, by: known) { return true }
      guard original == notification.facts.originalTransactionID else { continue }
      if try isOutdated(notification.facts, newest: rows.max(by: Transaction.inOrder), by: known) {
        return true
      }
    }
    return false
  }

  private func isOutdated(_ rows: [Transaction], by known: Known) throws -> Bool {
    guard let newest = rows.map(\.purchaseDate).max() else { return false }
    if newest < known.newestPurchase { return true }
    let statement = try db.cachedStatement(
      sql: """
        SELECT is_cancelled, is_upgraded, expires_date_ms FROM temp.known_rows
        WHERE chain_id = ? AND transaction_id = ?
        """)
    return try rows.contains { row in
      guard let other = try FetchedRow.fetchOne(statement, arguments: [known.id, row.transactionID]) else {
        return false
      }
      let expires: Instant? = try other[2]
      return try (row.cancellationDate == nil && other[0]) || (!row.isUpgraded && other[1])
        || (row.expiresDate ?? .distantPast) < (expires ?? .distantPast)
    }
  }

  /// Whether the body's switch of auto-renew precedes a later one, or later renewal infos contradict it.
  private func isOutdated(
    _ facts: ServerNotification, newest: Transaction?, by known: Known
  ) throws -> Bool {
    guard let date = facts.autoRenewStatusChangeDate else { return false }
    if date < known.lastSwitch { return true }
    guard let through = known.infosThrough, date < through, let told = facts.autoRenewStatus else {
      return false
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT auto_renew_status FROM temp.known_infos WHERE chain_id = :chain
        ORDER BY product_id IS :product DESC, place DESC LIMIT 1
        """)
    let status = try Bool?.fetchOne(
      statement, arguments: ["chain": known.id, "product": newest?.productID])
    return (status ?? nil) == !told
  }
}

extension ImportedNotification {
  /// Transactions by chain, with an entry for the chain of the notification.
  fileprivate var rowsByChain: [OriginalTransactionID: [Transaction]] {
    var rows = Dictionary(grouping: answer.transactions, by: \.originalTransactionID)
    rows[facts.originalTransactionID, default: []] += []
    return rows
  }
}
