import GRDB
import Subscriptions

/// What the due policy costs.
extension QueueQuestion {
  /// While the population stays as it is. A line counts with every receipt that is asked about it.
  func costs() throws -> [DuePolicy.Cost] {
    // Added up here: to group every line, SQLite would first sort them all in memory.
    var strata: [Int64: DuePolicy.Stratum] = [:]
    var lines = try BoundStatement(countedLines, db)
    lines.bind(now)
    for product in products { lines.bind(product) }
    for user in users { lines.bind(user) }
    try lines.forEach { line in
      guard var stratum = strata[line[0]] ?? Self.stratum(line[0]) else { return }
      stratum.lines += 1
      if line[1] > 0 { stratum.expiriesPerDay += Double(Milliseconds.day) / Double(line[1]) }
      strata[line[0]] = stratum
    }
    // In one order, so that the same lines always cost the same to the last digit.
    let sorted = strata.sorted { $0.key < $1.key }.map(\.value)
    return policy.costs(of: sorted, linelessReceipts: try linelessReceipts())
  }

  /// Of each line, its stratum as one number, and its period in milliseconds.
  private var countedLines: String {
    let states = LineState.allCases.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
    return """
      SELECT 8 * CASE j.state \(states.joined(separator: " ")) END + 4 * j.is_consent_pending
          + 2 * \(importance) + (j.expires_date_ms <= ?1 - \(policy.longLapsedAfter)),
        j.expires_date_ms - j.purchase_date_ms
      FROM (\(StandingLines.at("?1"))) AS j
        JOIN receipt_chains k ON k.chain_id = j.chain_id
        JOIN receipts q ON q.id = k.receipt_id AND q.has_contents AND q.dead_reason IS NULL
      """
  }

  private static func stratum(_ number: Int64) -> DuePolicy.Stratum? {
    guard LineState.allCases.indices.contains(Int(number / 8)) else { return nil }
    let state = LineState.allCases[Int(number / 8)]
    var stratum = DuePolicy.Stratum(state: state, lines: 0)
    (stratum.isPriceConsentPending, stratum.isImportant) = (number & 4 != 0, number & 2 != 0)
    stratum.isLongLapsed = (state == .expired || state == .revoked) && number & 1 != 0
    return stratum
  }

  /// Whether a line `j` of a receipt `q` is important, by the products and the users that are bound after the instant.
  private var importance: String {
    let marks = { (first: Int, count: Int) in (0..<count).map { "?\(first + $0)" }.joined(separator: ", ") }
    return """
      (j.product_id IN (\(marks(2, products.count)))
        OR q.app_user_id IN (\(marks(2 + products.count, users.count))))
      """
  }

  private var products: [ProductID] { policy.important.products.sorted() }
  private var users: [AppUserID] { policy.important.users.sorted() }

  private func linelessReceipts() throws -> Int {
    try rows(
      """
      SELECT count(*) FROM receipts q
      WHERE q.has_contents AND q.dead_reason IS NULL AND q.last_validated_at_ms IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM receipt_chains k JOIN lines l ON l.chain_id = k.chain_id WHERE k.receipt_id = q.id)
      """
    ).first?[0] ?? 0
  }
}
