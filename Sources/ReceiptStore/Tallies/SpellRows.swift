import GRDB
import Subscriptions

/// The spells that hold at a question's instant: lines that were lost in its window, and lines that fail.
struct SpellRows {
  let asking: Asking

  struct Loss {
    var product: ProductID
    /// Of the window.
    var stretch: Int
    var group: LossGroup
  }

  /// METRICS §4, Churn: lines whose access ended in the window, by the stretch in which it did.
  ///
  /// - Parameter withStart: also counts those that were active and paid at the window's start.
  func losses(withStart: Bool) throws -> [Loss] {
    let (window, start) = (asking.question.window, withStart ? ofStart : "0")
    let rows = try asking.rows(
      """
      SELECT k.product_id, k.detail, s.stretch, s.lines, s.of_start, k.environment FROM (
        SELECT key_id, \(window.stretch(ofColumn: "access_end_ms")) AS stretch, count(*) AS lines,
          sum(\(start)) AS of_start
        FROM losses AS s
        WHERE access_end_ms > :from AND access_end_ms <= :to AND from_ms <= :t AND until_ms > :t
        GROUP BY key_id, stretch) AS s JOIN tally_keys k ON k.id = s.key_id
      WHERE \(asking.environment("k.environment")) AND \(asking.product("k.product_id"))
      """)
    return rows.map { row in
      let words = (row[1] as String).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      let isPaid = words.count > 1 && words[1] == "paid"
      return Loss(
        product: row[0], stretch: row[2],
        group: LossGroup(
          isRevoked: words.first.map { $0 == LineState.revoked.rawValue } ?? false, isPaid: isPaid,
          intent: words.count > 2 ? ExpirationIntent(String(words[2])) : nil, lines: row[3],
          ofStart: isPaid ? row[4] : 0))
    }
  }

  /// Whether the line of a spell was active and paid at the window's start. Mostly its last paid stretch tells; where that
  /// began later, or products are asked for, its phases do.
  private var ofStart: String {
    let looked = "EXISTS (SELECT 1 FROM \(asking.paidAtStart) AND l.id = s.line_id)"
    guard asking.question.products.isEmpty else { return looked }
    return """
      CASE WHEN paid_from_ms IS NULL OR paid_until_ms <= :from THEN 0 WHEN paid_from_ms <= :from THEN 1
        ELSE \(looked) END
      """
  }

  struct Pending {
    var product: ProductID
    /// Of the window.
    var stretch: Int
    var lines: Int
  }

  /// METRICS §4, Renewal rate: periods that came due in the window and may yet be paid for.
  func pending() throws -> [Pending] {
    let window = asking.question.window
    return try asking.rows(
      """
      SELECT k.product_id, f.stretch, f.lines FROM (
        SELECT key_id, \(window.stretch(ofColumn: "expires_date_ms")) AS stretch, count(*) AS lines FROM failings
        WHERE until_ms > :t AND from_ms <= :t AND expires_date_ms > :from AND expires_date_ms <= :to
        GROUP BY key_id, stretch) AS f JOIN tally_keys k ON k.id = f.key_id
      WHERE k.detail LIKE '% 1' AND \(asking.environment("k.environment")) AND \(asking.product("k.product_id"))
      """
    ).map { Pending(product: $0[0], stretch: $0[1], lines: $0[2]) }
  }
}
