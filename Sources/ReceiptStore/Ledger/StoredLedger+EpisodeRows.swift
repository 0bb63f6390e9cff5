import GRDB
import Subscriptions

/// The rows behind figures that count episodes: the chains that hold the newest of them.
extension StoredLedger {
  func rows(
    behind figure: String?, of rows: EpisodeRows, atMost most: Int, _ reading: ListReading
  ) throws -> [FigureRow] {
    guard most > 0 else { return [] }
    return try rows.families.flatMap { try self.rows(behind: figure, of: $0, rows, atMost: most, reading) }
  }

  private func rows(
    behind figure: String?, of family: FactFamily, _ rows: EpisodeRows, atMost most: Int,
    _ reading: ListReading
  ) throws -> [FigureRow] {
    let selection = rows.selection(family)
    let candidates = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT from_ms, (SELECT chain_id FROM lines l WHERE l.id = line_id), class_id, next_ms, until_ms > :t,
          irregular_until_ms > :t
        FROM \(Self.source(selection)) ORDER BY from_ms DESC
        """, arguments: Self.arguments(selection))
    return try newest(most, behind: figure, of: candidates, reading) { row in
      guard let kind = try numberedFacts.classes[row[2]] else { return nil }
      let outcome = try Episode.Outcome(at: selection.at, next: row[3], lasts: row[4])
      let isIrregular = try (row[5] as Bool?) ?? false
      return try isIrregular || rows.mayBeBehind(figure, kind, outcome, from: row[0]) ? row[1] : nil
    } rows: { chain in
      chain.lines(catalog: catalog).flatMap { rows.rows(of: $0, [family]) }
    }
  }
}
