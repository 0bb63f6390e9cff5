import GRDB
import Subscriptions

extension ReceiptStore {
  /// Returns the chains that an id belongs to: an app user, an app account token, an app transaction id, an
  /// original transaction id, a transaction id or a web order line item id.
  ///
  /// - Parameters:
  ///   - asKnownThen: Whether to use only data that had been observed by `t`.
  ///   - program: Small Business Program membership, which reduces Apple's commission on each transaction.
  /// - Returns: The chains sorted by environment and id; empty if the id is unknown.
  public func chains(
    matching id: String, at t: Instant, asKnownThen: Bool = false, program: SmallBusinessProgram = .none
  ) throws(StoreError) -> [ChainReport] {
    try read("find a chain in") { db in
      try Self.reports(of: Self.records(matching: id, db), at: t, asKnownThen: asKnownThen, program, db)
    }
  }

  /// Returns the original signed data in the chains that an id belongs to: the newest for each transaction,
  /// and for each product's next renewal.
  public func signedRows(matching id: String) throws(StoreError) -> [SignedText] {
    try read("find signed data in") { db in
      try Self.records(matching: id, db).flatMap { try SignedRows(db: db).fetch(chain: $0) }
    }
  }

  public func chains(
    of receipt: ReceiptID, at t: Instant, asKnownThen: Bool = false, program: SmallBusinessProgram = .none
  ) throws(StoreError) -> [ChainReport] {
    try read("find a receipt's chains in") { db in
      let held = try ChainRecord.fetch(ofReceipt: receipt, db)
      return try Self.reports(of: held, at: t, asKnownThen: asKnownThen, program, db)
    }
  }

  private static func reports(
    of records: [ChainRecord], at t: Instant, asKnownThen: Bool, _ program: SmallBusinessProgram,
    _ db: Database
  ) throws -> [ChainReport] {
    let catalog = try CatalogTable.read(db)
    let evidence = EvidenceAsOf(db: db, knownAt: asKnownThen ? t : .distantFuture)
    return try records.compactMap { record in
      guard let chain = try evidence.chain(record) else { return nil }
      var context = ChainContext(catalog: catalog)
      context.receipts = try receipts(holding: record, db)
      context.program = program
      var uses: [LineID: TransactionID] = [:]
      for line in chain.lines(catalog: catalog) {
        uses[line.id] = try IntroOfferUse(db: db, knownAt: evidence.knownAt).find(line, chain: record, by: t)
      }
      let found = uses
      context.introOfferUsedBy = { found[$0] }
      return ChainReport(chain, context, at: t)
    }
  }

  private static func records(matching id: String, _ db: Database) throws -> [ChainRecord] {
    SharedNeeds.require(.matching(id))
    // An app account token is a UUID, which apps write in upper or lower case.
    return try ChainRecord.fetch(
      """
      chains c WHERE c.id IN (
        SELECT id FROM chains WHERE original_transaction_id = :id
        UNION SELECT chain_id FROM transaction_rows WHERE app_account_token IN (:id, :lower, :upper)
        UNION SELECT chain_id FROM transaction_rows WHERE transaction_id = :id
        UNION SELECT chain_id FROM transaction_rows WHERE web_order_line_item_id = :id
        UNION SELECT x.chain_id FROM signed_terms s JOIN transaction_rows x ON x.id = s.transaction_row
          WHERE s.app_transaction_id = :id
        UNION SELECT k.chain_id FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id
          WHERE q.app_user_id = :id AND q.app_user_id <> '')
      ORDER BY c.environment, \(StoreQuery.idOrder("c.original_transaction_id"))
      """, ["id": id, "lower": id.lowercased(), "upper": id.uppercased()], db)
  }

  private static func receipts(holding chain: ChainRecord, _ db: Database) throws -> [ReceiptEntry] {
    let arguments: StatementArguments = [ReceiptEntry.nothingToAskWith, chain.id]
    return try db.rows(
      """
      SELECT q.id, q.environment, q.bundle_id, q.last_validated_at_ms, q.last_status, q.next_due_at_ms,
        iif(q.has_contents, q.dead_reason, ?)
      FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id = ? ORDER BY q.id
      """, arguments
    ) { row in
      try ReceiptEntry(
        id: row.read(0), environment: (row.read(1) as String?).map(StoreEnvironment.init),
        bundleId: row.read(2),
        lastValidatedAtMs: row.read(3), lastStatus: row.read(4), nextDueAtMs: row.read(5),
        neverDueBecause: row.read(6))
    }
  }
}

/// Finds the transaction that used the introductory offer of a group (METRICS §5, Intro eligibility).
struct IntroOfferUse {
  let db: Database
  let knownAt: Instant

  /// Returns the earliest trial or introductory transaction up to `t` in the line's group and environment, of
  /// the line's chain or another chain of its users; `nil` if there is none.
  func find(_ line: Line, chain: ChainRecord, by t: Instant) throws -> TransactionID? {
    let users = Array(line.users.sorted())
    for user in users { SharedNeeds.require(.matching(user.rawValue)) }
    let group = line.id.subscriptionGroupID
    let ofUsers =
      users.isEmpty || group == nil
      ? ""
      : """
       UNION SELECT k.chain_id FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id
          WHERE q.app_user_id IN (\(users.indices.map { ":user\($0)" }.joined(separator: ", "))) AND q.app_user_id <> ''
            AND k.first_observed_at_ms <= :known
      """
    var arguments: [String: (any DatabaseValueConvertible)?] = [
      "chain": chain.id, "group": group?.rawValue ?? "", "environment": line.id.environment.rawValue, "t": t,
      "known": knownAt,
    ]
    for (index, user) in users.enumerated() { arguments["user\(index)"] = user }
    return try TransactionID.fetchOne(
      db,
      sql: """
        SELECT x.transaction_id FROM (SELECT :chain AS id\(ofUsers)) AS f CROSS JOIN chains c ON c.id = f.id
          CROSS JOIN lines l ON l.chain_id = c.id CROSS JOIN transactions x ON x.chain_id = c.id AND x.line_id = l.id
        WHERE c.environment = :environment AND l.subscription_group_id = :group AND NOT l.is_family_shared
          AND x.kind IN ('trial', 'intro') AND x.purchase_date_ms <= :t
          AND x.first_observed_at_ms <= :known
        ORDER BY x.purchase_date_ms, \(StoreQuery.idOrder("x.transaction_id")) LIMIT 1
        """, arguments: StatementArguments(arguments))
  }
}
