import GRDB
import Subscriptions

/// Writes the cohort of one line to its row in `lines`, and updates the sums of cohorts.
struct StoredCohort {
  let lineID: Int64
  let book: RollupWriter
  let db: Database

  private struct Place: Equatable {
    var first: Instant
    /// Id of the class in `cohort_classes`.
    var kind: Int64
  }

  /// Updates the row and the sums, writing only differences.
  ///
  /// - Parameters:
  ///   - new: First payment, and ages in months at which the line is paid; `nil` if the line is in no cohort.
  ///   - old: First payment and ages by the stored spans; `nil` if the sums do not include the line.
  func write(_ new: (origin: CohortOrigin, life: CohortLife)?, old: CohortLife?) throws {
    let place = try new.map { origin, life in
      let shape = CohortShape(origin: origin, currency: life.marks.first?.currency)
      return Place(first: life.first, kind: try book.shapes.number(of: shape))
    }
    let stored = try fetch()
    let isSame = place == stored
    let (marks, known) = (Set(new?.life.marks ?? []), Set(stored == nil ? [] : old?.marks ?? []))
    if let stored { for mark in known where !(isSame && marks.contains(mark)) { try add(mark, stored, -1) } }
    if let place { for mark in marks where !(isSame && known.contains(mark)) { try add(mark, place, 1) } }
    guard !isSame else { return }
    try db.cachedStatement(sql: "UPDATE lines SET first_paid_ms = ?, cohort_class_id = ? WHERE id = ?")
      .execute(arguments: [place?.first, place?.kind, lineID])
  }

  func count(_ life: CohortLife?, times sign: Int64) throws {
    guard let life, let place = try fetch() else { return }
    for mark in life.marks { try add(mark, place, sign) }
  }

  private func add(_ mark: CohortLife.Mark, _ place: Place, _ sign: Int64) throws {
    try book.add(mark, of: place.first, as: place.kind, times: sign)
  }

  private func fetch() throws -> Place? {
    try db.rows("SELECT first_paid_ms, cohort_class_id FROM lines WHERE id = ?", [lineID]) { row in
      row.instant(0).flatMap { first in row.number(1).map { Place(first: first, kind: $0) } }
    }.first
  }
}
