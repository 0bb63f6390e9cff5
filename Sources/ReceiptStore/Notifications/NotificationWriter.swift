import GRDB
import Subscriptions

/// Keeps notifications: what each told of its chain, and the answer that it carried.
struct NotificationWriter {
  let answers: AnswerWriter
  let known: KnownChains

  private var db: Database { answers.db }

  enum Outcome {
    /// It was kept before.
    case replayed
    /// - Parameter chain: nil where it speaks of none.
    case kept(chain: Int64?, newTransactions: Int)
    case refused(reason: String)
    /// This machine's clock is behind what Apple signed: nothing of it was kept, and it may be taken later.
    case early(reason: String)
  }

  /// Keeps one, or changes nothing.
  func take(_ notification: ImportedNotification) throws -> Outcome {
    if try NotificationRecord.isKept(notification.digest, db) { return .replayed }
    try known.lookUp(notification)
    return try undoingRefused { try keep(notification, observedAt: try observedAt(notification)) }
  }

  private func undoingRefused(_ body: () throws -> Outcome) throws -> Outcome {
    var outcome = Outcome.replayed
    let savepoint = answers.ledger.savepoint
    try db.inSavepoint {
      outcome = try body()
      if case .refused = outcome { return .rollback }
      return .commit
    }
    if case .refused = outcome { answers.ledger.rollBack(to: savepoint) }
    return outcome
  }

  /// Keeps one that Apple signed, or changes nothing: what it carries has Apple's clock, and is taken like any other signed row.
  func take(_ notification: SignedNotification) throws -> Outcome {
    if try NotificationRecord.isKept(notification.digest, db) { return .replayed }
    if let reason = notification.lead(over: answers.now) { return .early(reason: reason) }
    return try undoingRefused {
      guard let facts = notification.facts else {
        try NotificationRecord.insert(notification, chain: nil, db)
        return .kept(chain: nil, newTransactions: 0)
      }
      // It is there when the rows that it carries have the chain derived.
      let (chain, _) = try answers.ledger.touch(facts.originalTransactionID, in: facts.environment)
      try NotificationRecord.insert(notification, chain: chain, db)
      var newTransactions = 0
      for (place, row) in notification.rows.enumerated() {
        // A transaction and the next renewal of its chain: what follows from both is derived once.
        let isLast = !notification.rows[(place + 1)...].contains {
          $0.answer.namedChains == row.answer.namedChains
            && $0.answer.environment == row.answer.environment
        }
        let prepared = PreparedAnswer(row, catalog: answers.catalog, now: answers.now)
        switch try answers.take(prepared, isLast: isLast) {
        case .refused(let reason): return .refused(reason: reason)
        case .changed(let news): newTransactions += news.newTransactions
        case .unchanged, .noted, .lost: break
        }
      }
      return .kept(chain: chain.id, newTransactions: max(0, newTransactions))
    }
  }

  /// When it was received where somebody noted that; else now, unless it was sent before something that is known or has
  /// happened since.
  private func observedAt(_ notification: ImportedNotification) throws -> Instant {
    if let noted = notification.observedAt { return noted }
    let isOld = try known.isOutdated(notification) || notification.precedesItsExpiry(by: answers.now)
    return isOld ? notification.evidence(by: answers.now) ?? answers.now : answers.now
  }

  private func keep(_ notification: ImportedNotification, observedAt: Instant) throws -> Outcome {
    let facts = notification.facts
    _ = try answers.ledger.touch(facts.originalTransactionID, in: facts.environment)
    var newTransactions = 0
    switch try ingest(notification, observedAt: observedAt) {
    case .refused(let reason): return .refused(reason: reason)
    case .changed(let news): newTransactions = max(0, news.newTransactions)
    case .unchanged, .noted, .lost: break
    }
    let chain = try ChainRecord.find(facts.originalTransactionID, in: facts.environment, db)
    try NotificationRecord.insert(notification, chain: chain, observedAt: observedAt, db)
    try answers.derivation.derive(chain)
    return .kept(chain: chain.id, newTransactions: newTransactions)
  }

  /// Takes the answer that it carried. Without a transaction it is none, since it would pass for a validation of the chain.
  private func ingest(_ notification: ImportedNotification, observedAt: Instant) throws -> RecordedOutcome {
    let imported = ImportedAnswer(
      answer: notification.answer, status: 0, appUserID: notification.appUserID, observedAt: observedAt)
    guard !imported.answer.transactions.isEmpty else {
      return try hold(notification, imported, observedAt: observedAt)
    }
    let fingerprint = imported.fingerprint
    let subject = notification.facts.originalTransactionID
    let own = [subject] + notification.chainsOfReceipt.subtracting([subject]).sorted()
    if let known = try ReceiptRecord.existing(for: imported, fingerprint, by: own, db) {
      let receipt = try known.adopted(by: imported.user, answers.derivation)
      return try ingest(notification, imported.answer, of: receipt, observedAt: observedAt)
    }
    // What it says of others' chains besides is theirs who hold them.
    if let holder = try ReceiptRecord.existing(for: imported, fingerprint, db) {
      var others = imported.answer
      others.latestReceipt = nil
      _ = try ingest(notification, others, of: holder, observedAt: observedAt)
    }
    var answer = imported.answer
    answer.leaveOut(answer.namedChains.subtracting(own))
    guard !answer.transactions.isEmpty else {
      return try hold(notification, imported, observedAt: observedAt)
    }
    let new = try ReceiptRecord.insert(
      imported, fingerprint, contents: contents(of: notification), at: answers.now, db)
    return try answers.take(answer, extent: .notified, status: 0, of: new, observedAt: observedAt)
  }

  /// The receipt that it brought. One of which nothing can be read tells receipts apart, but is not kept: it would stand where the
  /// right one belongs.
  private func contents(of notification: ImportedNotification) -> ReceiptData? {
    notification.chainsOfReceipt.isEmpty ? nil : notification.answer.latestReceipt
  }

  /// Takes of the answer what is about a receipt that is in the store: the chains that it holds, and those that the receipt in
  /// the notification shows where that shares one with it. No user gains a stranger's chain by a notification; a
  /// sweep tells whose the others are.
  private func ingest(
    _ notification: ImportedNotification, _ answer: Answer, of receipt: ReceiptRecord, observedAt: Instant
  ) throws -> RecordedOutcome {
    let chains = try ChainRecord.fetch(ofReceipt: receipt.id, db)
    let held = Set(chains.map(\.original))
    var (own, strangers) = (answer, answer.namedChains.subtracting(held))
    if answer.latestReceipt != nil, let latest = contents(of: notification) {
      let isMissing = try StoredContents.isMissing(of: receipt.id, db)
      let shown = strangers.isEmpty && !isMissing ? [] : notification.chainsOfReceipt
      // One that holds nothing yet is known as the very receipt that came along.
      let isSame = held.isEmpty || !shown.isDisjoint(with: held)
      if isSame { strangers.subtract(shown) }
      if isMissing, isSame { try StoredContents.keep(latest, of: receipt.id, db) }
    }
    if !strangers.isEmpty { for chain in chains { try addDue(chain.id) } }
    own.leaveOut(strangers)
    guard !own.transactions.isEmpty else { return .noted }
    return try answers.take(own, extent: .notified, status: 0, of: receipt, observedAt: observedAt)
  }

  /// Finds who holds a chain of which nothing is told; where nobody does, the receipt that came with it is a new one.
  private func hold(
    _ notification: ImportedNotification, _ imported: ImportedAnswer, observedAt: Instant
  ) throws -> RecordedOutcome {
    let facts = notification.facts
    var chain = try ChainRecord.find(facts.originalTransactionID, in: facts.environment, db)
    let apps = try bundles(holding: chain)
    if let bundle = notification.answer.bundleID,
      let app = apps.compactMap(\.self).first(where: { $0 != bundle })
    {
      let reason = "the notification is for another app (bundle id \(bundle)) than its receipt (\(app))"
      return .refused(reason: reason)
    }
    guard apps.isEmpty, imported.answer.latestReceipt != nil else { return .noted }
    let receipt = try ReceiptRecord.find(
      for: imported, contents: contents(of: notification), at: answers.now, db
    ).adopted(by: imported.user, answers.derivation)
    try chain.link(to: receipt.id, observedAt: observedAt, db)
    return .noted
  }

  private func bundles(holding chain: ChainRecord) throws -> [BundleID?] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT q.bundle_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id = ?
        """)
    return try Optional<BundleID>.fetchAll(statement, arguments: [chain.id])
  }

  /// Chains whose receipts are to be asked about, of which there may be many.
  var due: ImportTables {
    ImportTables(
      db: db, names: ["due_chains"],
      sql: "CREATE TEMP TABLE due_chains (chain_id INTEGER PRIMARY KEY) STRICT")
  }

  func addDue(_ chain: Int64) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO temp.due_chains VALUES (?)").execute(
      arguments: [chain])
  }

  /// The number of the newest receipt; 0 if there is none.
  func newestReceipt() throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT max(id) FROM receipts") ?? 0 }

  /// Has the receipts that hold those chains asked about at once, if they can be asked.
  ///
  /// - Parameter known: the newest receipt that was there before.
  /// - Returns: how many had not come due, new ones included, which come due by themselves.
  @discardableResult func makeDue(after known: Int64 = .max) throws -> Int {
    let new = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM receipts WHERE id > ? AND next_due_at_ms <= ?",
      arguments: [known, answers.now])
    try db.execute(
      sql: """
        UPDATE receipts SET next_due_at_ms = :now, due_rule = 'new'
        WHERE id IN (
            SELECT k.receipt_id FROM receipt_chains k JOIN temp.due_chains d ON d.chain_id = k.chain_id)
          AND has_contents AND dead_reason IS NULL
          AND (next_due_at_ms IS NULL OR next_due_at_ms > :now)
        """, arguments: ["now": answers.now])
    return (new ?? 0) + db.changesCount
  }
}

extension NotificationWriter {
  /// Keeps one of either version, and has whoever it is about come due.
  func take(_ notification: ReceivedNotification) throws -> Outcome {
    let (outcome, asks) =
      switch notification {
      case .ofVersion1(let notification): (try take(notification), notification.asksForValidation)
      case .signed(let notification): (try take(notification), notification.asksForValidation)
      }
    if asks, case .kept(let chain?, _) = outcome { try addDue(chain) }
    return outcome
  }
}
