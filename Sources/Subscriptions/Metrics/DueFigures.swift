/// The lines whose period ends soon, and what their renewals would cost.
///
/// Of lines in state `trial` or `active` by the expiry of their current row. With auto-renew on they are expected to be
/// charged what Apple signed that the renewal costs, or else the catalogue's standard price, at that expiry, of the product that they renew as.
public struct DueFigures: Hashable, Sendable, Encodable {
  /// From the as-of instant.
  public var days: Int
  public var lines = 0
  /// Those with auto-renew on.
  public var renewing = 0
  /// In micros for each currency.
  public var expected: Amounts
  /// Renewing lines without a price, which add nothing.
  public var unpriced = 0

  /// - Parameter reporting: the currency in which amounts are told as well.
  public init(_ horizon: DueHorizon, in reporting: CurrencyCode? = nil) {
    days = horizon.days
    expected = Amounts(in: reporting)
  }

  static func names(within days: Int) -> [String] {
    ["lines", "renewing", "unpriced"].map { "due.\(days).\($0)" }
  }

  /// Whether the amounts behind a figure are those of a horizon; of any figure, those of the longest.
  static func holds(_ figure: String?, within horizon: DueHorizon) -> Bool {
    guard let figure else { return horizon == DueHorizon.allCases.last }
    return names(within: horizon.days).dropLast().contains(figure)
  }

  mutating func count(_ kind: FactClass, _ sum: FactSum) {
    lines += Int(sum.count)
    guard case .comingDue(_, isRenewing: true) = kind.kind else { return }
    renewing += Int(sum.count)
    if let currency = kind.currency {
      expected.add(Money(micros: sum.micros, currency: currency), sum.converted)
    } else {
      unpriced += Int(sum.count)
    }
  }
}

extension DueFigures {
  /// The names of the figures that count anything, apart from the amount.
  fileprivate var counts: [(name: String, rows: Int)] {
    Array(zip(Self.names(within: days), [lines, renewing, unpriced])).filter { $0.1 > 0 }
  }
}

extension [DueFigures] {
  /// How many rows are behind a figure; nil is all of them together.
  public func rows(behind figure: String?) -> Int {
    guard let figure else { return map(\.lines).max() ?? 0 }
    return flatMap(\.counts).first { $0.name == figure }?.rows ?? 0
  }
}

extension StandingSpan {
  /// What the line comes to by itself, where it stands there at an instant.
  public func due(at t: Instant, _ environment: StoreEnvironment, _ catalog: Catalog) -> [DueFigures] {
    let facts = due(environment, catalog).filter { $0.at <= t }
    return DueHorizon.allCases.map { horizon in
      var figures = DueFigures(horizon)
      for fact in facts where fact.kind.family == FactFamily(horizon) { figures.count(fact.kind, fact.sum) }
      return figures
    }
  }
}

extension Line {
  /// The line as one that comes due; nil where it does not.
  func dueRow(_ question: Question, _ catalog: Catalog) -> FigureRow? {
    guard let verdict = verdict(at: question.at), question.includes(verdict.current.productID) else {
      return nil
    }
    let due = StandingSpan(verdict).due(at: question.at, id.environment, catalog)
    let figures = due.flatMap(\.counts).map(\.name)
    guard !figures.isEmpty else { return nil }
    var row = FigureRow(
      figures, verdict.current, of: self, at: verdict.accessUntil, amount: due.last?.expected.totals.first,
      why: "\(verdict.state.rawValue): \(verdict.why)")
    row.state = verdict.state
    return row
  }
}
