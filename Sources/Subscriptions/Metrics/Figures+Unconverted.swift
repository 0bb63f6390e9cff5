extension Figures {
  /// Rows behind the amounts that had no rate of the day they were bought on. A part of an amount is not counted beside its whole.
  func unconverted(of panel: Panel) -> Int {
    switch self {
    case .values(let values):
      sum(FigureTable.of(panel).wholes.map { values[amounts: $0] })
        + (values[parts: "due"].last?[amounts: "expected"].unconverted ?? 0)
    case .recovery(let figures): figures.mrr.entered.unconverted
    case .cohorts(let figures): sum(figures.rows.map(\.mrr))
    case .offers(let figures): sum(figures.offers.flatMap { [$0.cost, $0.brought] })
    case .declared(let figures): figures.groups.reduce(0) { $0 + $1.unconverted }
    }
  }

  private func sum(_ amounts: [Amounts]) -> Int { amounts.reduce(0) { $0 + $1.unconverted } }
}
