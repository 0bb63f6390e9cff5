import GRDB
import Subscriptions

/// What holds at a question's instant of what is anchored in its window: lines that were lost, and periods that may yet be
/// paid for.
///
/// A turn with a regular lag has come by the instant if its anchor lies at least so long before it, so that the sum of such
/// turns is one over their anchors. Of the others the sums know all of a length, less those that are still to come, or none, and
/// those that have come since the window's start are added.
struct TurnTallies {
  let asking: Asking
  let book: TallyBook
  private let window: Window
  private let stretches: Stretches
  private let isByStretch: Bool
  private let numbers: [KnownKey?]
  /// Irregular lags whose turns are in the sums, and those to come taken off again.
  private let summed: [Lag.Span?]
  /// Irregular lags whose turns are looked at one by one.
  private let told: [Lag.Span?]

  /// - Parameter isByStretch: whether it is asked how many there are in each stretch of the window. Then those to come are
  ///   looked at one by one, unless they are so many that those that have come are fewer.
  init(_ asking: Asking, _ book: TallyBook, isByStretch: Bool) throws {
    self.asking = asking
    self.book = book
    self.isByStretch = isByStretch
    window = asking.question.window
    stretches = window.stretches
    // Those of all sums: lists have a place for each that is known by now.
    numbers = try book.keys.numbered(of: [.loss, .pending, .lossToCome, .pendingToCome], asking.db)
    let days = Int64(window.days)
    // A turn of a window has not taken longer than the window.
    let possible = Lag.Span.allCases.filter { $0.least < days } + (days > Lag.Span.year.rawValue ? [nil] : [])
    if isByStretch {
      let ahead: Int =
        try asking.rows(
          """
          SELECT count(*) FROM (SELECT 1 FROM turns s INDEXED BY turns_told
            WHERE s.is_told AND s.at_ms > :t AND s.anchor_ms <= :to AND s.anchor_ms > :from LIMIT \(Self.fewAhead + 1))
          """
        ).first?[0] ?? 0
      (summed, told) = ahead <= Self.fewAhead ? (possible, []) : ([], possible)
    } else {
      summed = possible.filter { $0.map { $0.rawValue <= days } ?? false }
      told = possible.filter { $0.map { $0.rawValue > days } ?? true }
    }
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
    let members = book.keys.known(of: family).filter { asking.question.includes($0.key) }
    var spans = Spans(book.keys)
    for key in members {
      spans[key] = key.lag.flatMap(end(of:)).map { Span(after: window.from, through: $0) }
    }
    var counts = Counts(book.keys, stretches: isByStretch ? window.stretchEnds.count : 1)
    let cuts = isByStretch ? Array(window.stretchEnds.dropLast()) : []
    try read(family, spans, cuts: cuts) { key, anchor, value in
      counts.add(key, stretch(of: anchor), value.count)
    }
    for turns in apart {
      for row in try rows(turns, of: family) {
        if let key = known(row[0]) { counts.add(key, row[1], turns.sign * (row[2] as Int64)) }
      }
    }
    if !isByStretch, let awaited = family.toCome {
      try addToCome(awaited, of: family) { counts.add($0, 0, -$1) }
    }
    return counts.groups(of: members)
  }

  /// Where a spell began and ended with different lags, two keys tell of it: what counts is their sum.
  private struct Counts {
    /// For each kind its stretches.
    private var lines: [Int64]
    private let stretches: Int

    init(_ keys: TallyKeys, stretches: Int) {
      self.stretches = stretches
      lines = Array(repeating: 0, count: keys.counts.kinds * stretches)
    }

    mutating func add(_ key: KnownKey, _ stretch: Int, _ count: Int64) {
      let place = key.kind.index * stretches + stretch
      if lines.indices.contains(place) { lines[place] &+= count }
    }

    func groups(of keys: [KnownKey]) -> [Group] {
      var kinds: [Int: TurnKind] = [:]
      for key in keys { kinds[key.kind.index] = key.kind }
      return kinds.values.flatMap { kind in
        (0..<stretches).compactMap { stretch in
          let count = Int(lines[kind.index * stretches + stretch])
          guard count != 0 else { return nil }
          return Group(place: Place(product: kind.product, loss: kind.loss, stretch: stretch), lines: count)
        }
      }
    }
  }

  /// Where the anchors lie that count, for each key that does.
  private struct Spans {
    private var byKey: [Span?]
    private(set) var all: Set<Span> = []

    init(_ keys: TallyKeys) { byKey = Array(repeating: nil, count: keys.counts.keys) }

    subscript(key: KnownKey) -> Span? {
      get { byKey.indices.contains(key.index) ? byKey[key.index] : nil }
      set {
        byKey[key.index] = newValue
        if let newValue { all.insert(newValue) }
      }
    }
  }

  /// METRICS §4, Churn rate: those of the lost lines that were active and paid at the window's start.
  func lostOfStart() throws -> Int {
    let question = asking.question
    let days = Int64(window.days)
    guard question.products.isEmpty, Leaving.windows.contains(days) else { return try lookedAt() }
    var lines: Int64 = 0
    try book.read(
      [
        .init(family: .leaving, after: nil, through: window.to),
        .init(family: .leaving, after: nil, through: window.from),
      ]
    ) { place, key, value in
      guard let leaving = key.leaving, leaving.isAnchored == (place == 1), leaving.holds(forDays: days),
        question.environment.contains(key.key.environment)
      else { return }
      lines &+= value.count
    }
    return Int(lines)
  }

  /// The same line by line.
  private func lookedAt() throws -> Int {
    try asking.rows(
      """
      SELECT ifnull(sum(s.sign), 0) FROM turns s INDEXED BY turns_anchor CROSS JOIN tally_keys k ON k.id = s.key_id
      WHERE s.anchor_ms > :from AND s.anchor_ms <= :to AND s.at_ms <= :t
        AND k.family = \(TallyFamily.loss.rawValue) AND k.detail GLOB '\(LossDetail.paidPattern)'
        AND \(asking.environment("k.environment")) AND \(asking.product("k.product_id"))
        AND EXISTS (SELECT 1 FROM \(asking.paidAtStart) AND l.id = s.line_id)
      """
    ).first?[0] ?? 0
  }

  // MARK: Reading

  /// Anchors after one instant and through another.
  private struct Span: Hashable {
    var after: Instant
    var through: Instant
  }

  /// The last anchor of the window from which a turn has come by its end; nil where the sums are not asked.
  private func end(of lag: Lag) -> Instant? {
    switch lag {
    case .hours(let hours): window.to - hours * Milliseconds.hour
    case .irregular(let span): summed.contains(span) ? window.to : nil
    }
  }

  private func known(_ number: Int) -> KnownKey? {
    numbers.indices.contains(number) ? numbers[number] : nil
  }

  private func stretch(of anchor: Instant) -> Int { isByStretch ? stretches.place(of: anchor) : 0 }

  /// The sums of the stretches that lie in the span of their key.
  ///
  /// - Parameter take: is told an anchor of the stretch besides.
  private func read(
    _ family: TallyFamily, _ spans: Spans, cuts: [Instant], _ take: (KnownKey, Instant, TallyValue) -> Void
  ) throws {
    let some = spans.all.filter { $0.after < $0.through }
    guard let first = some.map(\.after).min(), let last = some.map(\.through).max() else { return }
    let inner = (cuts + some.map(\.through)).filter { $0 > first && $0 < last }
    let all = [first] + Set(inner).sorted() + [last]
    let stretches = zip(all, all.dropFirst()).map {
      TallyBook.Stretch(family: family, after: $0, through: $1)
    }
    try book.read(stretches) { place, key, value in
      guard let span = spans[key], all[place + 1] <= span.through else { return }
      take(key, all[place + 1], value)
    }
  }

  /// Irregular turns that are anchored in the window and are looked at one by one.
  private struct Apart {
    var spans: [Lag.Span?]
    /// When they come.
    var condition: String
    /// Whether they are added to what the sums tell, or taken off.
    var sign: Int64
  }

  private var apart: [Apart] {
    [
      Apart(spans: told, condition: "s.at_ms > :from AND s.at_ms <= :t", sign: 1),
      Apart(spans: isByStretch ? summed : [], condition: "s.at_ms > :t", sign: -1),
    ].filter { !$0.spans.isEmpty }
  }

  private func rows(
    _ turns: Apart, of family: TallyFamily
  ) throws -> [FetchedRow] {
    let isMeant = turns.spans.map { "k.detail LIKE '% \(Lag.irregular($0).text)'" }.joined(separator: " OR ")
    let stretch = isByStretch ? window.stretch(ofColumn: "s.anchor_ms") : "0"
    return try asking.rows(
      """
      SELECT s.key_id, \(stretch) AS stretch, sum(s.sign) FROM turns s INDEXED BY turns_told CROSS JOIN tally_keys k ON k.id = s.key_id
      WHERE s.is_told AND \(turns.condition) AND s.anchor_ms > :from AND s.anchor_ms <= :to
        AND k.family = \(family.rawValue) AND (\(isMeant)) AND \(asking.environment("k.environment"))
        AND \(asking.product("k.product_id"))
      GROUP BY s.key_id, stretch
      """)
  }

  /// The turns with a summed lag that are anchored by the window's end and have not come by then. None of them is anchored
  /// before the window.
  private func addToCome(
    _ awaited: TallyFamily, of family: TallyFamily, _ add: (KnownKey, Int64) -> Void
  ) throws {
    func isSummed(_ key: KnownKey) -> Bool {
      guard asking.question.includes(key.key), case .irregular(let span) = key.lag else { return false }
      return summed.contains(span)
    }
    try book.read([.init(family: awaited, after: nil, through: window.to)]) { _, key, value in
      if isSummed(key) { add(key, value.count) }
    }
  }
}
