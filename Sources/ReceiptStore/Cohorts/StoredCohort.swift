import GRDB
import Subscriptions

struct StoredCohort {
  let lineID: Int64
  let book: CohortBook
  let db: Database

  private struct Place: Equatable {
    var first: Instant
    /// Number of the class of the first payment.
    var kind: Int64
  }

  /// Writes only differences.
  ///
  /// - Parameters:
  ///   - new: `nil` if the line is in no cohort.
  ///   - old: Paid periods that the line was counted with, from its spans; `nil` if it was not counted.
  func write(_ new: (origin: CohortOrigin, life: CohortLife)?, old: CohortLife?) throws {
    let place = try new.map { origin, life in
      Place(
        first: life.first,
        kind: try book.number(of: CohortShape(origin, life.marks.first?.currency)))
    }
    let stored = try fetch()
    let before = old == nil ? nil : stored
    if let before, before == place, let new, let old {
      guard new.life != old else { return }
      let (marks, known) = (Set(new.life.marks), Set(old.marks))
      for mark in old.marks where !marks.contains(mark) { try add(mark, before, times: -1) }
      for mark in new.life.marks where !known.contains(mark) { try add(mark, before, times: 1) }
      return
    }
    try takeOff(old, of: before)
    if let place, let new { for mark in new.life.marks { try add(mark, place, times: 1) } }
    guard place != stored else { return }
    var update = try BoundStatement(
      "UPDATE lines SET first_paid_ms = ?, cohort_class_id = ? WHERE id = ?", db)
    update.bind(place?.first)
    update.bind(place?.kind)
    update.bind(lineID)
    try update.execute()
  }

  func takeOff(_ old: CohortLife?) throws { try takeOff(old, of: old == nil ? nil : fetch()) }

  private func takeOff(_ old: CohortLife?, of place: Place?) throws {
    guard let old, let place else { return }
    for mark in old.marks { try add(mark, place, times: -1) }
  }

  private func add(_ mark: CohortLife.Mark, _ place: Place, times sign: Int) throws {
    try book.add(mark, of: place.first, as: place.kind, times: sign)
  }

  private func fetch() throws -> Place? {
    var statement = try BoundStatement("SELECT first_paid_ms, cohort_class_id FROM lines WHERE id = ?", db)
    statement.bind(lineID)
    var place: Place?
    try statement.forEach { row in
      if let first = row.instant(0), let kind = row.number(1) { place = Place(first: first, kind: kind) }
    }
    return place
  }
}
