import GRDB
import Subscriptions

/// Stored episodes with their outcomes at an instant.
private struct OpenEpisodes {
  struct Key: Hashable {
    var kind: Int64
    var outcome: Episode.Outcome
    var cell: Int
  }

  /// Sums of the episodes whose outcome follows from their rows.
  var byKey: [Key: FactSum] = [:]
  /// Corrections that subtract the last purchase after an episode, if the purchase is after `selection.at`.
  var ahead: [EpisodeSum] = []
  /// Lines with episodes whose outcome can be determined only from the whole line.
  var irregular: Set<Int64> = []
}

extension StoredLedger {
  func episodes(_ selection: EpisodeSelection) throws -> [EpisodeSum] {
    let rows = try open(selection, isUnsettled: Self.areUnsettled(selection))
    return try rows.byKey.map { try sum($0, $1) }
      + (try irregular(rows.irregular, selection).sums(selection))
  }

  func corrections(_ selection: EpisodeSelection) throws -> [EpisodeSum] {
    let rows = try open(selection, isUnsettled: true)
    return try rows.byKey.flatMap { key, row -> [EpisodeSum] in
      let now = try sum(key, row)
      var inTheEnd = now
      inTheEnd.key.outcome = now.key.kind.kind.settledOutcome
      return [-inTheEnd, now]
    } + rows.ahead + (try irregular(rows.irregular, selection).corrections(selection))
  }

  /// Reads the selected episodes, or only those that may still change, with their outcomes at `selection.at`.
  private func open(_ selection: EpisodeSelection, isUnsettled: Bool) throws -> OpenEpisodes {
    let t = selection.at
    let end = isUnsettled ? "settled_ms" : selection.onlyLasting ? "until_ms" : nil
    var episodes = OpenEpisodes()
    Self.require(selection)
    // Grouping in SQLite takes several times as long.
    try db.forEach(
      """
      SELECT class_id, line_id, from_ms, current_id, until_ms, next_ms, irregular_until_ms,
        \(selection.family == .offer ? "last_ms" : "NULL"), micros \(converts ? ", converted_micros, unconverted" : "")
      FROM episodes INDEXED BY \(isUnsettled ? "episodes_settled" : "episodes_from")
      WHERE family = \(selection.family.rawValue) AND from_ms > ?1 AND from_ms <= ?2 \(end.map { "AND \($0) > ?2" } ?? "")
      """, [selection.after, t]
    ) { row in
      if let until = row.instant(6), until > t {
        episodes.irregular.insert(row[1])
        return
      }
      let from = row.date(2)
      if let last = row.instant(7), last > t {
        episodes.ahead.append(try ahead(line: row[1], from: from, current: row[3], selection))
      }
      let key = OpenEpisodes.Key(
        kind: row[0], outcome: Episode.Outcome(at: t, next: row.instant(5), lasts: row.date(4) > t),
        cell: selection.cells.count > 1 ? selection.cell(of: from) : 0)
      episodes.byKey[key, default: FactSum()] += FactSum(
        count: 1, micros: row.sum(8), converted: converts ? row.converted(9) : Converted())
    }
    return episodes
  }

  private func sum(_ key: OpenEpisodes.Key, _ sum: FactSum) throws -> EpisodeSum {
    EpisodeSum(kind: try fact(numbered: key.kind), outcome: key.outcome, cell: key.cell, sum)
  }

  private func ahead(
    line: Int64, from: Instant, current: Int64, _ selection: EpisodeSelection
  ) throws -> EpisodeSum {
    let last = try db.rows(
      "\(StoredEpisode.sql.select) FROM episodes WHERE line_id = ? AND family = ? AND from_ms = ? AND current_id = ?",
      [line, selection.family.rawValue, from, current]
    ) { row in
      let episode = StoredEpisode(row)
      let kind = try fact(numbered: episode.kind)
      let brought = try fact(numbered: episode.laterKind ?? 0).currency.map { [$0: -episode.ofLast] } ?? [:]
      let cell = selection.cells.count > 1 ? selection.cell(of: from) : 0
      return EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, cell: cell, brought: brought)
    }.first
    guard let last else { throw Self.missing("episodes", line) }
    return last
  }

  /// Returns the SQL after `FROM` that selects episodes.
  ///
  /// With `onlyLasting`, the result can be wrong for irregular episodes (`Episode.isIrregularUntil`).
  static func source(_ selection: EpisodeSelection) -> String {
    let begun = "family = \(selection.family.rawValue) AND from_ms > :after AND from_ms <= :t"
    if areUnsettled(selection) {
      return "episodes INDEXED BY episodes_settled WHERE \(begun) AND settled_ms > :t"
    }
    let lasting = selection.onlyLasting ? "AND until_ms > :t" : ""
    return "episodes INDEXED BY episodes_from WHERE \(begun) \(lasting)"
  }

  /// Returns whether to read only unsettled episodes, as for price consent: most were settled long ago.
  private static func areUnsettled(_ selection: EpisodeSelection) -> Bool {
    selection.onlyLasting && selection.family == .pendingConsent
  }

  static func require(_ selection: EpisodeSelection) {
    SharedNeeds.require(
      .rows(
        of: SharedTable.episodes.name,
        where: """
          family = \(selection.family.rawValue) AND from_ms > \(selection.after.rawValue)
            AND from_ms <= \(selection.at.rawValue)
          """))
  }

  static func arguments(_ selection: EpisodeSelection) -> StatementArguments {
    ["after": selection.after, "t": selection.at]
  }

  /// Returns the episodes in the lines `ids` that are irregular at `selection.at` (`isIrregularUntil`).
  private func irregular(_ ids: Set<Int64>, _ selection: EpisodeSelection) throws -> [Episode] {
    if !ids.isEmpty { SharedNeeds.require(.chainsOfLines(ids.sorted())) }
    let chains = Set(
      try ids.flatMap { try db.rows("SELECT chain_id FROM lines WHERE id = ?", [$0]) { $0[0] as Int64 } })
    return try chains.flatMap { try lines(ofChain: $0) }.flatMap {
      $0.episodes(selection.family, catalog)
    }.filter { $0.isIrregularUntil.map { $0 > selection.at } ?? false }
  }

  func episodes(of family: FactFamily, in part: ClosedRange<Instant>) throws -> [ClassedFact] {
    let isOfLater = family == .offerRevenue
    let columns =
      isOfLater
      ? ["later_class_id", "later_count", "later_micros", "later_converted_micros", "later_unconverted"]
      : ["class_id", "1", "micros", "converted_micros", "unconverted"]
    return try db.rows(
      """
      SELECT \(columns.joined(separator: ", "))
      FROM episodes INDEXED BY episodes_from WHERE family = ? AND from_ms >= ? AND from_ms <= ?
        \(isOfLater ? "AND later_class_id IS NOT NULL" : "")
      """, [(isOfLater ? FactFamily.offer : family).rawValue, part.lowerBound, part.upperBound]
    ) { row in
      let count = row.count(1)
      let sum = FactSum(
        count: Int64(count), micros: row.sum(2, of: count), converted: row.converted(3, of: count))
      return (try fact(numbered: row[0]), sum)
    }
  }

  func pendingConsents(_ question: Question) throws -> [PendingConsent] {
    let numbers = classes.numbersOfFacts.filter {
      $0.key.family == .pendingConsent && question.includes($0.key)
    }.values.sorted().map(String.init).joined(separator: ", ")
    guard question.limit > 0, !numbers.isEmpty else { return [] }
    let pending = EpisodeSelection(.pendingConsent, onlyLasting: true, after: .distantPast, at: question.at)
    Self.require(pending)
    let rows = """
      WITH pending AS MATERIALIZED (
        SELECT line_id, class_id, expires_ms FROM \(Self.source(pending)) AND class_id IN (\(numbers)))
      """
    let isWithinLimit = """
      p.expires_ms <= ifnull(
        (SELECT expires_ms FROM pending ORDER BY expires_ms LIMIT 1 OFFSET \(question.limit - 1)),
        (SELECT max(expires_ms) FROM pending))
      """
    if SharedNeeds.current != nil {
      let lines = try db.rows(
        "\(rows) SELECT p.line_id FROM pending p WHERE \(isWithinLimit)", Self.arguments(pending)
      ) { $0[0] as Int64 }
      if !lines.isEmpty { SharedNeeds.require(.chainsOfLines(lines)) }
    }
    return try db.rows(
      // Look up users only for rows that can be within the limit.
      """
      \(rows)
      SELECT c.original_transaction_id, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = c.id AND q.app_user_id <> ''
          ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), f.product_id, p.expires_ms
      FROM pending p CROSS JOIN fact_classes f ON f.id = p.class_id
        CROSS JOIN lines l ON l.id = p.line_id CROSS JOIN chains c ON c.id = l.chain_id
      WHERE \(isWithinLimit)
      ORDER BY p.expires_ms, \(StoreQuery.idOrder("c.original_transaction_id")) LIMIT \(question.limit)
      """, Self.arguments(pending)
    ) { row in
      try PendingConsent(
        row.read(0), user: row.read(1), product: row.read(2), expires: row.read(3), at: question.at)
    }
  }
}
