/// Cohort figure with the path `rows.2026-03.5`, `rows.2026-03.5.of` or `rows.2026-03.5.lost`.
public struct CohortCell: Hashable, Sendable {
  /// Part of the cohort's lines that the figure counts.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case retained
    /// Lines that have reached the age of `months`.
    case of
    /// Lines that were not paid when they reached the age of `months`.
    case lost
  }

  public var month: CivilMonth
  public var months: Int
  public var part: Part

  public init(_ month: CivilMonth, months: Int, _ part: Part) {
    (self.month, self.months, self.part) = (month, months, part)
  }

  public init?(path: String) {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 || parts.count == 4, parts[0] == "rows", let month = CivilMonth(parsing: parts[1]),
      let months = Int(parts[2]), String(months) == parts[2], (0...CohortLife.mostMonths).contains(months)
    else { return nil }
    (self.month, self.months, part) = (month, months, .retained)
    guard parts.count == 4 else { return }
    guard let part = Part(rawValue: parts[3]), part != .retained else { return nil }
    self.part = part
  }

  public var path: String { "rows.\(month).\(months)" + (part == .retained ? "" : ".\(part.rawValue)") }

  /// Title: `Started in March 2026, active 5 months later`.
  var words: String {
    let started = "Started in \(month.words)"
    let later = "\(months) month\(months == 1 ? "" : "s") later"
    return switch (part, months) {
    case (.retained, 0): "\(started), active"
    case (.retained, _): "\(started), active \(later)"
    case (.of, 0): started
    case (.of, _): "\(started), \(later)"
    case (.lost, 0): "\(started), not active"
    case (.lost, _): "\(started), not active \(later)"
    }
  }

  func counts(isPaid: Bool) -> Bool {
    switch part {
    case .retained: isPaid
    case .of: true
    case .lost: !isPaid
    }
  }
}

extension CivilMonth {
  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  public var words: String { "\(Self.names[month - 1]) \(year)" }

  public var start: Instant {
    CivilDate(year: year, month: month, day: 1).map(Instant.init(startOf:))
      ?? (index < 0 ? .distantPast : .distantFuture)
  }
}

extension Line {
  /// Returns the row that the line adds to a cell; `nil` if the cell does not count the line.
  ///
  /// If `cell` is `nil`, the row is the one at the line's first payment.
  public func cohortRow(_ question: Question, _ cell: CohortCell?) -> FigureRow? {
    guard let (origin, life) = cohort(by: question.at), question.includes(origin),
      let start = life.marks.first
    else { return nil }
    let month = CivilMonth(of: life.first)
    let months = cell?.months ?? 0
    let t = life.first.adding(months: months)
    guard cell.map({ $0.month == month }) ?? true, t <= question.at, let span = timeline.span(at: t)
    else { return nil }
    let mark = life.marks.first { $0.months == months }
    guard cell?.counts(isPaid: mark != nil) ?? true else { return nil }
    // The amount of `of` and `lost` is the MRR at the first payment.
    let counted = (cell?.part ?? .of) == .retained ? mark ?? start : start
    let parts: [CohortCell.Part] = [mark == nil ? .lost : .retained, .of]
    let state = span.position.state
    let later = months == 0 ? "" : "\(months) month\(months == 1 ? "" : "s") later "
    var row = FigureRow(
      parts.map { CohortCell(month, months: months, $0).path }, rows[span.position.row], of: self, at: t,
      amount: counted.currency.map { Money(micros: counted.sum.micros, currency: $0) },
      why: "first paid \(life.first.minuteText) UTC; \(later)\(state.rawValue): \(why(span, at: t))")
    (row.state, row.offer) = (state, origin.offer)
    return row
  }
}
