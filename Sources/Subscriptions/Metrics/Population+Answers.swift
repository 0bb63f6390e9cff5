extension Population {
  public func report(_ question: Question) -> Report {
    MemoryLedger(self, PanelCounting(question.panel).familiesRead).report(question)
  }

  /// The lines and transactions behind a panel's figures.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(_ question: Question, figure: String? = nil) -> FigureRows {
    if question.panel == .cohorts {
      let rows = CohortRows(question, figure.flatMap(CohortCell.init(path:)))
      var totals = RowTotals(behind: figure, question)
      totals.add(
        self.lines.reduce(into: CohortCounts()) { $0.add($1, question) },
        figure.flatMap(CohortCell.init(path:)))
      return newest(lines(in: question).compactMap(rows.row), question, totals)
    }
    let rows = allRows(question).filter { figure.map($0.figures.contains) ?? true }
    let ledger = MemoryLedger(self, PanelCounting(question.panel).familiesRead)
    var totals = RowTotals(behind: figure, question)
    totals.add(from: ledger)
    if !EpisodeRows(question, catalog).families.isEmpty { totals.add(EpisodeCounts(question, from: ledger)) }
    return newest(rows, question, totals)
  }

  private func newest(_ rows: [FigureRow], _ question: Question, _ totals: RowTotals) -> FigureRows {
    FigureRows(
      count: rows.count, rows: Array(rows.sorted(by: FigureRow.inOrder).prefix(question.limit)), totals)
  }

  private func allRows(_ question: Question) -> [FigureRow] {
    let lines = lines(in: question)
    if let groups = question.panel.declaredFigures { return lines.flatMap { groups.rows(of: $0, question) } }
    let (counting, facts) = (PanelCounting(question.panel), FactRows(question, catalog))
    let (families, episodes) = (Set(facts.families), EpisodeRows(question, catalog))
    var rows: [FigureRow] = []
    for line in lines {
      rows += counting.rows(of: line, question)
      rows += facts.rows(of: line, families)
      if facts.hasDueLines, let row = facts.dueRow(of: line) { rows.append(row) }
      rows += episodes.rows(of: line)
    }
    return rows + oneTime.compactMap(facts.row)
  }
}
