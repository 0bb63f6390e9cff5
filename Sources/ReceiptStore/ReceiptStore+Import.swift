import GRDB
import Subscriptions

/// Result of an import of answers or notifications.
public struct ImportSummary: Hashable, Sendable {
  public var items = 0
  /// Answers with new information, or notifications that were not in the store.
  public var changed = 0
  public var newTransactions = 0
  /// Receipts that became due because of notifications.
  public var due = 0
  public var refused: [Refusal] = []
  public var isKept = false

  /// Answer or notification that was not imported.
  public struct Refusal: Hashable, Sendable {
    public var index: Int
    public var reason: String

    package init(index: Int, reason: String) { (self.index, self.reason) = (index, reason) }
  }

  /// Adds items page by page within a transaction.
  ///
  /// - Parameters:
  ///   - next: Returns the next page. Receives the refusals of the previous page.
  ///   - take: Adds an item. Returns the reason if the item was refused.
  ///   - finish: Called at the end, unless a refusal causes a rollback. Returns whether to commit.
  static func adding<Item>(
    _ next: ([Refusal]) -> ImportPage<Item>, leavingOutRefused: Bool,
    take: (Item, inout ImportSummary) throws -> String?, endPage: (ImportSummary) throws -> Void,
    finish: (inout ImportSummary) throws -> Bool
  ) throws -> (ImportSummary, Database.TransactionCompletion) {
    var (summary, refused, hasRefused) = (ImportSummary(), [Refusal](), false)
    while true {
      switch next(refused) {
      case .items(let page):
        refused = []
        for (index, item) in page.enumerated() {
          summary.items += 1
          if let reason = try take(item, &summary) { refused.append(Refusal(index: index, reason: reason)) }
        }
        hasRefused = hasRefused || !refused.isEmpty
        try endPage(summary)
      case .end:
        if hasRefused, !leavingOutRefused { return (summary, .rollback) }
        summary.isKept = try finish(&summary)
        return (summary, summary.isKept ? .commit : .rollback)
      case .abandon: return (summary, .rollback)
      }
    }
  }
}

/// Page of an import, or its end.
public enum ImportPage<Item: Sendable>: Sendable {
  case items([Item])
  case end
  case abandon
}

extension ReceiptStore {
  /// Adds receipts, which are due at once.
  ///
  /// A receipt that the store already has for the same user (or for any user, if none is given) is not added
  /// again, but missing or damaged contents are replaced. Every few hundred receipts are one commit, followed
  /// by a pause for other writers, because a hundred thousand receipts are gigabytes. Importing the same
  /// receipts again completes an interrupted import.
  public func add(_ receipts: [ImportedReceipt], at now: Instant) throws(StoreError) -> ReceiptImportSummary {
    var apps = StoredApps()
    return try add(receipts, among: &apps, at: now)
  }

  private func add(
    _ receipts: [ImportedReceipt], among apps: inout StoredApps, at now: Instant
  ) throws(StoreError) -> ReceiptImportSummary {
    var summary = ReceiptImportSummary()
    for start in stride(from: 0, to: receipts.count, by: Self.receiptsPerCommit) {
      if start > 0 { BusyHandler.yieldToWriters() }
      let page = receipts[start..<min(start + Self.receiptsPerCommit, receipts.count)]
      summary += try write("add receipts to") { db in
        let catalog = try CatalogTable.readWithRates(db)
        let ledger = RollupWriter(db: db, catalog: catalog)
        let derivation = Derivation(db: db, catalog: catalog, ledger: ledger)
        var summary = ReceiptImportSummary()
        for receipt in page { summary += try Self.add(receipt, among: &apps, at: now, derivation) }
        try ledger.finish()
        return summary
      }
    }
    return summary
  }

  /// Adds receipts that arrive page by page, until `next` returns `nil`.
  public func add(
    pages next: () -> [ImportedReceipt]?, at now: Instant
  ) throws(StoreError) -> ReceiptImportSummary {
    defer { checkpoint() }
    var (summary, apps) = (ReceiptImportSummary(), StoredApps())
    while let page = next() {
      summary += try add(page, among: &apps, at: now)
      BusyHandler.yieldToWriters()
    }
    return summary
  }

  private static let receiptsPerCommit = 500

  private static func add(
    _ receipt: ImportedReceipt, among apps: inout StoredApps, at now: Instant, _ derivation: Derivation
  ) throws -> ReceiptImportSummary {
    let db = derivation.db
    var (receipt, summary) = (receipt, ReceiptImportSummary())
    if case .customer(let id) = receipt.handle {
      if let app = receipt.bundleID {
        // Set the app first, because the customer may be stored without an app, or under another app.
        try StoredCustomer.name(app, of: id, receipt.fingerprint, at: now, db)
        summary += try StoredCustomer.rename(
          id, to: app, receipt.fingerprint, from: try apps.others(than: app, db), at: now, db)
      } else {
        receipt.bundleID = try apps.app(of: id, db)
      }
    }
    let fingerprint = receipt.fingerprint
    let user = receipt.appUserID?.rawValue ?? ""
    if !user.isEmpty { try adopt(user, isProvisional: receipt.isUserProvisional, fingerprint, derivation) }
    switch receipt.handle {
    case .receipt(let data):
      summary.mended = try StoredContents.mend(data, fingerprint, at: now, db)
      if let app = receipt.bundleID {
        summary.moved = try StoredContents.name(app, of: fingerprint, at: now, db)
      }
    case .customer(let id):
      if try StoredCustomer.isKnown(id, of: receipt, at: now, derivation) { return summary }
    }
    if try insert(receipt, fingerprint, user: user, at: now, db) { summary.new = 1 }
    return summary
  }

  private static func adopt(
    _ user: String, isProvisional: Bool, _ fingerprint: String, _ derivation: Derivation
  ) throws {
    let db = derivation.db
    for receipt in try ReceiptID.all(
      db,
      """
      UPDATE OR IGNORE receipts SET app_user_id = ?1, user_is_provisional = ?2
      WHERE fingerprint = ?3 AND (app_user_id = '' OR (user_is_provisional AND NOT ?2)) RETURNING id
      """, [user, isProvisional, fingerprint])
    {
      try derivation.deriveChains(of: receipt)
    }
  }

  private static func insert(
    _ receipt: ImportedReceipt, _ fingerprint: String, user: String, at now: Instant, _ db: Database
  ) throws -> Bool {
    if user.isEmpty || receipt.isUserProvisional {
      let known = try db.cachedStatement(sql: "SELECT 1 FROM receipts WHERE fingerprint = ? LIMIT 1")
      if try Int.fetchOne(known, arguments: [fingerprint]) != nil { return false }
    }
    try db.run(
      """
      INSERT OR IGNORE INTO receipts
        (fingerprint, app_user_id, user_is_provisional, bundle_id, imported_at_ms, next_due_at_ms, due_rule)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        fingerprint, user, receipt.isUserProvisional, receipt.bundleID, now, now, DuePolicy.Rule.new.rawValue,
      ])
    guard db.changesCount > 0 else { return false }
    let id = ReceiptID(rawValue: db.lastInsertedRowID)
    switch receipt.handle {
    case .receipt(let data): try StoredContents.keep(data, of: id, db)
    case .customer(let customer): try StoredCustomer.keep(customer, of: id, db)
    }
    return true
  }

  /// Ingests answers page by page, in one commit, while sweeps wait (`BusyHandler`).
  ///
  /// If an answer is refused, the commit is rolled back, unless `leavingOutRefused` is set.
  ///
  /// - Parameters:
  ///   - next: Returns the next page; receives the refusals of the previous page, by index in that page.
  ///   - indexing: Called at the end before each index that the import dropped is built again, with its
  ///     number, from 1, and the number of these indexes. Returns `false` to roll the import back.
  /// - Returns: A summary without the refusals.
  public func add(
    pages next: ([ImportSummary.Refusal]) -> ImportPage<ImportedAnswer>, at now: Instant,
    leavingOutRefused: Bool = false, indexing: (Int, Int) -> Bool = { _, _ in true }
  ) throws(StoreError) -> ImportSummary {
    defer { checkpoint() }
    // Use no savepoints, because SQLite would keep every page that changes after a savepoint in memory.
    return try writeUnlessRolledBack("ingest answers into") { db in
      var (indexes, pages) = (try LateIndexes(db), 0)
      // In an empty store the indexes are dropped at once.
      try indexes.takeIfWorthwhile(added: 0, db)
      defer { StoreConnections.keepUsualPages(db) }
      let writer = try AnswerWriter(db: db, policy: policy, now: now)
      return try ImportSummary.adding(next, leavingOutRefused: leavingOutRefused) { answer, summary in
        switch try writer.take(answer) {
        case .changed(let news):
          summary.changed += 1
          summary.newTransactions = max(0, summary.newTransactions + news.newTransactions)
        case .refused(let reason): return reason
        case .unchanged, .noted, .lost: break
        }
        return nil
      } endPage: { summary in
        pages += 1
        if pages == Self.pagesOfLargeImport { try StoreConnections.keepMorePages(db) }
        try writer.ledger.flush()
        if pages >= Self.pagesOfLargeImport {
          try indexes.takeIfWorthwhile(added: summary.newTransactions, db)
        }
      } finish: { _ in
        try writer.ledger.finish()
        return try indexes.make(db, progress: indexing)
      }
    }
  }

  /// Number of pages from which an import counts as large, because its indexes exceed the usual page cache.
  private static let pagesOfLargeImport = 40

  /// Adds prices to the catalog, replacing those with the same product, offer and date; if any changed,
  /// derives all figures again in the same commit, so that no figure mixes two catalogs.
  ///
  /// - Returns: The number of entries that were new or different.
  public func add(_ entries: [CatalogEntry]) throws(StoreError) -> Int {
    defer { checkpoint() }
    return try write("change the catalogue of") { db in
      let changed = try entries.reduce(0) { try $0 + (CatalogTable.write($1, db) ? 1 : 0) }
      guard changed > 0 else { return 0 }
      try LedgerRebuild(db: db).run()
      return changed
    }
  }
}
