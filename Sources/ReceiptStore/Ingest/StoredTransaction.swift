import GRDB
import Subscriptions

/// A transaction as it stands in the table, with its row number and what was derived for it.
struct StoredTransaction {
  var rowID: Int64
  var transaction: Transaction
  var sighting: Sighting
  /// Whether its ends were last told by `in_app` alone.
  var isLagging: Bool
  /// The last full validation that spoke of it; nil where it is the chain's last.
  var confirmedAt: Instant?
  var facts: DerivedFacts

  static let columns = """
    x.id, x.transaction_id, x.web_order_line_item_id, x.product_id, x.subscription_group_identifier, x.quantity,
    x.purchase_date_ms, x.original_purchase_date_ms, x.expires_date_ms, x.cancellation_date_ms,
    x.cancellation_reason, x.is_trial_period, x.is_in_intro_offer_period, x.is_upgraded, x.in_app_ownership_type,
    x.promotional_offer_id, x.offer_code_ref_name, x.app_account_token, x.first_observed_at_ms, x.observed_at_ms,
    x.is_lagging, x.confirmed_at_ms
    """

  private static let count = 22

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
    confirmedAt = row[21]
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
  /// What is told of a transaction apart from its line and the catalogue.
  struct Evidence: Hashable {
    var transaction: Transaction
    var sighting: Sighting
    var isLagging: Bool
    var confirmedAt: Instant?
  }

  var evidence: Evidence {
    Evidence(
      transaction: transaction, sighting: sighting, isLagging: isLagging, confirmedAt: confirmedAt)
  }

  /// Adds transactions of one chain that no answer had shown before.
  struct Insertion {
    private let chain: Int64
    private let db: Database
    private var statement: BoundStatement

    init(chain: Int64, _ db: Database) throws {
      self.chain = chain
      self.db = db
      statement = try BoundStatement(insertion, db)
    }

    /// - Returns: its row number.
    mutating func add(_ evidence: Evidence, facts: DerivedFacts) throws -> Int64 {
      evidence.bind(to: &statement)
      statement.bind(chain)
      statement.bind(evidence.transaction.transactionID)
      facts.bind(to: &statement)
      try statement.execute()
      return db.lastInsertedRowID
    }
  }

  private static let insertion = """
    INSERT INTO transactions (web_order_line_item_id, product_id,
      subscription_group_identifier, quantity, purchase_date_ms, original_purchase_date_ms, expires_date_ms,
      cancellation_date_ms, cancellation_reason, is_trial_period, is_in_intro_offer_period, is_upgraded,
      in_app_ownership_type, promotional_offer_id, offer_code_ref_name, app_account_token,
      first_observed_at_ms, observed_at_ms, is_lagging, confirmed_at_ms, chain_id, transaction_id,
      \(DerivedFacts.inserted))
    VALUES (\(Array(repeating: "?", count: count + DerivedFacts.count).joined(separator: ", ")))
    """

  /// Replaces what Apple says of a transaction; derived columns are left to the derivation.
  func update(to evidence: Evidence, _ db: Database) throws {
    var statement = try BoundStatement(Self.update, db)
    evidence.bind(to: &statement)
    statement.bind(rowID)
    try statement.execute()
  }

  private static let update = """
    UPDATE transactions SET web_order_line_item_id = ?, product_id = ?, subscription_group_identifier = ?,
      quantity = ?, purchase_date_ms = ?, original_purchase_date_ms = ?, expires_date_ms = ?,
      cancellation_date_ms = ?, cancellation_reason = ?, is_trial_period = ?, is_in_intro_offer_period = ?,
      is_upgraded = ?, in_app_ownership_type = ?, promotional_offer_id = ?, offer_code_ref_name = ?,
      app_account_token = ?, first_observed_at_ms = ?, observed_at_ms = ?, is_lagging = ?, confirmed_at_ms = ?
    WHERE id = ?
    """
}

extension StoredTransaction.Evidence {
  /// In the order of the columns that it is written to.
  fileprivate func bind(to statement: inout BoundStatement) {
    let x = transaction
    statement.bind(x.webOrderLineItemID)
    statement.bind(x.productID)
    statement.bind(x.subscriptionGroupIdentifier)
    statement.bind(x.quantity)
    statement.bind(x.purchaseDate)
    statement.bind(x.originalPurchaseDate)
    statement.bind(x.expiresDate)
    statement.bind(x.cancellationDate)
    statement.bind(x.cancellationReason)
    statement.bind(x.isTrialPeriod)
    statement.bind(x.isInIntroOfferPeriod)
    statement.bind(x.isUpgraded)
    statement.bind(x.inAppOwnershipType.rawValue)
    statement.bind(x.promotionalOfferID)
    statement.bind(x.offerCodeRefName)
    statement.bind(x.appAccountToken)
    statement.bind(sighting.first)
    statement.bind(sighting.latest)
    statement.bind(isLagging)
    statement.bind(confirmedAt)
  }
}
