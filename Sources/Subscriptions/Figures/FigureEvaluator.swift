/// Evaluates the figures of a panel from the sums of a ledger.
struct FigureEvaluator {
  private let question: Question
  private let sums: LedgerSums
  private let dated: DatedCounts?
  private let counts: LineCounts

  init(_ sums: LedgerSums, _ dated: DatedCounts?, _ question: Question) {
    (self.question, self.sums, self.dated) = (question, sums, dated)
    var counter = LineCounter(question.panel, question)
    counts = counter.counts(sums)
  }

  /// Returns the values of the panel's figures; only the billing-retry panel requires `failing`.
  func values(failing: FailingLines? = nil) -> FigureValues {
    var values = FigureValues()
    for entry in FigureTable.of(question.panel).entries {
      switch entry {
      case .figure(let figure): values[value: figure.path] = value(figure.value, failing)
      case .beside(let path, let measure, _): values[value: path] = value(measure, failing)
      case .breakdown(let breakdown) where breakdown.isInJSON:
        values[parts: breakdown.path] = parts(breakdown)
      case .list(let path, let list, let figures):
        let names = figures.compactMap { $0.path.split(separator: ".").last.map(String.init) }
        values[parts: path] = elements(of: list, at: path, names)
      case .breakdown: break
      }
    }
    return values
  }

  private func value(_ measure: PanelFigure.Measure, _ failing: FailingLines?) -> FigureValues.Content {
    switch measure {
    case .rows(let path): .count(rows(path))
    case .amount(let path): .amounts(amounts(path))
    case .share(let part, let whole):
      .share(rows(whole) == 0 ? nil : Double(rows(part)) / Double(rows(whole)))
    case .users(let isInGrace): .count((isInGrace ? failing?.usersInGrace : failing?.users) ?? 0)
    }
  }

  private func rows(_ path: String) -> Int { counts.lines(path) + (dated?[path] ?? 0) }

  private func amounts(_ path: String) -> Amounts {
    let known = [counts.monthly(path), dated?.amounts(path)]
    return known.compactMap(\.self).first { !$0.isEmpty } ?? Amounts(in: question.reportingCurrency)
  }

  // MARK: Products and storefronts

  private func parts(_ breakdown: FigureBreakdown) -> [FigureValues] {
    let first = breakdown.named[0]
    var lines: [MovementPart: LineCounts] = [:]
    if question.panel.figure(first.path)?.trend == .standing {
      var counter = LineCounter(question.panel, question)
      lines = counter.counts(sums) { MovementPart(of: $0, by: breakdown.split) }
    }
    let parts = Set(lines.keys).union(dated?.parts(first.path, by: breakdown.split) ?? [])
    let elements = parts.map { part -> FigureValues in
      var values = FigureValues()
      values[text: breakdown.split.key] = part.value
      for (name, path) in breakdown.named {
        let figure = question.panel.figure(path)
        if figure?.value == .amount(path) {
          values[amounts: name] = lines[part]?.monthly(path) ?? dated?.amounts(path, of: part) ?? Amounts()
        } else {
          values[name] = lines[part]?.lines(path) ?? dated?.rows(path, of: part) ?? 0
        }
      }
      return values
    }.filter { values in breakdown.named.contains { values[$0.name] > 0 } }
    // The list is empty if Apple sent no storefronts at all.
    guard breakdown.split == .product || elements.contains(where: { $0.storefront != nil }) else { return [] }
    return elements.sorted { left, right in
      left[first.name] == right[first.name]
        ? (left.identity ?? "") < (right.identity ?? "") : left[first.name] > right[first.name]
    }
  }

  // MARK: Other lists

  /// Returns the elements of a list; `names` are the last components of its figures' paths.
  private func elements(of list: FigureList, at path: String, _ names: [String]) -> [FigureValues] {
    switch list {
    case .intents: intents(names)
    case .periods: periods(names)
    case .horizons: dated == nil ? [] : DueHorizon.allCases.map(horizon)
    case .curve: Recovery.days.map { curve("\(path).\($0)", days: $0) }
    case .months, .weeks: stretches(path, names)
    case .standing: standing(path)
    case .offers: dated?.offers ?? []
    case .cohorts: []
    }
  }

  /// Returns losses by expiration intent: 1 to 5, then values that Apple has not documented, then unknown.
  private func intents(_ names: [String]) -> [FigureValues] {
    let documented = (1...5).map { "\($0)" }
    let lost = counts.amounts.keys.filter { counts.lines($0) != 0 }.compactMap(PanelCounting.intent(ofPath:))
    let others = Set(lost.map(\.rawValue)).subtracting(documented).sorted()
    return ((documented + others).map(ExpirationIntent.init) + [nil]).map { intent in
      let path = PanelCounting.path(ofIntent: intent)
      var values = FigureValues()
      values[text: "intent"] = intent?.rawValue
      values[text: "name"] = intent?.name ?? "unknown"
      for name in names { values[name] = rows("\(path).\(name)") }
      return values
    }
  }

  private func periods(_ names: [String]) -> [FigureValues] {
    (dated?.periods ?? []).sorted { left, right in
      guard let left else { return false }
      return right.map { left < $0 } ?? true
    }.map { period in
      var values = FigureValues()
      values[text: "period"] = period?.iso8601
      let path = PanelCounting.path(ofPeriod: period)
      for name in names { values[name] = rows("\(path).\(name)") }
      return values
    }
  }

  /// Returns the lines whose period ends within a horizon, and the expected amount (METRICS §5, Due).
  private func horizon(_ horizon: DueHorizon) -> FigureValues {
    var values = FigureValues()
    values["days"] = horizon.days
    for name in ["lines", "renewing"] { values[name] = rows("\(horizon.path).\(name)") }
    values[amounts: "expected"] = amounts("\(horizon.path).expected")
    values["unpriced"] = rows("\(horizon.path).unpriced")
    return values
  }

  // MARK: Recovery

  private func curve(_ path: String, days: Int) -> FigureValues {
    let (recovered, all) = (rows("\(path).recovered"), rows("\(path).of"))
    var values = FigureValues()
    (values["days"], values["recovered"], values["of"]) = (days, recovered, all)
    values[share: "rate"] = all == 0 ? nil : Double(recovered) / Double(all)
    values[amounts: "recovered_mrr"] = amounts("\(path).recovered")
    values[amounts: "of_mrr"] = amounts("\(path).of")
    return values
  }

  /// Returns outcomes by month or week of the entry into billing retry, sorted by name and so by date.
  private func stretches(_ list: String, _ outcomes: [String]) -> [FigureValues] {
    let (prefix, suffix) = ("\(list).", ".entered")
    let paths = (dated?.paths(prefix) ?? []).filter { $0.hasSuffix(suffix) && rows($0) != 0 }
    return paths.sorted().map { path in
      var values = FigureValues()
      let name = String(path.dropFirst(prefix.count).dropLast(suffix.count))
      values[text: list == "by_month" ? "month" : "week"] = name
      for outcome in outcomes { values["outcomes.\(outcome)"] = rows("\(prefix)\(name).\(outcome)") }
      return values
    }
  }

  private func standing(_ list: String) -> [FigureValues] {
    Recovery.bands.map { band in
      let path = "\(list).\(band.from)"
      var values = FigureValues()
      (values["from_days"], values["to_days"], values["lines"]) = (band.from, band.to, rows(path))
      values[amounts: "mrr"] = amounts(path)
      return values
    }
  }
}

extension FigureValues {
  /// Evaluates only the figures that are balances and flows of lines.
  public init(_ sums: LedgerSums, _ question: Question) {
    self = FigureEvaluator(sums, nil, question).values()
  }
}
