import GRDB
import Subscriptions

/// Stored episodes with their outcomes at an instant. They are summed if the row determines the outcome,
/// otherwise listed by line.
///
/// One value covers all selections of a family that end within an hour, unless the selection is divided into
/// cells.
struct OpenEpisodes: Sendable {
  struct Key: Hashable, Sendable {
    var kind: Int64
    var outcome: Episode.Outcome
    var cell: Int
  }

  struct ID {
    var line: Int64
    var from: Instant
    var current: Int64
  }

  struct Sums: Sendable {
    var byKey: [Key: FactSum] = [:]
    /// Corrections that subtract the last later purchase of an episode, if it is in the future.
    var ahead: [EpisodeSum] = []
    /// Lines of episodes whose outcome only the line determines.
    var irregular: Set<Int64> = []
  }

  fileprivate struct Row: Sendable {
    var kind: Int64
    var id: ID
    var until: Instant
    var next: Instant?
    var irregularUntil: Instant?
    /// Date of the last later purchase.
    var last: Instant?
    /// Instant from which the episode is no longer in the selection.
    var isMeantUntil: Instant
    var sum: FactSum
    var ahead: EpisodeSum?

    /// Whether the episode is in the selection, with one outcome, at all of these instants.
    func isSteady(_ ends: Range<Instant>, after starts: Range<Instant>) -> Bool {
      id.from >= starts.upperBound
        && [id.from, until, next, irregularUntil, last, isMeantUntil].allSatisfy { t in
          t.map { $0 <= ends.lowerBound || $0 >= ends.upperBound } ?? true
        }
    }

    func isMeant(_ selection: EpisodeSelection) -> Bool {
      id.from > selection.after && id.from <= selection.at && isMeantUntil > selection.at
    }

    /// Returns the outcome of a regular episode.
    func outcome(at t: Instant) -> Episode.Outcome { Episode.Outcome(at: t, next: next, lasts: until > t) }
  }

  private let selection: EpisodeSelection
  private let isUnsettled: Bool
  /// Possible ends of a selection.
  private let ends: Range<Instant>
  private let starts: Range<Instant>
  private var steady = Sums()
  private var others: [Row] = []

  /// - Parameters:
  ///   - isUnsettled: Whether only episodes that may still change are selected.
  ///   - isConverted: Whether there is a reporting currency.
  ///   - ahead: Returns the correction that subtracts the last purchase after an offer.
  init(
    _ selection: EpisodeSelection, isUnsettled: Bool, isConverted: Bool, _ db: Database,
    ahead: (ID) throws -> EpisodeSum
  ) throws {
    (self.selection, self.isUnsettled) = (selection, isUnsettled)
    let isOfHour = selection.cells.count <= 1
    ends = isOfHour ? selection.at.followingHour : selection.at..<selection.at + 1
    starts = isOfHour ? selection.after.followingHour : selection.after..<selection.after + 1
    let end = isUnsettled ? "settled_ms" : selection.part == .lasting ? "until_ms" : nil
    var statement = try BoundStatement(
      """
      SELECT class_id, line_id, from_ms, current_id, until_ms, next_ms, irregular_until_ms,
        \(selection.family == .offer ? "last_ms" : "NULL"), \(end ?? "NULL"), micros
        \(isConverted ? ", converted_micros, unconverted" : "")
      FROM episodes INDEXED BY \(isUnsettled ? "episodes_settled" : "episodes_from")
      WHERE family = \(selection.family.rawValue) AND from_ms > ? AND from_ms < ? \(end.map { "AND \($0) > ?" } ?? "")
      """, db)
    statement.bind(starts.lowerBound)
    statement.bind(ends.upperBound)
    if end != nil { statement.bind(ends.lowerBound) }
    // Grouping in SQLite takes several times as long.
    try statement.forEach { columns in
      var row = Row(
        kind: columns[0],
        id: ID(line: columns[1], from: columns.date(2), current: columns[3]),
        until: columns.date(4), next: columns.instant(5),
        irregularUntil: columns.instant(6),
        last: columns.instant(7), isMeantUntil: columns.instant(8) ?? .distantFuture,
        sum: FactSum(
          count: 1, micros: columns.sum(9), converted: isConverted ? columns.converted(10) : Converted()))
      if let last = row.last, last > ends.lowerBound { row.ahead = try ahead(row.id) }
      if row.isSteady(ends, after: starts) {
        steady.add(row, selection)
      } else {
        others.append(row)
      }
    }
  }

  /// Returns the sums of a selection, or `nil` if it is not covered.
  func sums(_ selection: EpisodeSelection, isUnsettled: Bool) -> Sums? {
    guard self.isUnsettled == isUnsettled, self.selection.family == selection.family,
      self.selection.part == selection.part, ends.contains(selection.at), starts.contains(selection.after),
      selection.cells.count <= 1 || selection.cells == self.selection.cells
    else { return nil }
    var sums = steady
    for row in others where row.isMeant(selection) { sums.add(row, selection) }
    return sums
  }
}

extension OpenEpisodes.Sums {
  fileprivate mutating func add(_ row: OpenEpisodes.Row, _ selection: EpisodeSelection) {
    let t = selection.at
    if let until = row.irregularUntil, until > t {
      irregular.insert(row.id.line)
      return
    }
    if let last = row.last, last > t, let sum = row.ahead { ahead.append(sum) }
    let cell = selection.cells.count > 1 ? selection.cell(of: row.id.from) : 0
    byKey[
      OpenEpisodes.Key(kind: row.kind, outcome: row.outcome(at: t), cell: cell), default: FactSum()] +=
      row.sum
  }
}
