import GRDB
import Subscriptions

extension Tallied {
  /// The lines whose period ends within so many days, for each of the horizons: by the last period that is known of each line,
  /// and the one before it where it was renewed ahead; for the lines of which more is known than what runs now, by their
  /// verdicts.
  func due(within horizons: [Int], _ asking: Asking) throws -> [[RowGroup]] {
    let t = asking.question.at
    let ends = horizons.map { t + Int64($0) * Milliseconds.day }
    var sums = try book.sums(ends.map { .init(family: .end, after: t, through: $0) })
    let ahead = try book.sums(ends.map { .init(family: .endAhead, after: t, through: $0) })
    for place in horizons.indices {
      for (key, value) in ahead[place] { sums[place].add(book.keys.known(key.key.asEnd), value) }
    }
    let lines = Self.lines(areSomeToBegin: try areSomeToBegin(after: t))
    let arguments = ["t": t, "last": ends.max() ?? t]
    for (sign, sql) in [(-1, Self.told(lines)), (1, Self.judged(lines))] {
      for row in try FetchedRow.fetchAll(
        asking.db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
      {
        let expires: Instant = row[5]
        let mark = TallyMark.end(
          at: expires, product: row[1], isRenewing: row[2], charge: row.money(micros: 3, currency: 4),
          in: StoreEnvironment(row[0] as String))
        for place in horizons.indices where expires <= ends[place] {
          sums[place].add(book.keys.known(mark.key), sign < 0 ? -mark.value : mark.value)
        }
      }
    }
    return sums.map { $0.groups(.end, asking.question) }
  }

  /// Whether a line begins after the instant: it is in a state from then on.
  private func areSomeToBegin(after t: Instant) throws -> Bool {
    var begun: Int64 = 0
    try book.read([.init(family: .state, after: t, through: .distantFuture)], scope: .all) {
      begun += $2.count
    }
    return begun != 0
  }

  /// Lines whose last phase is not the one of `:t`, unless it was bought ahead, or that may be judged by another renewal info
  /// than it.
  private static func lines(areSomeToBegin: Bool) -> String {
    """
    SELECT p.line_id FROM phases p WHERE p.until_ms > :t AND p.until_ms < \(Int64.max)
      AND NOT EXISTS (SELECT 1 FROM lines a INDEXED BY lines_renewed_ahead WHERE a.renewed_ahead_at_ms = p.until_ms AND a.id = p.line_id)
    \(areSomeToBegin ? "UNION SELECT line_id FROM transactions WHERE line_id IS NOT NULL AND purchase_date_ms > :t" : "")
    UNION SELECT l.id FROM chains c JOIN lines l ON l.chain_id = c.id WHERE c.validated_at_ms > :t
    """
  }

  /// What the tallies say of these lines.
  private static func told(_ lines: String) -> String {
    """
    SELECT c.environment, x.product_id, ifnull(r.auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "r", row: "x")),
      \(Asking.standardPrice("currency", renewal: "r", row: "x")), x.expires_date_ms
    FROM (\(lines)) AS f CROSS JOIN lines l ON l.id = f.line_id
      CROSS JOIN phases p ON p.line_id = l.id AND p.until_ms IN (\(Int64.max), ifnull(l.renewed_ahead_at_ms, 0))
      CROSS JOIN chains c ON c.id = l.chain_id
      CROSS JOIN transactions x ON x.id = p.current_id
      LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    WHERE p.is_live AND p.from_ms < x.expires_date_ms AND x.expires_date_ms > :t AND x.expires_date_ms <= :last
      AND NOT l.is_family_shared
    """
  }

  /// What holds of them.
  private static func judged(_ lines: String) -> String {
    """
    SELECT environment, product_id, ifnull(auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "j", row: "j")),
      \(Asking.standardPrice("currency", renewal: "j", row: "j")), expires_date_ms
    FROM (\(StateSQL.judgedLines(
    at: ":t",
    from: "(\(lines)) AS f CROSS JOIN lines l ON l.id = f.line_id CROSS JOIN phases p ON p.line_id = l.id",
    filter: "NOT l.is_family_shared"))) AS j
    WHERE state IN ('trial', 'active') AND expires_date_ms <= :last
    """
  }
}

extension TallyKey {
  /// What a period renewed ahead is counted as.
  fileprivate var asEnd: TallyKey {
    var key = self
    key.family = .end
    return key
  }
}
