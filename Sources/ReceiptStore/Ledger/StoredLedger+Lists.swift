import GRDB
import Subscriptions

extension StoredLedger {
  private struct Retry {
    var line: Int64
    var from: Instant
    var expires: Instant
    var currency: CurrencyCode?
  }

  func failing(_ question: Question) throws -> FailingLines {
    let included = positions.filter { question.includes($0.value) }
    var (users, usersInGrace): (Set<Int64>, Set<Int64>) = ([], [])
    var retrying: [Retry] = []
    StoreQuery.requireUnpaid(at: question.at)
    try db.forEach(
      StoreQuery.unpaid("line_id, from_ms, expires_ms, position_id, user_number"),
      StoreQuery.unpaidArguments(at: question.at)
    ) { row in
      guard let position = included[row[3]], [.billingRetry, .grace].contains(position.state) else { return }
      // If a line has several users, its spans have no user number.
      let of = try row.number(4).map { [$0] } ?? usersOf(line: row[0])
      guard position.state == .billingRetry else { return usersInGrace.formUnion(of) }
      users.formUnion(of)
      retrying.append(
        Retry(line: row[0], from: row.date(1), expires: row.date(2), currency: position.currency))
    }
    return (users.count, usersInGrace.count, try rows(of: retrying, question))
  }

  private func usersOf(line: Int64) throws -> [Int64] {
    SharedNeeds.require(.chainsOfLines([line]))
    return try db.rows(
      """
      SELECT DISTINCT q.app_user_id FROM lines l JOIN receipt_chains k ON k.chain_id = l.chain_id
        JOIN receipts q ON q.id = k.receipt_id
      WHERE l.id = ? AND q.app_user_id <> ''
      """, [line]
    ) { $0.text(0).map { Line.userNumber(of: AppUserID($0)) } }
  }

  private func rows(of retrying: [Retry], _ question: Question) throws -> [UnpaidEntry] {
    let sorted = retrying.sorted { $0.expires > $1.expires }
    guard let last = sorted.prefix(question.limit).last?.expires else { return [] }
    // Include all lines that expired at the same instant as the last one, because ids decide their order.
    let newest = sorted.prefix { $0.expires >= last }
    SharedNeeds.require(.chainsOfLines(newest.map(\.line)))
    let sql = """
      SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = l.chain_id AND q.app_user_id <> ''
          ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), x.storefront,
          s.monthly_micros, \(converts ? "iif(s.unconverted IS NULL, s.converted_micros, NULL)" : "NULL")
      FROM spans s CROSS JOIN lines l ON l.id = s.line_id CROSS JOIN chains c ON c.id = l.chain_id
        CROSS JOIN transactions x ON x.id = s.current_id
      WHERE s.line_id = ? AND s.from_ms = ?
      """
    let entries = try newest.flatMap { span in
      try db.rows(sql, [span.line, span.from]) { row in
        let monthly: Int64 = row[5]
        return try UnpaidEntry(
          originalTransactionId: row.read(0), appUserId: row.read(3), productId: row.read(1),
          expired: row.read(2),
          storefront: row.read(4), mrr: span.currency.map { Money(micros: monthly, currency: $0) },
          converted: row.amount(6, in: StoredNumber.sums(of: 1)), at: question.at)
      }
    }
    return Array(entries.sorted(by: UnpaidEntry.inOrder).prefix(question.limit))
  }

  func upgrades(_ question: Question) throws -> [UpgradeEntry] {
    let query = StoreQuery(db: db, question: question)
    _ = try SharedNeeds.chains(SharedQuery(db, question).upgrades())
    // The order of the tables makes SQLite use the index on the date.
    return try db.rows(
      """
      SELECT c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id, x.upgrade_direction,
        x.upgraded_at_ms, x.upgrade_confirmed, x.price_micros, x.currency, x.prorated_refund_micros, x.storefront
      FROM transactions x CROSS JOIN lines l ON l.id = x.line_id CROSS JOIN chains c ON c.id = l.chain_id
      WHERE x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :t
        AND \(query.environment("c.environment")) AND NOT l.is_family_shared AND \(query.product("x.product_id"))
      ORDER BY x.upgraded_at_ms DESC, \(StoreQuery.idOrder("x.transaction_id")) LIMIT :limit
      """, query.arguments
    ) { row in
      UpgradeEntry(
        originalTransactionId: row.text(0) ?? OriginalTransactionID(""),
        transactionId: row.text(1) ?? TransactionID(""), fromProductId: row.text(2) ?? ProductID(""),
        toProductId: row.text(3), kind: row.text(4) ?? .unranked, upgradedAtMs: row.date(5),
        confirmed: row.isTrue(6), price: row.money(7), proratedRefundMicros: row.amount(9),
        storefront: row.text(10))
    }
  }

  func events(_ question: Question) throws -> [LineEvent] {
    var newest = NewestEvents(question)
    _ = try SharedNeeds.chains(SharedQuery(db, question).events(limit: newest.limit))
    let shapes = AttributeDictionary(db: db)
    let values: [any DatabaseValueConvertible] =
      [question.window.from, question.at] + question.products.sorted() + [newest.limit]
    try db.forEach(StoreQuery.newestEvents(question, db), StatementArguments(values)) { row in
      guard let chain: OriginalTransactionID = row.text(0), var stored = try StoredEvent(row, from: 2, shapes)
      else { return }
      stored.event.originalTransactionID = chain
      stored.event.environment = StoreEnvironment(row.text(1) ?? "")
      try complete(&stored)
      newest.add(stored.event)
    }
    return newest.listed
  }

  private func complete(_ stored: inout StoredEvent) throws {
    guard let id = stored.event.transactionID else { return }
    var found: (rowID: Int64, price: Money)?
    try db.forEach(
      """
      SELECT y.id, x.storefront, x.price_micros, x.currency FROM transaction_rows y
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id WHERE y.transaction_id = ? AND y.chain_id = ?
      """, [id, stored.chainID]
    ) { row in
      stored.event.storefront = row.text(1)
      found = row.money(2).map { (row[0], $0) }
    }
    guard let found else { return }
    var terms: SignedTerms?
    if stored.event.takesBack || stored.event.type == .refundReversed {
      // Combine the terms of all ids of the purchase (METRICS §1.3). If an id dates a refund differently, use
      // the date of the purchase.
      try db.forEach(
        """
        SELECT s.signed_at_ms,
          iif(s.revocation_date_ms = x.cancellation_date_ms, ifnull(k.cancelled_at_ms, s.revocation_date_ms), s.revocation_date_ms),
          s.revocation_signed_at_ms, s.revocation_type, s.revocation_percentage, s.earlier_revocations
        FROM transaction_rows k
          JOIN transaction_rows x ON x.chain_id = k.chain_id AND (x.id = k.id OR x.duplicate_of = k.id)
          JOIN signed_terms s ON s.transaction_row = x.id
        WHERE k.id = ?
        """, [found.rowID]
      ) { row in
        if terms == nil { terms = SignedTerms(signedAt: row.instant(0) ?? .distantPast) }
        terms?.add(
          revocation: (row.instant(1), row.instant(2), row.text(3), row.number(4)), earlier: row.text(5))
      }
    }
    stored.event.move(found.price, terms)
  }
}

extension StoreQuery {
  /// Returns the query for the events that may be in the list, and for all events of the same chains and
  /// instants, because SQL cannot sort events of one instant.
  ///
  /// After an import, very many events share an instant. Without a selection of products, an index and the
  /// chain ids suffice to choose the events, and no other event rows are read.
  package static func newestEvents(_ question: Question, _ db: Database) -> String {
    let query = StoreQuery(db: db, question: question)
    let isOfAll = question.products.isEmpty
    let shapes = isOfAll ? "" : "CROSS JOIN event_shapes s ON s.id = e.shape_id"
    let condition =
      isOfAll ? "1" : "(\(query.product("s.product_id")) OR \(query.product("s.new_product_id")))"
    return """
      SELECT c.original_transaction_id, c.environment, \(StoredEvent.sql.columns.map { "e." + $0 }.joined(separator: ", "))
      FROM (
          SELECT DISTINCT chain_id, effective_at_ms FROM (
            SELECT e.chain_id, e.effective_at_ms FROM event_rows e \(shapes) CROSS JOIN chains c ON c.id = e.chain_id
            WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :t AND \(query.environment("c.environment"))
              AND \(condition)
            ORDER BY e.effective_at_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")), c.environment
            LIMIT :limit)
        ) l CROSS JOIN event_rows e ON e.chain_id = l.chain_id AND e.effective_at_ms = l.effective_at_ms \(shapes)
        CROSS JOIN chains c ON c.id = e.chain_id
      WHERE \(condition)
      """
  }
}
