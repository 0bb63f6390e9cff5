import GRDB
import Subscriptions

/// Reads the lines of a chain with their stored spans.
enum StoredStanding {
  static let columns = """
    c.environment, l.id, l.is_family_shared, p.from_ms, p.until_ms, s.state, z.product_id, x.purchase_date_ms,
    x.expires_date_ms, r.auto_renew_status, r.auto_renew_product_id, p.charge_micros, p.charge_currency
    """

  static func source(line: String) -> String {
    "spans p ON p.line_id = \(line) CROSS JOIN lines l ON l.id = p.line_id \(joins)"
  }

  private static let joins = """
    CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN position_classes s ON s.id = p.position_id
    CROSS JOIN transaction_rows x ON x.id = p.current_id CROSS JOIN transaction_shapes z ON z.id = x.shape_id
    LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    """

  static func span(_ row: BoundStatement.Columns, from first: CInt = 0) throws -> StandingSpan {
    let (from, until) = (row.date(first + 3), row.date(first + 4))
    guard from < until else { throw DamagedValue(column: "until_ms") }
    return StandingSpan(
      from: from, until: until, state: row.text(first + 5) ?? .expired,
      product: row.text(first + 6) ?? ProductID(""), purchase: row.appleDate(first + 7) ?? .appStoreOpening,
      expires: row.appleDate(first + 8) ?? .appStoreOpening, autoRenew: row.flag(first + 9),
      renewsAs: row.text(first + 10), signedCharge: row.money(first + 11))
  }

  static func lines(of chain: ChainRecord, _ db: Database) throws -> [StandingLine] {
    var lines: [StandingLine] = []
    var last: Int64?
    try db.forEach(
      """
      SELECT \(columns) FROM lines l CROSS JOIN spans p ON p.line_id = l.id \(joins)
      WHERE l.chain_id = ? ORDER BY l.id, p.from_ms
      """, [chain.id]
    ) { row in
      if last != row[1] {
        lines.append(
          StandingLine(
            environment: StoreEnvironment(row.text(0) ?? ""), isFamilyShared: row.isTrue(2), spans: []))
        last = row[1]
      }
      lines[lines.count - 1].spans.append(try span(row))
    }
    return lines
  }
}
