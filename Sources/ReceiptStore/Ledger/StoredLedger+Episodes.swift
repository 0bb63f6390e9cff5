import GRDB
import Subscriptions

extension StoredLedger {
  func episodes(_ selection: EpisodeSelection) throws -> [EpisodeSum] {
    let isOffer = selection.family == .offer
    var sums: [RowKey: RowSum] = [:]
    var statement = try BoundStatement(
      """
      SELECT class_id, \(Self.outcome), from_ms, ifnull(micros, 0), ifnull(converted_micros, 0), ifnull(unconverted, 0)
        \(isOffer ? Self.later : "")
      FROM \(Self.source(selection)) AND (irregular_until_ms IS NULL OR irregular_until_ms <= :t)
      """, db)
    // `:t` and `:after` in the order in which the statement names them.
    statement.bind(selection.at)
    statement.bind(selection.after)
    // To have SQLite group them takes several times as long.
    try statement.forEach { row in
      let cell = selection.cells.count > 1 ? selection.cell(of: Instant(milliseconds: row[2])) : 0
      let key = RowKey(
        kind: row[0], outcome: row[1], cell: cell, currency: isOffer ? row.text(6) : nil,
        isUnpriced: isOffer && row[11] != 0)
      sums[key, default: RowSum()].add(row, by: isOffer ? selection.at : nil)
    }
    return try sums.compactMap { key, row in
      guard let outcome = Episode.Outcome(rawValue: Int(key.outcome)) else { return nil }
      var sum = EpisodeSum(
        kind: try fact(numbered: key.kind), outcome: outcome, cell: key.cell, isUnpriced: key.isUnpriced)
      sum.sum = row.sum
      if let currency = key.currency, row.later.count != 0 { sum.brought = [currency: row.later] }
      return sum
    } + (try irregular(selection))
  }

  private struct RowKey: Hashable {
    var kind: Int64
    var outcome: Int64
    var cell: Int
    var currency: CurrencyCode?
    var isUnpriced: Bool
  }

  private struct RowSum {
    var sum = FactSum()
    var later = FactSum()

    /// - Parameter t: up to when what was bought later counts; nil where nothing is told of that.
    mutating func add(_ row: BoundStatement.Columns, by t: Instant?) {
      sum += FactSum(count: 1, micros: row[3], converted: Converted(micros: row[4], unconverted: row[5]))
      guard let t else { return }
      later += Self.sum(row, 7)
      // The last of it may be ahead.
      if row[12] > t.rawValue { later += -Self.sum(row, 13) }
    }

    private static func sum(_ row: BoundStatement.Columns, _ first: CInt) -> FactSum {
      FactSum(
        count: row[first], micros: row[first + 1],
        converted: Converted(micros: row[first + 2], unconverted: row[first + 3]))
    }
  }

  private static let later = """
    , later_currency, later_count, later_micros, later_converted_micros, later_unconverted, is_unpriced, last_ms, last_count,
    last_micros, last_converted_micros, last_unconverted
    """

  /// `Episode.outcome(at:)` of a regular one.
  static let outcome = """
    CASE WHEN next_ms <= :t THEN \(Episode.Outcome.followed.rawValue)
      WHEN until_ms > :t THEN \(Episode.Outcome.lasts.rawValue) ELSE \(Episode.Outcome.over.rawValue) END
    """

  /// Where the episodes of a selection come from; regular ones, where only some parts of a family are asked for.
  static func source(_ selection: EpisodeSelection) -> String {
    let begun = "family = \(selection.family.rawValue) AND from_ms > :after AND from_ms <= :t"
    let settled = "episodes INDEXED BY episodes_settled WHERE \(begun) AND settled_ms > :t"
    let from = "episodes INDEXED BY episodes_from WHERE \(begun)"
    return switch (selection.part, selection.family) {
    case (.all, _): from
    case (.unsettled, _), (.lasting, .pendingConsent): settled
    case (.lasting, _): "\(from) AND until_ms > :t"
    }
  }

  static func arguments(_ selection: EpisodeSelection) -> StatementArguments {
    ["after": selection.after, "t": selection.at]
  }

  /// What only their lines tell, of offers, and of requests for a higher price that were seen while no period ran: there are few, unless
  /// much was bought since.
  private func irregular(_ selection: EpisodeSelection) throws -> [EpisodeSum] {
    guard selection.family == .offer || selection.family == .consent else { return [] }
    let chains = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT (SELECT chain_id FROM lines l WHERE l.id = line_id) FROM \(Self.source(selection))
            AND irregular_until_ms > :t
          """), arguments: Self.arguments(selection))
    return try chains.flatMap { try lines(ofChain: $0) }.flatMap {
      $0.episodes(selection.family, catalog)
    }.filter { $0.isIrregularUntil.map { $0 > selection.at } ?? false }.sums(selection)
  }

  /// Entries into billing retry in part of an hour.
  ///
  /// - Parameter body: takes the number of the class as well.
  func forEachRetry(
    in part: ClosedRange<Instant>, _ body: (Int64, FactSum) throws -> Void
  ) throws {
    var statement = try BoundStatement(
      """
      SELECT class_id, ifnull(micros, 0), ifnull(converted_micros, 0), ifnull(unconverted, 0)
      FROM episodes INDEXED BY episodes_from WHERE family = ? AND from_ms >= ? AND from_ms <= ?
      """, db)
    statement.bind(FactFamily.retry.rawValue)
    statement.bind(part.lowerBound)
    statement.bind(part.upperBound)
    try statement.forEach { row in
      let converted = Converted(micros: row[2], unconverted: row[3])
      try body(row[0], FactSum(count: 1, micros: row[1], converted: converted))
    }
  }

  func pendingConsents(_ question: Question) throws -> [OfferFigures.Pending] {
    let numbers = numberedFacts.numbers.filter {
      $0.key.family == .pendingConsent && question.includes($0.key)
    }.values.sorted().map(String.init).joined(separator: ", ")
    guard question.limit > 0, !numbers.isEmpty else { return [] }
    let pending = EpisodeSelection(.pendingConsent, .lasting, after: .distantPast, at: question.at)
    return try FetchedRow.fetchAll(
      db,
      sql: """
        SELECT c.original_transaction_id, (
            SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
            WHERE k.chain_id = c.id AND q.app_user_id <> ''
            ORDER BY \(StoreQuery.idOrder("q.app_user_id")) LIMIT 1), s.product_id, x.expires_date_ms
        FROM (SELECT line_id, current_id FROM \(Self.source(pending)) AND class_id IN (\(numbers))) AS e
          CROSS JOIN transaction_rows x ON x.id = e.current_id CROSS JOIN transaction_shapes s ON s.id = x.shape_id
          CROSS JOIN lines l ON l.id = e.line_id CROSS JOIN chains c ON c.id = l.chain_id
        ORDER BY x.expires_date_ms, \(StoreQuery.idOrder("c.original_transaction_id")) LIMIT \(question.limit)
        """, arguments: Self.arguments(pending)
    ).map { row in
      OfferFigures.Pending(row[0], user: row[1], product: row[2], expires: row[3], at: question.at)
    }
  }
}
