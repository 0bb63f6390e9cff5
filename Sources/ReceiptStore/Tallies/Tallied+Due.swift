import GRDB
import Subscriptions

extension Tallied {
  /// The lines whose period ends within so many days, for each of the horizons: by the last period that is known of each line,
  /// and the one before it where it was renewed ahead; for the lines of which more is known than what runs now, and the minutes
  /// at both ends, by their verdicts.
  func due(within horizons: [Int], _ asking: Asking) throws -> [[RowGroup]] {
    let t = asking.question.at
    let first = minute(of: t) + 1
    let ends = horizons.map { t + Int64($0) * Milliseconds.day }
    let lasts = ends.map(minute(of:))
    var sums = try book.sums(lasts.map { .init(family: .end, from: first, until: $0) })
    let ahead = try book.sums(lasts.map { .init(family: .endAhead, from: first, until: $0) })
    for place in horizons.indices {
      for (key, value) in ahead[place] { sums[place].add(book.keys.known(key.key.asEnd), value) }
    }
    let lines = Self.lines(areSomeToBegin: try areSomeToBegin(after: t))
    var arguments: [String: Instant] = ["t": t, "first": Self.start(ofMinute: first)]
    for (place, end) in ends.enumerated() {
      arguments["end\(place)"] = end
      arguments["last\(place)"] = Self.start(ofMinute: lasts[place])
    }
    for row in try Self.rows(Self.special(lines, horizons.indices), arguments, asking) {
      let (mark, expires) = (Self.mark(row), row[5] as Instant)
      for place in horizons.indices where expires < Self.start(ofMinute: lasts[place]) {
        sums[place].add(book.keys.known(mark.key), -mark.value)
      }
    }
    for row in try Self.rows(Self.judged(lines, horizons.indices), arguments, asking) {
      let (mark, expires, isSpecial) = (Self.mark(row), row[5] as Instant, row[6] as Bool)
      for place in horizons.indices where expires <= ends[place] {
        let isInside = minute(of: expires) >= first && minute(of: expires) < lasts[place]
        if isSpecial || !isInside { sums[place].add(book.keys.known(mark.key), mark.value) }
      }
    }
    return sums.map { $0.groups(.end, asking.question) }
  }

  /// Whether a line begins after the instant's minute: it is in a state from then on.
  private func areSomeToBegin(after t: Instant) throws -> Bool {
    var begun: Int64 = 0
    try book.read(
      [.init(family: .state, from: minute(of: t) + 1, until: .max / TallyGrain.year.minutes)], scope: .all
    ) {
      begun += $2.count
    }
    return begun != 0
  }

  private static func start(ofMinute minute: Int64) -> Instant {
    Instant(milliseconds: minute * Milliseconds.minute)
  }

  private static func rows(
    _ sql: String, _ arguments: [String: Instant], _ asking: Asking
  ) throws -> [FetchedRow] {
    try FetchedRow.fetchAll(asking.db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  private static func mark(_ row: FetchedRow) -> TallyMark {
    TallyMark.end(
      at: .distantPast, product: row[1], isRenewing: row[2], charge: row.money(micros: 3, currency: 4),
      in: StoreEnvironment(row[0] as String))
  }

  /// Lines whose last phase is not the one of `:t`, unless it was bought ahead, or that may be judged by another renewal info
  /// than it.
  private static func lines(areSomeToBegin: Bool) -> String {
    """
    SELECT p.line_id FROM phases p WHERE p.until_ms > :t AND p.until_ms < \(Int64.max)
      AND NOT EXISTS (SELECT 1 FROM lines a INDEXED BY lines_renewed_ahead WHERE a.renewed_ahead_at_ms = p.until_ms AND a.id = p.line_id)
    UNION SELECT line_id FROM transactions
      WHERE line_id IS NOT NULL AND purchase_date_ms > :t AND purchase_date_ms < \(areSomeToBegin ? "\(Int64.max)" : ":first")
    UNION SELECT l.id FROM chains c JOIN lines l ON l.chain_id = c.id WHERE c.validated_at_ms > :t
    """
  }

  /// What the tallies say of these lines.
  private static func special(_ lines: String, _ horizons: Range<Int>) -> String {
    """
    SELECT c.environment, x.product_id, ifnull(r.auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "r", row: "x")),
      \(Asking.standardPrice("currency", renewal: "r", row: "x")), x.expires_date_ms
    FROM (\(lines)) AS f CROSS JOIN lines l ON l.id = f.line_id
      CROSS JOIN phases p ON p.line_id = l.id AND p.until_ms IN (\(Int64.max), ifnull(l.renewed_ahead_at_ms, 0))
      CROSS JOIN chains c ON c.id = l.chain_id
      CROSS JOIN transactions x ON x.id = p.current_id
      LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    WHERE p.is_live AND p.from_ms < x.expires_date_ms AND x.expires_date_ms >= :first
      AND x.expires_date_ms < max(\(names("last", horizons))) AND NOT l.is_family_shared
    """
  }

  /// What holds of them, and of the lines whose period ends in the minutes at both ends.
  private static func judged(_ lines: String, _ horizons: Range<Int>) -> String {
    let edges = horizons.map { place in
      """
      UNION ALL SELECT line_id, 0 FROM transactions
        WHERE line_id IS NOT NULL AND expires_date_ms >= :last\(place) AND expires_date_ms <= :end\(place)
      """
    }
    return """
      SELECT environment, product_id, ifnull(auto_renew_status = 1, 0), \(Asking.standardPrice("price_micros", renewal: "j", row: "j")),
        \(Asking.standardPrice("currency", renewal: "j", row: "j")), expires_date_ms, is_special
      FROM (\(StateSQL.judgedLines(
      at: ":t",
      from: """
        (SELECT line_id, max(is_special) AS is_special FROM (
          SELECT line_id, 1 AS is_special FROM (\(lines))
          UNION ALL SELECT line_id, 0 FROM transactions
            WHERE line_id IS NOT NULL AND expires_date_ms > :t AND expires_date_ms < :first
          \(edges.joined(separator: " "))) GROUP BY line_id
        ) AS f CROSS JOIN lines l ON l.id = f.line_id CROSS JOIN phases p ON p.line_id = l.id
        """,
      columns: "f.is_special,", filter: "NOT l.is_family_shared"))) AS j
      WHERE state IN ('trial', 'active') AND expires_date_ms <= max(\(names("end", horizons)))
      """
  }

  /// With 0, so that there are always two of them.
  private static func names(_ name: String, _ horizons: Range<Int>) -> String {
    (horizons.map { ":\(name)\($0)" } + ["0"]).joined(separator: ", ")
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
