import GRDB
import Subscriptions

extension Tallied {
  /// The lines whose period ends within so many days: by the last period that is known of each line, and for the lines of
  /// which more is known than what runs now, and the minutes at both ends, by their verdicts.
  func due(within days: Int, _ asking: Asking) throws -> [RowGroup] {
    let (t, question) = (asking.question.at, asking.question)
    let end = t + Int64(days) * Milliseconds.day
    let (first, last) = (minute(of: t) + 1, minute(of: end))
    var sums = try book.sums([.init(family: .end, from: first, until: last)])[0]
    let arguments: StatementArguments = [
      "t": t, "end": end, "first": Instant(milliseconds: first * Milliseconds.minute),
      "last": Instant(milliseconds: last * Milliseconds.minute),
    ]
    for row in try FetchedRow.fetchAll(asking.db.cachedStatement(sql: Self.special), arguments: arguments) {
      let mark = Self.mark(row)
      sums.add(book.keys.known(mark.key), -mark.value)
    }
    for row in try FetchedRow.fetchAll(asking.db.cachedStatement(sql: Self.judged), arguments: arguments) {
      let mark = Self.mark(row)
      sums.add(book.keys.known(mark.key), mark.value)
    }
    return sums.groups(.end, question)
  }

  private static func mark(_ row: FetchedRow) -> TallyMark {
    TallyMark.end(
      at: .distantPast, product: row[1], isRenewing: row[2], charge: row.money(micros: 3, currency: 4),
      in: StoreEnvironment(row[0] as String))
  }

  /// Lines whose last phase is not the one of `:t`, or may be judged by another renewal info than it.
  private static let lines = """
    SELECT line_id FROM phases WHERE until_ms > :t AND until_ms < \(Int64.max)
    UNION SELECT line_id FROM transactions WHERE line_id IS NOT NULL AND purchase_date_ms > :t
    UNION SELECT l.id FROM chains c JOIN lines l ON l.chain_id = c.id WHERE c.validated_at_ms > :t
    """

  /// What the tallies say of these lines.
  private static let special = """
    SELECT c.environment, x.product_id, ifnull(r.auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "r", row: "x")),
      \(Asking.standardPrice("currency", renewal: "r", row: "x"))
    FROM (\(lines)) AS f CROSS JOIN phases p ON p.line_id = f.line_id AND p.until_ms = \(Int64.max)
      CROSS JOIN lines l ON l.id = p.line_id CROSS JOIN chains c ON c.id = l.chain_id
      CROSS JOIN transactions x ON x.id = p.current_id
      LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    WHERE p.is_live AND p.from_ms < x.expires_date_ms AND x.expires_date_ms >= :first AND x.expires_date_ms < :last
      AND NOT l.is_family_shared
    """

  /// What holds of them, and of the lines whose period ends in the minutes at both ends.
  private static let judged = """
    SELECT environment, product_id, ifnull(auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "j", row: "j")),
      \(Asking.standardPrice("currency", renewal: "j", row: "j"))
    FROM (\(StateSQL.judgedLines(
      at: ":t",
      from: """
        (\(lines)
          UNION SELECT line_id FROM transactions WHERE line_id IS NOT NULL AND expires_date_ms > :t AND expires_date_ms < :first
          UNION SELECT line_id FROM transactions WHERE line_id IS NOT NULL AND expires_date_ms >= :last AND expires_date_ms <= :end
        ) AS f CROSS JOIN lines l ON l.id = f.line_id CROSS JOIN phases p ON p.line_id = l.id
        """,
      columns: "f.line_id IN (\(lines)) AS is_special,", filter: "NOT l.is_family_shared"))) AS j
    WHERE state IN ('trial', 'active') AND expires_date_ms <= :end
      AND (is_special OR expires_date_ms < :first OR expires_date_ms >= :last)
    """
}
