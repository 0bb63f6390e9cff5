import GRDB
import Subscriptions

/// What holds at a question's instant of what is anchored in its window: lines that were lost, and periods that may yet be
/// paid for.
///
/// A turn with a regular lag has come by the instant if its anchor lies at least so long before it, so that the sum of such
/// turns is one over their anchors. Of the others the sums know either all, less those that are still to come, or none, and those
/// that have come since the window's start are added: whichever are fewer.
struct TurnTallies {
  let asking: Asking
  let book: TallyBook
  private let window: Window
  private let numbers: [Int64: KnownKey]
  /// Whether irregular turns are in the sums, and those to come taken off again.
  private let isWhole: Bool
  /// Of irregular lags, those that are not longer than the window is.
  private let spans: [Leaving.Span?]

  init(_ asking: Asking, _ book: TallyBook) throws {
    self.asking = asking
    self.book = book
    window = asking.question.window
    numbers = try book.keys.all(asking.db)
    let (all, days) = (Leaving.Span.allCases, Int64(window.days))
    // The first span that the window fits into holds all that is shorter.
    spans = all.firstIndex { days <= $0.rawValue }.map { Array(all[...$0]) } ?? all + [nil]
    let ahead: Int =
      try asking.rows(
        """
        SELECT count(*) FROM (
          SELECT 1 FROM \(Self.told) WHERE \(Self.isToCome) AND \(Self.isShort(spans)) LIMIT \(Self.fewAhead + 1))
        """
      ).first?[0] ?? 0
    isWhole = ahead <= Self.fewAhead
  }

  private static let fewAhead = 1000

  /// Lines that count alike.
  struct Group {
    var place: Place
    var lines: Int
  }

  struct Place: Hashable {
    var product: ProductID
    /// Where they were lost.
    var loss: LossDetail?
    /// Of the window, that holds the anchor.
    var stretch: Int
  }

  func groups(_ family: TallyFamily) throws -> [Group] {
    let known = numbers.values.filter { $0.key.family == family }
    let ends = Dictionary(Set(known.compactMap(\.lag)).map { ($0, end(of: $0)) }) { first, _ in first }
    var sums = [TallyBook.Sums](repeating: [:], count: window.stretchEnds.count)
    let span = { (key: KnownKey) in
      key.lag.flatMap { ends[$0] ?? nil }.map { Span(after: window.from, through: $0) }
    }
    let cuts = window.stretchEnds.dropLast().map { minute(of: $0) + 1 }
    try read(family, Set(known.compactMap(span)), cuts: cuts) { key, anchor, value in
      sums[stretch(of: anchor)].add(key, value)
    } of: {
      span($0)
    }
    try rows(inMinutesOf: Set(known.compactMap(span))) { row in
      guard row.key.key.family == family, let span = span(row.key), span.cuts(row.anchor) else { return }
      sums[stretch(of: row.anchor)].add(row.key, row.value)
    }
    for row in try told(
      of: family, "s.key_id, \(window.stretch(ofColumn: "s.anchor_ms")) AS stretch, sum(s.sign)")
    {
      if let key = numbers[row[0]] { sums[row[1]].add(key, TallyValue(count: toldSign * (row[2] as Int64))) }
    }
    // Where a spell began and ended with different lags, two keys tell of it.
    var groups: [Place: Int] = [:]
    for (stretch, sums) in sums.enumerated() {
      for (known, value) in sums where value.count != 0 && asking.question.includes(known.key) {
        let place = Place(product: known.key.product, loss: known.loss, stretch: stretch)
        groups[place, default: 0] += Int(value.count)
      }
    }
    return groups.compactMap { $1 == 0 ? nil : Group(place: $0, lines: $1) }
  }

  /// METRICS §4, Churn rate: those of the lost lines that were active and paid at the window's start.
  func lostOfStart() throws -> Int {
    guard asking.question.products.isEmpty,
      let kind = Leaving.Span.allCases.first(where: { window.days <= $0.rawValue })
    else { return try looked(in: "turns s", where: "k.id = s.key_id") }
    var lines: Int64 = 0
    let span = { (reach: Leaving.Reach) -> Span? in
      guard let end = end(of: reach.lag) else { return nil }
      let (first, last) = (
        window.from + reach.more * Milliseconds.hour, window.from + reach.most * Milliseconds.hour
      )
      return first < min(last, end) ? Span(after: first, through: min(last, end)) : nil
    }
    let known = numbers.values.filter { $0.key.family == kind.family && asking.question.includes($0.key) }
    let reached = Set(known.compactMap { $0.reach.flatMap(span) })
    try read(kind.family, reached, cuts: []) { key, _, value in
      if asking.question.includes(key.key) { lines += value.count }
    } of: {
      $0.reach.flatMap(span)
    }
    try rows(inMinutesOf: reached) { row in
      guard asking.question.includes(row.key.key), row.lookedIn & kind.bit == 0,
        let span = row.turn?.reach(in: kind).flatMap(span), span.cuts(row.anchor)
      else { return }
      lines += row.value.count
    }
    let told = try told(
      of: .loss, "sum(s.sign)", where: "s.looked_in & \(kind.bit) = 0 AND \(Self.isOfStart)")
    lines += toldSign * (told.first?[0] ?? 0)
    let looked = try looked(
      in: "turns s INDEXED BY \(kind == .month ? "turns_month" : "turns_year") ON s.key_id = k.id",
      where: "s.looked_in IN (\(kind.bit), \(Leaving.Span.allBits))")
    return Int(lines) + looked
  }

  /// The same of the turns that no sum tells it of.
  private func looked(in turns: String, where condition: String) throws -> Int {
    try asking.rows(
      """
      SELECT ifnull(sum(s.sign), 0) FROM tally_keys k CROSS JOIN \(turns)
      WHERE k.family = \(TallyFamily.loss.rawValue) AND s.anchor_ms > :from AND s.anchor_ms <= :to
        AND s.at_ms <= :t AND s.paid_from_ms IS NOT NULL AND \(condition)
        AND \(asking.environment("k.environment")) AND \(asking.product("k.product_id")) AND \(ofStart)
      """
    ).first?[0] ?? 0
  }

  /// Whether the line of a turn was active and paid at the window's start. Mostly its last paid stretch tells; where one
  /// before it may have been the one, or products are asked for, its phases do.
  private var ofStart: String {
    let looked = "EXISTS (SELECT 1 FROM \(asking.paidAtStart) AND l.id = s.line_id)"
    guard asking.question.products.isEmpty else { return looked }
    return """
      CASE WHEN \(Self.isOfStart) THEN 1 WHEN ifnull(s.paid_before_ms <= :from, 1) THEN 0 ELSE \(looked) END
      """
  }

  private static let isOfStart = "ifnull(s.paid_from_ms <= :from AND s.paid_until_ms > :from, 0)"

  // MARK: Reading

  /// Anchors after one instant and through another.
  private struct Span: Hashable {
    var after: Instant
    var through: Instant
    /// Minutes that lie in it whole.
    var first: Int64 { minute(of: after) + 1 }
    var end: Int64 { minute(of: through) }

    /// Whether an anchor lies in it, in a minute that does not.
    func cuts(_ anchor: Instant) -> Bool {
      let minute = minute(of: anchor)
      return anchor > after && anchor <= through && (minute < first || minute >= end)
    }
  }

  /// The last anchor of the window from which a turn has come by its end; nil where the sums are not asked.
  private func end(of lag: Lag) -> Instant? {
    switch lag {
    case .hours(let hours): window.to - hours * Milliseconds.hour
    case .irregular(let span): isWhole && spans.contains(span) ? window.to : nil
    }
  }

  private func stretch(of anchor: Instant) -> Int { window.stretch(of: anchor) }

  /// The sums of the minutes that lie whole in the span of their key.
  private func read(
    _ family: TallyFamily, _ spans: Set<Span>, cuts: [Int64],
    _ take: (KnownKey, Instant, TallyValue) -> Void, of span: (KnownKey) -> Span?
  ) throws {
    let whole = spans.filter { $0.first < $0.end }
    guard let first = whole.map(\.first).min(), let end = whole.map(\.end).max() else { return }
    let inner = (cuts + whole.flatMap { [$0.first, $0.end] }).filter { $0 > first && $0 < end }
    let all = [first] + Set(inner).sorted() + [end]
    let stretches = zip(all, all.dropFirst()).map {
      TallyBook.Stretch(family: family, from: $0, until: $1)
    }
    for (stretch, sums) in zip(stretches, try book.sums(stretches)) {
      let from = stretch.from ?? 0
      for (key, value) in sums {
        guard let span = span(key), from >= span.first, stretch.until <= span.end else { continue }
        take(key, Instant(milliseconds: from * Milliseconds.minute), value)
      }
    }
  }

  private struct Row {
    var key: KnownKey
    var anchor: Instant
    var at: Instant
    var value: TallyValue
    var paidFrom: Instant?
    var paidUntil: Instant?
    var lookedIn: Int64

    /// Nil where no line that was paid is lost.
    var turn: Turn? {
      guard let paidFrom, let paidUntil else { return nil }
      return Turn(
        anchor: anchor, at: at, sign: 1, key: key.key,
        leaving: Leaving(paidFrom: paidFrom, paidUntil: paidUntil, paidBefore: nil))
    }
  }

  private static let columns = "key_id, anchor_ms, at_ms, sign, paid_from_ms, paid_until_ms, looked_in"

  private func row(_ row: FetchedRow) -> Row? {
    guard let key = numbers[row[0]] else { return nil }
    return Row(
      key: key, anchor: row[1], at: row[2], value: TallyValue(count: row[3]),
      paidFrom: row[4], paidUntil: row[5], lookedIn: row[6])
  }

  /// The turns in the minutes in which spans begin and end.
  private func rows(inMinutesOf spans: Set<Span>, _ take: (Row) -> Void) throws {
    let statement = try asking.db.cachedStatement(
      sql: "SELECT \(Self.columns) FROM turns WHERE anchor_ms >= ? AND anchor_ms <= ?")
    for minute in Set(spans.flatMap { [minute(of: $0.after), minute(of: $0.through)] }) {
      let start = Instant(milliseconds: minute * Milliseconds.minute)
      let (low, high) = (max(start, window.from + 1), min(start + (Milliseconds.minute - 1), window.to))
      guard low <= high else { continue }
      let rows = try FetchedRow.fetchCursor(statement, arguments: [low, high])
      while let found = try rows.next() { row(found).map(take) }
    }
  }

  private static let told = "tally_keys k CROSS JOIN turns s INDEXED BY turns_told ON s.key_id = k.id"
  private static func isShort(_ spans: [Leaving.Span?]) -> String {
    "(" + spans.map { "k.detail LIKE '% \(Lag.irregular($0).text)'" }.joined(separator: " OR ") + ")"
  }

  private static let isToCome = "s.is_told AND s.at_ms > :t"

  /// What is asked of the irregular turns that the sums do not tell, or tell too early: `toldSign` says which.
  private func told(
    of family: TallyFamily, _ columns: String, where condition: String = "1"
  ) throws -> [FetchedRow] {
    let isOutside = isWhole ? Self.isToCome : "s.is_told AND s.at_ms > :from AND s.at_ms <= :t"
    let groups = columns.contains("stretch") ? "GROUP BY s.key_id, stretch" : ""
    return try asking.rows(
      """
      SELECT \(columns) FROM \(Self.told)
      WHERE k.family = \(family.rawValue) AND \(asking.environment("k.environment")) AND \(asking.product("k.product_id"))
        AND \(Self.isShort(spans)) AND \(isOutside) AND s.anchor_ms > :from AND s.anchor_ms <= :to AND \(condition) \(groups)
      """)
  }

  private var toldSign: Int64 { isWhole ? -1 : 1 }
}
