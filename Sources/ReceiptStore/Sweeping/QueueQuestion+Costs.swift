import GRDB
import Subscriptions

/// What the due policy costs.
extension QueueQuestion {
  /// While the population stays as it is. Every receipt of a line is asked about it; the line counts once.
  func costs() throws -> [DuePolicy.Cost] {
    // Added up here: to group every line, SQLite would first sort them all in memory.
    var strata: [Int64: DuePolicy.Stratum] = [:]
    var lines = try BoundStatement(countedLines, db)
    lines.bind(now)
    for product in products { lines.bind(product) }
    for user in users { lines.bind(user) }
    func add(_ number: Int64, lines: Int, holdings: Int64, period: Int64) {
      guard holdings > 0, var stratum = strata[number] ?? Self.stratum(number) else { return }
      stratum.lines += lines
      stratum.holdings += Int(holdings)
      if period > 0 { stratum.expiriesPerDay += Double(holdings * Milliseconds.day) / Double(period) }
      strata[number] = stratum
    }
    try lines.forEach { line in
      let (number, period, holdings, important) = (line[0], line[1], line[2], line[3])
      // By users, some of a line's receipts can be important and others not.
      add(number + 2, lines: 1, holdings: important, period: period)
      add(number, lines: important > 0 ? 0 : 1, holdings: holdings - important, period: period)
    }
    // In one order, so that the same lines always cost the same to the last digit.
    let sorted = strata.sorted { $0.key < $1.key }.map(\.value)
    return policy.costs(of: sorted, linelessReceipts: try linelessReceipts())
  }

  /// Of each line, its stratum as one number where no receipt of it is important, its period in milliseconds, how many receipts are asked
  /// about it, and for how many of these it is important.
  private var countedLines: String {
    let states = LineState.allCases.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
    return """
      SELECT 8 * CASE j.state \(states.joined(separator: " ")) END + 4 * j.is_consent_pending
          + (j.expires_date_ms <= ?1 - \(policy.longLapsedAfter)),
        j.expires_date_ms - j.purchase_date_ms, (\(holdings(where: "1"))),
        \(products.isEmpty && users.isEmpty ? "0" : "(\(holdings(where: importance)))")
      FROM (\(StandingLines.at("?1"))) AS j
      """
  }

  /// How many receipts are asked about a line `j`.
  private func holdings(where condition: String) -> String {
    """
    SELECT count(*) FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
    WHERE k.chain_id = j.chain_id AND q.has_contents AND q.dead_reason IS NULL AND \(condition)
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
