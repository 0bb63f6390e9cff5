/// Rows behind figures that count facts.
public struct FactRows: Sendable {
  private let counting: PanelCounting
  private let question: Question
  private let catalog: Catalog

  public init(_ question: Question, _ catalog: Catalog) {
    counting = PanelCounting(question.panel)
    (self.question, self.catalog) = (question, catalog)
  }

  public var families: [FactFamily] { counting.families }

  public var hasDueLines: Bool { !counting.standingFamilies.isEmpty }

  /// Whether a figure or, if `nil`, any figure may count a fact of this class at some instant of the window.
  public func mayBeBehind(_ figure: String?, _ kind: FactClass) -> Bool {
    question.smallBusinessProgram.parts(after: question.window.from, through: question.window.to)
      .contains { mayBeBehind(figure, kind, at: $0) }
  }

  public func mayBeBehind(_ figure: String?, _ kind: FactClass, at t: Instant) -> Bool {
    guard question.includes(kind) else { return false }
    func isCounted(_ kind: FactClass) -> Bool {
      counting.counted(kind, question, at: t).contains { counted in
        figure.map { figure in counted.parts.contains { $0.path == figure } } ?? true
      }
    }
    // A period stored as lost may be pending at the question's instant.
    if case .due(.lost, let period) = kind.kind, isCounted(kind.with(.due(.pending, period))) { return true }
    return isCounted(kind)
  }

  public func rows(of line: Line, _ families: Set<FactFamily>) -> [FigureRow] {
    guard question.environment.contains(line.id.environment), !line.isFamilyShared else { return [] }
    return line.rows.filter { question.includes($0.productID) }.flatMap { row in
      let counted = CountedRow(row, of: line, catalog, at: question.at)
      return counted.facts.filter { families.contains($0.kind.family) && question.includes($0.kind) }.flatMap
      {
        rows(of: $0, counted, row, line)
      }
    }
  }

  /// Returns the row and the longest-horizon fact of a line whose period ends within 30 days, or else `nil`.
  public func due(_ line: Line) -> (row: FigureRow, fact: Fact)? {
    guard question.environment.contains(line.id.environment), !line.isFamilyShared,
      let verdict = line.verdict(at: question.at), question.includes(verdict.current.productID),
      let span = StandingLine(line, at: question.at).spans.first
    else { return nil }
    let facts = standingFacts(of: span, line.id.environment)
    guard let longest = facts.last else { return nil }
    let amount = longest.kind.currency.map { Money(micros: longest.sum.micros, currency: $0) }
    var row = FigureRow(
      facts.flatMap(paths), verdict.current, of: line, at: span.expires, amount: amount,
      why: "\(verdict.state.rawValue): \(verdict.why)")
    row.state = verdict.state
    return (row, longest)
  }

  /// Returns a span's upcoming renewal as a fact; `nil` if it has none, or if `figure` does not count it.
  public func due(_ span: StandingSpan, _ environment: StoreEnvironment, behind figure: String?) -> Fact? {
    let facts = standingFacts(of: span, environment)
    return figure.map(facts.flatMap(paths).contains) ?? true ? facts.last : nil
  }

  /// Returns the facts of upcoming renewals at the question's instant, shortest horizon first.
  private func standingFacts(of span: StandingSpan, _ environment: StoreEnvironment) -> [Fact] {
    let facts = span.due(environment, catalog).filter { $0.at <= question.at }
    return facts.filter { fact in !facts.contains { $0.kind == fact.kind && $0.sum.count < 0 } }
  }

  private func paths(_ fact: Fact) -> [String] {
    counting.counted(fact.kind, question, at: fact.at).flatMap(\.parts).compactMap { part in
      if case .rows = part.unit { part.path } else { nil }
    }
  }

  public func row(of purchase: OneTimePurchase) -> FigureRow? {
    let counted = CountedRow(oneTime: purchase)
    guard families.contains(.oneTimeRefund), let fact = counted.facts.first, question.includes(fact.kind),
      let cancelled = counted.dates[keyPath: fact.date], question.window.contains(cancelled)
    else { return nil }
    let transaction = purchase.transaction
    var row = FigureRow(
      counting.counted(fact.kind, question, at: cancelled).flatMap { $0.parts.map(\.path) },
      environment: purchase.environment, chain: transaction.originalTransactionID, group: nil,
      user: purchase.users.min(), transaction: transaction.transactionID, product: transaction.productID,
      kind: "one_time", at: cancelled,
      why: FigureReason.refund(cancelled: cancelled, reason: transaction.cancellationReason, at: question.at))
    row.storefront = transaction.terms?.storefront
    return row
  }

  private func rows(of fact: RowFact, _ counted: CountedRow, _ row: Row, _ line: Line) -> [FigureRow] {
    guard let at = counted.dates[keyPath: fact.date], question.window.contains(at) else { return [] }
    let sum = fact.sum(counted.dates, nil)
    return counting.counted(fact.kind, question, at: at).map { figures in
      var amounts: [String: Money] = [:]
      for part in figures.parts {
        guard let currency = fact.kind.currency else { continue }
        switch part.unit {
        case .rows: break
        case .amount: amounts[part.path] = Money(micros: sum.micros, currency: currency)
        case .sale(let micros), .proceeds(let micros, _):
          amounts[part.path] = Money(micros: micros, currency: currency)
        }
      }
      let proceeds = amounts.removeValue(forKey: Panel.proceeds)
      var result = FigureRow(
        figures.parts.map(\.path), row, of: line, at: at, amount: amounts.values.first, proceeds: proceeds,
        why: why(figures.reason, fact, counted, row, at: at))
      if figures.reason == .upgrade { result.proration = row.proration }
      return result
    }
  }

  private func why(
    _ reason: CountedFact.Reason, _ fact: RowFact, _ counted: CountedRow, _ row: Row, at: Instant
  ) -> String {
    let (t, ago) = (question.at, Milliseconds.ago(question.at - at))
    switch (reason, fact.kind.kind) {
    case (.arrival, _): return "bought \(ago), \(row.arrival.why)"
    case (.cohort, _):
      let refunded = counted.dates.refunded.flatMap {
        $0 <= t ? ", refunded \(Milliseconds.ago(t - $0))" : nil
      }
      return "bought \(ago)\(refunded ?? "")"
    case (.sale, _):
      let commission = row.commission(app: counted.app, program: question.smallBusinessProgram) ?? .standard
      return "bought \(ago), \(commission.percent) % commission\(commission.why)"
    case (_, .due(let result, _)): return "expires_date \(ago), \(result.rawValue)"
    case (_, .trialEnd(let outcome)): return "trial ended \(ago), \(outcome.whyOfTrial)"
    case (.refund, _):
      return FigureReason.refund(
        cancelled: at, reason: row.transaction.cancellationReason,
        percentage: row.partialRefund.flatMap { _ in row.transaction.terms?.revocation?.percentage }, at: t)
    case (.upgrade, _):
      return FigureReason.upgrade(
        instant: row.upgrade?.instant, cancelled: row.transaction.cancellationDate, kind: row.kind,
        proration: row.proration, at: t)
    case (.change, _): return "renewed \(ago) with a change from \(row.change?.from ?? row.productID)"
    case (.due, _), (.trialEnd, _), (.event, _): return ""
    }
  }
}

extension Row {
  /// Calculation of the prorated refund; `nil` for a trial or an unpriced row, or without a dated upgrade.
  fileprivate var proration: Proration? {
    guard kind != .trial, let price, let instant = upgrade?.instant else { return nil }
    return Proration(price: price.amount, purchase: purchase, expires: expires, upgrade: instant)
  }
}

extension Arrival {
  fileprivate var why: String {
    switch self {
    case .initial: "the first of its subscription"
    case .renewal: "while the subscription had access"
    case .recovery: "recovered from billing retry"
    case .unattributed: "after a gap without checks"
    case .reactivation: "after the subscription had ended"
    }
  }
}

extension Commission {
  fileprivate var why: String {
    switch self {
    case .standard: ""
    case .afterOneYear: " after a year of paid service"
    case .smallBusiness: " in the Small Business Program"
    }
  }
}

extension PeriodOutcome {
  fileprivate var whyOfTrial: String {
    switch self {
    case .converted: "a paid row began within 24 h"
    case .convertedLate: "a paid row began within 60 days"
    default: "no paid row followed within 60 days"
    }
  }
}
