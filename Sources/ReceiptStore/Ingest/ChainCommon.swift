import GRDB
import Subscriptions

/// What nearly all rows of a chain tell alike, told once: a row tells it only where it differs.
struct ChainCommon {
  /// When its transactions and events were first seen. No receipt was seen to hold the chain before.
  var observedAt: Instant?
  var originalPurchaseDate: Instant?
  var appAccountToken: String?

  /// Stands in a row for a date that is not there, where the chain has one.
  static let noDate = Instant.distantPast
  /// The same for a token, which is text.
  static let noToken: Int64 = 0

  static let columns = "common_observed_at_ms, common_original_purchase_date_ms, common_app_account_token"

  init() {}

  init(_ evidence: [StoredTransaction.Evidence], observedAt: Instant) {
    self.observedAt = observedAt
    originalPurchaseDate = evidence.first?.transaction.originalPurchaseDate
    appAccountToken = evidence.first?.transaction.appAccountToken
  }

  /// What a row tells of when it was first seen.
  func told(observedAt t: Instant) -> Instant? { t == observedAt ? nil : t }

  func told(originalPurchaseDate date: Instant?) -> Instant? {
    date == originalPurchaseDate ? nil : date ?? Self.noDate
  }

  func tell(appAccountToken token: String?, _ statement: inout BoundStatement) {
    if let token {
      let isCommon = appAccountToken.map { $0.utf8.elementsEqual(token.utf8) } ?? false
      statement.bind(isCommon ? nil : token)
    } else {
      statement.bind(appAccountToken == nil ? nil : Self.noToken)
    }
  }
}

extension ChainRecord {
  /// Has the rows tell themselves when they were first seen, since a receipt was seen to hold the chain before.
  mutating func tellObservations(_ db: Database) throws {
    guard let common = common.observedAt else { return }
    for (table, column) in [
      ("transaction_rows", "first_observed_at_ms"), ("event_rows", "observed_at_ms"),
    ] {
      try db.cachedStatement(
        sql: "UPDATE \(table) SET \(column) = ? WHERE chain_id = ? AND \(column) IS NULL"
      ).execute(arguments: [common, id])
    }
    try db.cachedStatement(sql: "UPDATE chains SET common_observed_at_ms = NULL WHERE id = ?")
      .execute(arguments: [id])
    self.common.observedAt = nil
  }
}
