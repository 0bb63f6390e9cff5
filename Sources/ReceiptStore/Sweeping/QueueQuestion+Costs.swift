import GRDB
import Subscriptions

/// What the due policy costs.
extension QueueQuestion {
  /// While the population stays as it is. Every receipt of a line is asked about it; the line counts once.
  func costs() throws -> [DuePolicy.Cost] {
    // Added up here: to group every line, SQLite would first sort them all in memory.
    var strata: [DuePolicy.Stratum] = []
    var lines = try BoundStatement(countedLines, db)
    lines.bind(now)
    for product in products { lines.bind(product) }
    for user in users { lines.bind(user) }
    func add(_ rule: DuePolicy.Rule, isImportant: Bool, lines: Int, holdings: Int64, period: Int64) {
      guard holdings > 0 else { return }
      let known = strata.firstIndex { $0.rule == rule && $0.isImportant == isImportant }
      if known == nil { strata.append(DuePolicy.Stratum(rule, isImportant: isImportant)) }
      let place = known ?? strata.count - 1
      strata[place].lines += lines
      strata[place].holdings += Int(holdings)
      if period > 0 { strata[place].expiriesPerDay += Double(holdings * Milliseconds.day) / Double(period) }
    }
    let states = LineState.allCases
    try lines.forEach { line in
      guard states.indices.contains(line.count(0)) else { return }
      var prospect = DuePolicy.Prospect(state: states[line.count(0)], expires: line.date(1))
      prospect.isPriceConsentPending = RenewalInfo.consent(line.text(2), line.text(3)) == false
      let (rule, period, holdings, important) = (
        policy.rule(of: prospect, at: now), line[4], line[5], line[6]
      )
      // By users, some of a line's receipts can be important and others not.
      add(rule, isImportant: true, lines: 1, holdings: important, period: period)
      add(
        rule, isImportant: false, lines: important > 0 ? 0 : 1, holdings: holdings - important, period: period
      )
    }
    return policy.costs(of: strata, linelessReceipts: try linelessReceipts())
  }

  /// Of each line, the place of its state, its expiry, the two fields of a price consent, its period in milliseconds, how many receipts are
  /// asked about it, and for how many of these it is important.
  private var countedLines: String {
    let states = LineState.allCases.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
    return """
      SELECT CASE j.state \(states.joined(separator: " ")) ELSE -1 END, j.expires_date_ms,
        j.price_consent_status, j.price_increase_status,
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
