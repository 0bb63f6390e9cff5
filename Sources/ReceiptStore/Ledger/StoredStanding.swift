import GRDB
import Subscriptions

/// Lines of a chain with their stored spans.
enum StoredStanding {
  static let columns = """
    c.environment, l.id, l.is_family_shared, p.from_ms, p.until_ms, s.state, z.product_id, x.purchase_date_ms,
    x.expires_date_ms, r.auto_renew_status, r.auto_renew_product_id, p.charge_micros, p.charge_currency
    """

  /// - Parameter line: SQL expression of the line's number.
  static func source(line: String) -> String {
    "spans p ON p.line_id = \(line) CROSS JOIN lines l ON l.id = p.line_id \(joins)"
  }

  private static let joins = """
    CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN position_classes s ON s.id = p.position_id
    CROSS JOIN transaction_rows x ON x.id = p.current_id CROSS JOIN transaction_shapes z ON z.id = x.shape_id
    LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    """

  /// - Parameter first: Index of the first of `columns`.
  static func span(_ row: FetchedRow, from first: Int = 0) throws -> StandingSpan {
    let (from, until): (Instant, Instant) = try (row[first + 3], row[first + 4])
    guard from < until else { throw DamagedValue(column: "until_ms") }
    return try StandingSpan(
      from: from, until: until, state: (row[first + 5] as LineState?) ?? .expired,
      product: row[first + 6], purchase: row.appleDate(first + 7) ?? .appStoreOpening,
      expires: row.appleDate(first + 8) ?? .appStoreOpening, autoRenew: row[first + 9],
      renewsAs: row[first + 10], signedCharge: row.money(micros: first + 11, currency: first + 12))
  }

  static func lines(of chain: ChainRecord, _ db: Database) throws -> [StandingLine] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM lines l CROSS JOIN spans p ON p.line_id = l.id \(joins)
        WHERE l.chain_id = ? ORDER BY l.id, p.from_ms
        """)
    var lines: [StandingLine] = []
    var last: Int64?
    for row in try FetchedRow.fetchAll(statement, arguments: [chain.id]) {
      let line: Int64 = try row[1]
      if last != line {
        lines.append(
          StandingLine(
            environment: StoreEnvironment(try row[0] as String), isFamilyShared: try row[2], spans: []))
        last = line
      }
      lines[lines.count - 1].spans.append(try span(row))
    }
    return lines
  }
}
