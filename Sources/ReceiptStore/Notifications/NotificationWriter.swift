import GRDB
import Subscriptions

public enum NotificationOutcome: Hashable, Sendable {
  case kept
  case replayed
  /// Refused, with nothing stored; the associated value is the reason, in one sentence.
  case refused(String)
  /// Not stored yet, because its date is in the future; the associated value is the reason, in one sentence.
  case early(String)
}

/// Stores notifications and the answers in them, and makes their receipts due if a validation is required.
final class NotificationWriter {
  let answers: AnswerWriter
  /// Whether Apple is posting the notifications now; notifications from a file may have any age.
  let isLive: Bool
  private(set) var newTransactions = 0
  /// Chains that require a validation; `makeDue` makes their receipts due.
  private var due: [Int64] = []
  /// Imported notifications about chains that no stored receipt contains yet.
  private var unheld: [(ImportedNotification, chains: Set<OriginalTransactionID>, observedAt: Instant)] = []
  private static let mostUnheld = 10_000

  init(answers: AnswerWriter, isLive: Bool) { (self.answers, self.isLive) = (answers, isLive) }

  private var db: Database { answers.db }

  struct Refusal: Error {
    let reason: String
  }

  /// Stores a notification unless it is refused; adds its chain to `due` if it requires a validation.
  func take(_ notification: ReceivedNotification) throws -> NotificationOutcome {
    switch notification {
    case .ofVersion1(let notification):
      try take(notification.digest, asks: notification.asksForValidation) {
        try keep(notification, observedAt: try observedAt(notification))
      }
    case .signed(let notification):
      if let reason = notification.lead(over: answers.now),
        try !NotificationRecord.isKept(notification.digest, db)
      {
        .early(reason)
      } else {
        try take(notification.digest, asks: notification.asksForValidation) { try keep(notification) }
      }
    }
  }

  /// - Parameter body: Stores the notification. Returns its chain, or `nil` if it does not concern a chain.
  private func take(
    _ digest: UInt128, asks: Bool, _ body: () throws -> (chain: Int64?, newTransactions: Int)
  ) throws -> NotificationOutcome {
    if try NotificationRecord.isKept(digest, db) { return .replayed }
    let (savepoint, before) = (answers.ledger.savepoint, (due.count, unheld.count))
    do {
      try db.inSavepoint {
        let kept = try body()
        newTransactions += max(0, kept.newTransactions)
        if asks, let chain = kept.chain { due.append(chain) }
        return .commit
      }
      return .kept
    } catch let refusal as Refusal {
      answers.ledger.rollBack(to: savepoint)
      due.removeLast(due.count - before.0)
      unheld.removeLast(unheld.count - before.1)
      return .refused(refusal.reason)
    }
  }

  /// Stores a signed notification, whose rows have dates by Apple's clock, like other signed rows.
  private func keep(_ notification: SignedNotification) throws -> (chain: Int64?, newTransactions: Int) {
    // Insert the notification before its rows, because recording the rows derives the chain.
    let facts = notification.facts
    let chain = try facts.map {
      try answers.ledger.touch($0.originalTransactionID, in: $0.environment)
    }
    try NotificationRecord.insert(
      notification.digest, notification.type, facts, signed: notification, of: notification.bundleID,
      in: notification.environment, chain: chain?.id, observedAt: facts?.observedAt ?? notification.signedAt,
      db)
    guard let chain else { return (nil, 0) }
    var newTransactions = 0
    for (place, row) in notification.rows.enumerated() {
      // Derive the chain once for its transaction and renewal info.
      let isLast = !notification.rows[(place + 1)...].contains {
        $0.answer.namedChains == row.answer.namedChains && $0.answer.environment == row.answer.environment
      }
      newTransactions += try answers.take(row, isLast: isLast).newTransactions
    }
    return (chain.id, newTransactions)
  }

  /// Returns the instant at which a notification of version 1 was observed: the recorded time of receipt, or
  /// else the newest date in the body.
  ///
  /// For a body that Apple is posting, the instant is now, unless the body is old. It is old if the store has
  /// a later purchase of the chain, or if the last period in the body has ended since Apple first sent it.
  private func observedAt(_ notification: ImportedNotification) throws -> Instant {
    if let noted = notification.observedAt { return noted }
    let isNews = try isLive && !notification.precedesItsExpiry(by: answers.now) && !isOutdated(notification)
    return (isNews ? nil : notification.evidence(by: answers.now)) ?? answers.now
  }

  private func isOutdated(_ notification: ImportedNotification) throws -> Bool {
    guard let newest = notification.answer.transactions.map(\.purchaseDate).max() else { return false }
    let statement = try db.cachedStatement(
      sql: """
        SELECT EXISTS (SELECT 1 FROM chains c JOIN transaction_rows x ON x.chain_id = c.id
          WHERE c.original_transaction_id = ? AND c.environment = ? AND x.purchase_date_ms > ?)
        """)
    let facts = notification.facts
    return try Bool.fetchOne(
      statement, arguments: [facts.originalTransactionID, facts.environment.rawValue, newest]) ?? false
  }

  private func keep(
    _ notification: ImportedNotification, observedAt: Instant
  ) throws -> (chain: Int64?, newTransactions: Int) {
    let facts = notification.facts
    _ = try answers.ledger.touch(facts.originalTransactionID, in: facts.environment)
    let newTransactions = try ingest(notification, observedAt: observedAt).newTransactions
    let chain = try ChainRecord.find(facts.originalTransactionID, in: facts.environment, db)
    try NotificationRecord.insert(
      notification.digest, facts.type, facts, of: notification.answer.bundleID, in: facts.environment,
      chain: chain.id, observedAt: observedAt, db)
    try answers.derivation.derive(chain)
    return (chain.id, newTransactions)
  }

  /// Records the answer in a notification; an answer without transactions is not recorded, because it would
  /// count as a validation.
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
    // Other chains in the body may belong to another stored receipt.
    if let holder = try ReceiptRecord.existing(for: imported, fingerprint, db) {
      var others = imported.answer
      others.latestReceipt = nil
      _ = try ingest(notification, others, of: holder, observedAt: observedAt)
    }
    var answer = imported.answer
    let others = answer.namedChains.subtracting(own)
    leaveForLater(others, of: notification, observedAt: observedAt)
    answer.leaveOut(others)
    guard !answer.transactions.isEmpty else {
      return try hold(notification, imported, observedAt: observedAt)
    }
    let new = try ReceiptRecord.insert(
      imported, fingerprint, contents: contents(of: notification), at: answers.now, db)
    return try answers.take(answer, extent: .notified, status: 0, of: new, observedAt: observedAt)
  }

  /// Returns the receipt in a notification; `nil` if unreadable, because a later one could not replace it.
  private func contents(of notification: ImportedNotification) -> ReceiptData? {
    notification.chainsOfReceipt.isEmpty ? nil : notification.answer.latestReceipt
  }

  /// Records the part of an answer that concerns a stored receipt.
  ///
  /// The part has the chains of the stored receipt and, if both receipts share a chain, the chains of the
  /// receipt in the notification.
  ///
  /// A notification never gives a user another customer's chain. If chains remain, the stored receipt becomes
  /// due, and a sweep shows whether they belong to it.
  private func ingest(
    _ notification: ImportedNotification, _ answer: Answer, of receipt: ReceiptRecord, observedAt: Instant
  ) throws -> RecordedOutcome {
    let chains = try ChainRecord.fetch(ofReceipt: receipt.id, db)
    let held = Set(chains.map(\.original))
    var (own, strangers) = (answer, answer.namedChains.subtracting(held))
    if answer.latestReceipt != nil, let latest = contents(of: notification) {
      let isMissing = try StoredContents.isMissing(of: receipt.id, db)
      let shown = strangers.isEmpty && !isMissing ? [] : notification.chainsOfReceipt
      // A receipt without chains was found by its fingerprint, so it is the one in the notification.
      let isSame = held.isEmpty || !shown.isDisjoint(with: held)
      if isSame { strangers.subtract(shown) }
      if isMissing, isSame { try StoredContents.keep(latest, of: receipt.id, db) }
    }
    if !strangers.isEmpty { due += chains.map(\.id) }
    leaveForLater(strangers, of: notification, observedAt: observedAt)
    own.leaveOut(strangers)
    guard !own.transactions.isEmpty else { return .noted }
    return try answers.take(own, extent: .notified, status: 0, of: receipt, observedAt: observedAt)
  }

  private func leaveForLater(
    _ chains: Set<OriginalTransactionID>, of notification: ImportedNotification, observedAt: Instant
  ) {
    guard !isLive, !chains.isEmpty, unheld.count < Self.mostUnheld else { return }
    unheld.append((notification, chains, observedAt))
  }

  /// Records notifications about chains whose receipt came later in the import, so that order is irrelevant.
  func takeUnheld() throws {
    for (notification, chains, observedAt) in unheld {
      for chain in chains.sorted() {
        var answer = notification.answer
        answer.latestReceipt = nil
        answer.leaveOut(answer.namedChains.subtracting([chain]))
        let imported = ImportedAnswer(
          answer: answer, status: 0, appUserID: notification.appUserID, observedAt: observedAt)
        guard let holder = try ReceiptRecord.existing(for: imported, imported.fingerprint, by: [chain], db)
        else { continue }
        if case .changed(let news) = try ingest(notification, answer, of: holder, observedAt: observedAt) {
          newTransactions += max(0, news.newTransactions)
        }
      }
    }
    unheld = []
  }

  /// Refuses a notification without transactions if its app differs from that of a receipt with its chain.
  ///
  /// If no receipt has the chain, the receipt in the notification is stored, and linked to the chain.
  private func hold(
    _ notification: ImportedNotification, _ imported: ImportedAnswer, observedAt: Instant
  ) throws -> RecordedOutcome {
    let facts = notification.facts
    let chain = try ChainRecord.find(facts.originalTransactionID, in: facts.environment, db)
    let apps = try bundles(holding: chain)
    if let bundle = notification.answer.bundleID,
      let app = apps.compactMap(\.self).first(where: { $0 != bundle })
    {
      return .refused(
        reason: "the notification is for another app (bundle id \(bundle)) than its receipt (\(app))")
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

  func newestReceipt() throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT max(id) FROM receipts") ?? 0 }

  /// Makes the receipts of the collected chains due; returns their number plus the number of due receipts
  /// with ids above `known`.
  @discardableResult func makeDue(after known: Int64 = .max) throws -> Int {
    var count =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM receipts WHERE id > ? AND next_due_at_ms <= ?",
        arguments: [known, answers.now]) ?? 0
    let update = try db.cachedStatement(
      sql: """
        UPDATE receipts SET next_due_at_ms = ?1, due_rule = 'new'
        WHERE id IN (SELECT receipt_id FROM receipt_chains WHERE chain_id = ?2)
          AND has_contents AND dead_reason IS NULL AND (next_due_at_ms IS NULL OR next_due_at_ms > ?1)
        """)
    for chain in Set(due) {
      try update.execute(arguments: [answers.now, chain])
      count += db.changesCount
    }
    return count
  }
}

extension RecordedOutcome {
  fileprivate var newTransactions: Int {
    get throws {
      switch self {
      case .refused(let reason): throw NotificationWriter.Refusal(reason: reason)
      case .changed(let news): news.newTransactions
      case .unchanged, .noted, .lost: 0
      }
    }
  }
}
