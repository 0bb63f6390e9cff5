import GRDB
import Subscriptions

/// Stores the newest signed data for each transaction and for each product's next renewal, as Apple sent it.
struct SignedRows {
  let db: Database

  /// Subject of signed data: a transaction, or the next renewal of a product.
  private struct Key {
    var row: Int64
    var product: ProductID
  }

  /// Stores signed data, whose content is `answer`, unless newer data about the same subject is stored.
  func keep(_ text: SignedText, saying answer: Answer, of chain: ChainRecord, signedAt: Instant) throws {
    guard let key = try key(of: answer, chain) else { return }
    try db.run(
      """
      INSERT INTO signed_rows (chain_id, transaction_row, product_id, signed_at_ms, header_id, payload, signature)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET signed_at_ms = excluded.signed_at_ms, header_id = excluded.header_id,
        payload = excluded.payload, signature = excluded.signature
      WHERE (excluded.signed_at_ms, excluded.payload, excluded.signature) > (signed_at_ms, payload, signature)
      """,
      [
        chain.id, key.row, key.product, signedAt, try header(text.header), text.payload, text.signature,
      ])
  }

  func fetch(chain: ChainRecord) throws -> [SignedText] {
    return try db.rows(
      """
      SELECT h.header, s.payload, s.signature FROM signed_rows s JOIN signed_headers h ON h.id = s.header_id
        LEFT JOIN transaction_rows x ON x.id = s.transaction_row
      WHERE s.chain_id = ? ORDER BY s.product_id, x.purchase_date_ms, x.transaction_id
      """, [chain.id]
    ) { row in
      try SignedText(header: row.read(0), payload: row.read(1), signature: row.read(2))
    }
  }

  private func key(of answer: Answer, _ chain: ChainRecord) throws -> Key? {
    guard let transaction = answer.transactions.first else {
      return answer.renewalInfos.first.map { Key(row: 0, product: $0.productID ?? ProductID("")) }
    }
    let find = try db.cachedStatement(
      sql: "SELECT id FROM transaction_rows WHERE chain_id = ? AND transaction_id = ?")
    return try Int64.fetchOne(
      find, arguments: [chain.id, transaction.transactionID]
    ).map { Key(row: $0, product: ProductID("")) }
  }

  private func header(_ text: String) throws -> Int64 {
    if let id = try Int64.first(db, "SELECT id FROM signed_headers WHERE header = ?", [text]) { return id }
    try db.run("INSERT INTO signed_headers (header) VALUES (?)", [text])
    return db.lastInsertedRowID
  }
}
