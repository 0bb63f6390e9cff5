import GRDB
import Subscriptions

struct QueueQuestion {
  let db: Database
  let policy: DuePolicy
  let now: Instant

  func report() throws -> QueueReport {
    var report = QueueReport(asOfMs: now)
    try addDue(to: &report)
    try addComing(to: &report)
    try addFailures(to: &report)
    report.leased = try count("leases e WHERE \(SelectedReceipts.isHeld(KilledSweeps.fetch(db)))")
    report.policy = try costs()
    report.freshness = try freshness()
    report.detectionLag = try detectionLag()
    report.statuses = try statuses()
    report.sweeps = try StoredSweep.fetch(limit: 10, at: now, db)
    if let last = try StoredSweep.last(at: now, db), !report.sweeps.contains(where: { $0.id == last.id }) {
      report.sweeps.append(last)
    }
    return report
  }

  private func count(_ sql: String) throws -> Int {
    try Int.first(db, "SELECT count(*) FROM \(sql)", ["now": now]) ?? 0
  }

  /// Counts receipts by last status; success is dated by the last validation, not by a later failed try.
  private func statuses() throws -> [StatusTally] {
    try db.rows(
      """
      SELECT last_status, count(*), max(iif(last_status IN (0, 21006),
        ifnull(last_validated_at_ms, last_checked_at_ms), last_checked_at_ms)), min(id)
      FROM receipts WHERE last_status IS NOT NULL AND last_checked_at_ms IS NOT NULL
      GROUP BY last_status ORDER BY last_status
      """
    ) {
      try StatusTally(
        status: $0.read(0), count: $0.read(1), lastSeenAtMs: $0.read(2), exampleReceipt: $0.read(3))
    }
  }

  private func addDue(to report: inout QueueReport) throws {
    let bounds = QueueReport.AgeBucket.bounds
    for (index, from) in bounds.enumerated() {
      let until = index + 1 < bounds.count ? "AND next_due_at_ms > :now - \(bounds[index + 1])" : ""
      let count = try count("receipts WHERE next_due_at_ms <= :now - \(from) \(until)")
      report.overdueByAge.append(.init(fromMs: from, count: count))
      report.due += count
    }
  }

  private func addComing(to report: inout QueueReport) throws {
    report.next24h = Array(repeating: 0, count: 24)
    try db.forEach(
      """
      SELECT (next_due_at_ms - :now - 1) / \(Milliseconds.hour) AS hour, count(*) FROM receipts
      WHERE next_due_at_ms > :now AND next_due_at_ms <= :now + \(Milliseconds.day) GROUP BY hour
      """, ["now": now]
    ) { report.next24h[$0.count(0)] = $0.count(1) }
    report.later = try count("receipts WHERE next_due_at_ms > :now + \(Milliseconds.day)")
  }

  private func addFailures(to report: inout QueueReport) throws {
    let retrying = "receipts WHERE failing_since_ms IS NOT NULL AND next_due_at_ms IS NOT NULL"
    report.retrying = try count(retrying)
    report.nextRetryAtMs = try Instant.first(db, "SELECT min(next_due_at_ms) FROM \(retrying)")
    report.dead = try reasons("dead_reason", where: "dead_reason IS NOT NULL")
    let failing = "failing_since_ms IS NOT NULL AND next_due_at_ms IS NOT NULL AND last_failure IS NOT NULL"
    // Receipts whose answers are too long wait longer.
    let isTooLong = "due_rule IS '\(DuePolicy.Rule.tooLong.rawValue)'"
    report.setAside = try reasons("last_failure", where: "\(failing) AND \(isTooLong)")
    report.failures = try reasons("last_failure", where: "\(failing) AND NOT \(isTooLong)")
  }

  private func reasons(_ column: String, where condition: String) throws -> [QueueReport.DeadReason] {
    try db.rows(
      """
      SELECT \(column) AS reason, count(*) AS receipts, min(id) FROM receipts WHERE \(condition)
      GROUP BY reason ORDER BY receipts DESC, reason
      """
    ) { try QueueReport.DeadReason(reason: $0.read(0), count: $0.read(1), exampleReceipt: $0.read(2)) }
  }

  /// Returns quantiles of the milliseconds since the last validation of lines with access; `nil` without any.
  func freshness() throws -> QueueReport.AgeQuantiles? {
    var ages: [Int64] = []
    var unchecked = 0
    var lines = try BoundStatement(
      """
      SELECT validated_at_ms FROM (\(CurrentStateQuery.at("?1")))
      WHERE NOT is_family_shared AND state IN (\(Self.statesWithAccess))
      """, db)
    lines.bind(now)
    // If `now` is in the past, a line validated later has age 0, because its earlier validation is not known.
    try lines.forEach { line in
      if let validated = line.number(0) {
        ages.append(max(0, Int64(clamping: Int128(now.rawValue) - Int128(validated))))
      } else {
        unchecked += 1
      }
    }
    ages.sort()
    guard let oldest = ages.last else { return nil }
    let fresh = ages.count { $0 < Milliseconds.day }
    return QueueReport.AgeQuantiles(
      p50: Self.quantile(0.5, of: ages), p95: Self.quantile(0.95, of: ages), max: oldest,
      within24h: Double(fresh) / Double(ages.count + unchecked))
  }

  private static var statesWithAccess: String {
    LineState.allCases.filter(\.hasAccess).map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }

  /// Returns the detection lag of events observed in the last 28 days, by type (METRICS §5).
  ///
  /// Events from a chain's first validation are excluded, because that shows the whole past of the chain.
  /// Events are also excluded if they are dated only by an interval, or known only from notifications.
  func detectionLag() throws -> [QueueReport.DetectionLag] {
    // Group the rows here, because SQLite would sort all of them in memory.
    var lags: [String: [Int64]] = [:]
    try db.forEach(
      """
      SELECT s.type, e.observed_at_ms - e.effective_at_ms
      FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id
      WHERE e.observed_at_ms > :now - \(28 * Milliseconds.day) AND e.observed_at_ms <= :now
        AND e.observed_after_ms IS NULL AND NOT s.is_told_by_notification_alone
        AND EXISTS (SELECT 1 FROM receipt_chains k
          WHERE k.chain_id = e.chain_id AND k.first_observed_at_ms < e.observed_at_ms)
      """, ["now": now]
    ) { lags[$0.text(0) ?? "", default: []].append($0[1]) }
    return lags.map { type, lags in
      let lags = lags.sorted()
      return QueueReport.DetectionLag(
        type: type, count: lags.count, p50: Self.quantile(0.5, of: lags), p95: Self.quantile(0.95, of: lags))
    }.sorted { $0.type < $1.type }
  }

  /// Returns the smallest value that at least `share` of the sorted values, one or more, do not exceed.
  private static func quantile(_ share: Double, of sorted: [Int64]) -> Int64 {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }

  /// Returns the lines and the requests per day of each due rule, if the set of lines stayed the same; a line
  /// counts once, but each of its receipts causes a request.
  func costs() throws -> [DuePolicy.Cost] {
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
      // Only some receipts of a line may be important, depending on their users.
      add(rule, isImportant: true, lines: 1, holdings: important, period: period)
      add(
        rule, isImportant: false, lines: important > 0 ? 0 : 1, holdings: holdings - important, period: period
      )
    }
    return policy.costs(of: strata, linelessReceipts: try linelessReceipts())
  }

  /// Query for each line: index of its state, expiry, two fields of price consent, period in milliseconds,
  /// number of receipts, and number of important receipts.
  private var countedLines: String {
    let states = LineState.allCases.enumerated().map { "WHEN '\($1.rawValue)' THEN \($0)" }
    return """
      SELECT CASE j.state \(states.joined(separator: " ")) ELSE -1 END, j.expires_date_ms,
        j.price_consent_status, j.price_increase_status,
        j.expires_date_ms - j.purchase_date_ms, (\(holdings(where: "1"))),
        \(products.isEmpty && users.isEmpty ? "0" : "(\(holdings(where: importance)))")
      FROM (\(CurrentStateQuery.at("?1"))) AS j
      """
  }

  private func holdings(where condition: String) -> String {
    """
    SELECT count(*) FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
    WHERE k.chain_id = j.chain_id AND q.has_contents AND q.dead_reason IS NULL AND \(condition)
    """
  }

  /// SQL condition for an important line `j` of a receipt `q`; products and users are bound from `?2` on.
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
    try count(
      """
      receipts q
      WHERE q.has_contents AND q.dead_reason IS NULL AND q.last_validated_at_ms IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM receipt_chains k JOIN lines l ON l.chain_id = k.chain_id WHERE k.receipt_id = q.id)
      """)
  }
}

extension ReceiptStore {
  /// Returns the state of the queue, with the requests per day of each due rule; reads every line.
  public func queue(at now: Instant) throws(StoreError) -> QueueReport {
    try read("read the queue of") { try QueueQuestion(db: $0, policy: policy, now: now).report() }
  }
}
