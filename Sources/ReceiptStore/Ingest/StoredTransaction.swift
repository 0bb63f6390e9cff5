import GRDB
import Subscriptions

/// A transaction as it stands in the table, with its row number and what was derived for it.
struct StoredTransaction {
  var rowID: Int64
  var transaction: Transaction
  var sighting: Sighting
  /// Whether its ends were last told by `in_app` alone.
  var isLagging: Bool
  var facts: DerivedFacts

  static let columns = """
    x.id, x.transaction_id, x.web_order_line_item_id, x.product_id, x.subscription_group_identifier, x.quantity,
    x.purchase_date_ms, x.original_purchase_date_ms, x.expires_date_ms, x.cancellation_date_ms,
    x.cancellation_reason, x.is_trial_period, x.is_in_intro_offer_period, x.is_upgraded, x.in_app_ownership_type,
    x.promotional_offer_id, x.offer_code_ref_name, x.app_account_token, x.first_observed_at_ms, x.observed_at_ms,
    x.is_lagging
    """

  private static let count = 21

  /// Reads `columns`, and `DerivedFacts.columns` after them where they were asked for.
  init(_ row: FetchedRow, chain: OriginalTransactionID, withFacts: Bool = false) {
    rowID = row[0]
    var transaction = Transaction(
      transactionID: row[1], originalTransactionID: chain, productID: row[3], purchaseDate: row[6],
      expiresDate: row[8])
    transaction.webOrderLineItemID = row[2]
    transaction.subscriptionGroupIdentifier = row[4]
    transaction.quantity = row[5]
    transaction.originalPurchaseDate = row[7]
    transaction.cancellationDate = row[9]
    transaction.cancellationReason = row[10]
    transaction.isTrialPeriod = row[11]
    transaction.isInIntroOfferPeriod = row[12]
    transaction.isUpgraded = row[13]
    transaction.inAppOwnershipType = OwnershipType(row[14] as String)
    transaction.promotionalOfferID = row[15]
    transaction.offerCodeRefName = row[16]
    transaction.appAccountToken = row[17]
    self.transaction = transaction
    sighting = Sighting(first: row[18], latest: row[19])
    isLagging = row[20]
    facts = withFacts ? DerivedFacts(row, from: Self.count) : DerivedFacts()
  }

  static func fetch(chain: ChainRecord, _ db: Database) throws -> [StoredTransaction] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns), \(DerivedFacts.selected) FROM transactions x WHERE x.chain_id = ?
        """)
    return try FetchedRow.fetchAll(statement, arguments: [chain.id]).map {
      StoredTransaction($0, chain: chain.original, withFacts: true)
    }
  }
}

extension StoredTransaction {
  /// Adds a transaction that no answer had shown before.
  static func insert(
    _ transaction: Transaction, isLagging: Bool, chain: Int64, observedAt: Instant, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO transactions (chain_id, transaction_id, web_order_line_item_id, product_id,
          subscription_group_identifier, quantity, purchase_date_ms, original_purchase_date_ms, expires_date_ms,
          cancellation_date_ms, cancellation_reason, is_trial_period, is_in_intro_offer_period, is_upgraded,
          in_app_ownership_type, promotional_offer_id, offer_code_ref_name, app_account_token,
          first_observed_at_ms, observed_at_ms, is_lagging)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let values: [(any DatabaseValueConvertible)?] =
      [chain, transaction.transactionID] + fields(of: transaction) + [observedAt, observedAt, isLagging]
    try statement.execute(arguments: StatementArguments(values))
  }

  /// Replaces what Apple says of a transaction; derived columns are left to the derivation.
  func update(to transaction: Transaction, sighting: Sighting, isLagging: Bool, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE transactions SET web_order_line_item_id = ?, product_id = ?, subscription_group_identifier = ?,
          quantity = ?, purchase_date_ms = ?, original_purchase_date_ms = ?, expires_date_ms = ?,
          cancellation_date_ms = ?, cancellation_reason = ?, is_trial_period = ?, is_in_intro_offer_period = ?,
          is_upgraded = ?, in_app_ownership_type = ?, promotional_offer_id = ?, offer_code_ref_name = ?,
          app_account_token = ?, first_observed_at_ms = ?, observed_at_ms = ?, is_lagging = ?
        WHERE id = ?
        """)
    let values = Self.fields(of: transaction) + [sighting.first, sighting.latest, isLagging, rowID]
    try statement.execute(arguments: StatementArguments(values))
  }

  private static func fields(of x: Transaction) -> [(any DatabaseValueConvertible)?] {
    [
      x.webOrderLineItemID, x.productID, x.subscriptionGroupIdentifier, x.quantity, x.purchaseDate,
      x.originalPurchaseDate, x.expiresDate, x.cancellationDate, x.cancellationReason, x.isTrialPeriod,
      x.isInIntroOfferPeriod, x.isUpgraded, x.inAppOwnershipType.rawValue, x.promotionalOfferID,
      x.offerCodeRefName,
      x.appAccountToken,
    ]
  }

  /// Keeps the values that held at an earlier observation, for questions about that time; once, however often they were
  /// observed on end.
  func keepEarlier(_ earlier: Transaction, observedAt: Instant, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO transaction_changes
          (transaction_id, observed_at_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_upgraded)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (
          SELECT 1 FROM (
            SELECT * FROM transaction_changes WHERE transaction_id = ?1 AND observed_at_ms <= ?2
            ORDER BY observed_at_ms DESC LIMIT 1) AS last
          WHERE last.expires_date_ms IS ?3 AND last.cancellation_date_ms IS ?4 AND last.cancellation_reason IS ?5
            AND last.is_upgraded IS ?6)
        """)
    try statement.execute(arguments: [
      rowID, observedAt, earlier.expiresDate, earlier.cancellationDate, earlier.cancellationReason,
      earlier.isUpgraded,
    ])
  }
}
