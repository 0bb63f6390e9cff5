extension [FigureGroup]: FigureCounting {
  public func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted? {
    guard question.includes(position) else { return nil }
    let paths = flatMap { group in
      group.figures.compactMap { figure -> String? in
        guard figure.value.counts(position, at: end) else { return nil }
        return group.split == .byCurrency && position.currency == nil ? nil : group.path(of: figure)
      }
    }
    return paths.isEmpty ? nil : Counted(paths: paths, currency: position.currency)
  }

  public func counted(_ change: ChangeClass, _ question: Question) -> [Counted] {
    guard let scoped = ScopedChange(change, in: question) else { return [] }
    var paths: [CurrencyCode?: [String]] = [:]
    for group in self {
      for figure in group.figures {
        let path = group.path(of: figure)
        guard group.split == .byCurrency else {
          if figure.value.counts(scoped) { paths[nil, default: []].append(path) }
          continue
        }
        // What is in the reporting currency alone is told of lines that stay as they were.
        for currency in Set(figure.value.terms(scoped).filter { !$0.isConverted }.map(\.currency)) {
          paths[currency, default: []].append(path)
        }
      }
    }
    return paths.map { Counted(paths: $1, currency: $0) }
  }
}
