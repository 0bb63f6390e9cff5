import GRDB
import Subscriptions

/// Episodes of the table as they stand at an instant: added up where their rows tell it, by name where more has to be read.
struct StandingEpisodes {
  struct Key: Hashable {
    var kind: Int64
    var outcome: Episode.Outcome
    var cell: Int
  }

  /// Of a row, within its family.
  struct ID {
    var line: Int64
    var from: Instant
    var current: Int64
  }

  private(set) var sums: [Key: FactSum] = [:]
  /// Those of which the last of what was bought later is ahead.
  private(set) var ahead: [ID] = []
  /// The lines of those that only the line tells how they stand.
  private(set) var irregular: Set<Int64> = []

  /// - Parameters:
  ///   - source: the rows, where `:t` and `:after` are of the selection.
  ///   - isConverted: whether there is a reporting currency.
  init(
    _ selection: EpisodeSelection, in source: String, isConverted: Bool, _ db: Database
  ) throws {
    var statement = try BoundStatement(
      """
      SELECT class_id, \(StoredLedger.outcome), from_ms, irregular_until_ms > :t, \(selection.family == .offer ? "last_ms > :t" : "0"),
        line_id, current_id, micros \(isConverted ? ", converted_micros, unconverted" : "")
      FROM \(source)
      """, db)
    // In the order in which the statement names them.
    statement.bind(selection.at)
    statement.bind(selection.after)
    let areCells = selection.cells.count > 1
    // To have SQLite group them takes several times as long.
    try statement.forEach { row in
      if row[3] != 0 {
        irregular.insert(row[5])
        return
      }
      let from = Instant(milliseconds: row[2])
      if row[4] != 0 { ahead.append(ID(line: row[5], from: from, current: row[6])) }
      let key = Key(
        kind: row[0], outcome: Episode.Outcome(rawValue: Int(row[1])) ?? .over,
        cell: areCells ? selection.cell(of: from) : 0)
      sums[key, default: FactSum()] += FactSum(
        count: 1, micros: row[7],
        converted: isConverted ? Converted(micros: row[8], unconverted: row[9]) : Converted())
    }
  }
}
