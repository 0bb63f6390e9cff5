extension Population {
  public func report(_ question: Question) -> Report {
    MemoryLedger(self, PanelCounting(question.panel).familiesRead).report(question)
  }

  /// The lines and transactions behind a panel's figures.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(_ question: Question, figure: String? = nil) -> FigureRows {
    let all = allRows(question)
    return FigureRows(all.filter { figure.map($0.figures.contains) ?? true }, limit: question.limit)
  }

  private func allRows(_ question: Question) -> [FigureRow] {
    let lines = lines(in: question)
    if let groups = question.panel.declaredFigures { return lines.flatMap { groups.rows(of: $0, question) } }
    let (counting, facts) = (PanelCounting(question.panel), FactRows(question, catalog))
    let families = Set(facts.families)
    return lines.flatMap { line in
      counting.rows(of: line, question) + facts.rows(of: line, families)
        + [facts.hasDueLines ? facts.dueRow(of: line) : nil].compactMap(\.self)
    } + oneTime.compactMap(facts.row)
  }
}
