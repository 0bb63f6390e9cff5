/// Lines behind a cell of the cohorts, or, without a cell, every line of any cohort when it was first paid.
public struct CohortRows: Sendable {
  private let question: Question
  private let cell: CohortCell?

  public init(_ question: Question, _ cell: CohortCell?) { (self.question, self.cell) = (question, cell) }

  public func row(of line: Line) -> FigureRow? {
    guard let (origin, life) = line.cohort(by: question.at), question.includes(origin),
      let start = life.marks.first
    else { return nil }
    let month = CivilMonth(of: life.first)
    let months = cell?.months ?? 0
    let t = life.first.adding(months: months)
    guard cell.map({ $0.month == month }) ?? true, t <= question.at, let span = line.timeline.span(at: t)
    else { return nil }
    let mark = life.marks.first { $0.months == months }
    guard cell?.counts(isPaid: mark != nil) ?? true else { return nil }
    // Figures of `of` and `lost` use the first MRR.
    let told = (cell?.part ?? .of) == .retained ? mark ?? start : start
    let parts: [CohortCell.Part] = [mark == nil ? .lost : .retained, .of]
    let state = span.position.state
    let later = months == 0 ? "" : "\(months) month\(months == 1 ? "" : "s") later "
    var row = FigureRow(
      parts.map { CohortCell(month, months: months, $0).path }, line.rows[span.position.row], of: line, at: t,
      amount: told.currency.map { Money(micros: told.sum.monthlyMicros, currency: $0) },
      why: "first paid \(life.first.minuteText) UTC; \(later)\(state.rawValue): \(line.why(span, at: t))")
    (row.state, row.offer) = (state, origin.offer)
    return row
  }
}
