import GRDB
import Subscriptions

struct ReceiptLineStates {
  private var lines: [Int64: (prospect: DuePolicy.Prospect, product: ProductID)] = [:]

  private static let judgedLines = CurrentStateQuery.at(
    ":t",
    from: "receipt_chains k JOIN lines l ON l.chain_id = k.chain_id JOIN spans p ON p.line_id = l.id",
    filter: "k.receipt_id = :receipt")

  static func fetch(ofReceipt receipt: ReceiptID, at t: Instant, _ db: Database) throws -> Self {
    var judged = Self()
    try db.forEach(
      """
      SELECT line_id, state, expires_date_ms, product_id, price_consent_status, price_increase_status
      FROM (\(Self.judgedLines))
      """, ["t": t, "receipt": receipt]
    ) { row in
      guard let state = try row.read(1) as LineState? else { return }
      var prospect = DuePolicy.Prospect(state: state, expires: try row.read(2))
      prospect.isPriceConsentPending = try RenewalInfo.consent(row.read(4), row.read(5)) == false
      judged.lines[row[0]] = (prospect, try row.read(3))
    }
    return judged
  }

  func prospects(of user: AppUserID?, important: ImportantLines) -> [DuePolicy.Prospect] {
    // Sort the lines, so that the same rule is chosen if several rules give the same date.
    lines.sorted { $0.key < $1.key }.map { _, line in
      var prospect = line.prospect
      prospect.isImportant = important.contains(line.product, of: user)
      return prospect
    }
  }

  /// Returns the number of lines whose state has changed; new lines are not counted.
  func changes(since before: Self) -> Int {
    lines.reduce(0) { count, line in
      let old = before.lines[line.key]?.prospect.state
      return count + (old == nil || old == line.value.prospect.state ? 0 : 1)
    }
  }
}

/// SQL for the states of lines at an instant, like `Line.verdict(at:)`, but from stored spans.
enum CurrentStateQuery {
  /// Returns a query for the lines that have begun by `t`.
  static func at(
    _ t: String, from start: String = "lines l CROSS JOIN spans p ON p.line_id = l.id", filter: String = "1"
  ) -> String {
    """
    SELECT l.id AS line_id, l.chain_id, c.environment, c.original_transaction_id, l.subscription_group_id,
      l.is_family_shared, c.validated_at_ms, p.current_id, x.transaction_id, x.product_id, x.kind, x.purchase_date_ms,
      x.expires_date_ms, x.price_micros, x.currency, x.monthly_micros, r.auto_renew_status, r.auto_renew_product_id,
      \(PositionShape.intent(of: "s.reason")) AS expiration_intent, s.state,
      r.price_consent_status, r.price_increase_status,
      ifnull(p.access_end_ms, x.expires_date_ms) AS access_end_ms
    FROM \(start)
      JOIN chains c ON c.id = l.chain_id
      JOIN position_classes s ON s.id = p.position_id
      JOIN transactions x ON x.id = p.current_id
      LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    WHERE p.until_ms > \(t) AND p.from_ms <= \(t) AND \(filter)
    """
  }
}
