/// What the figures of a panel come to that `PanelCounting` counts, by their paths.
struct PanelCounts: Sendable {
  struct Count: Hashable, Sendable {
    var lines = 0
    /// What their current rows cost a month, in micros for each currency.
    var monthly: Amounts

    /// - Parameter reporting: the currency in which amounts are told as well.
    fileprivate init(in reporting: CurrencyCode? = nil) { monthly = Amounts(in: reporting) }

    fileprivate mutating func add(_ balance: Balance, _ currency: CurrencyCode?) {
      lines += Int(balance.lines)
      guard let currency else { return }
      monthly.add(Money(micros: balance.monthlyMicros, currency: currency), balance.converted)
    }
  }

  private let none: Count
  private(set) var counts: [String: Count] = [:]
  private var parts: [MovementPart: [String: Count]] = [:]

  /// - Parameters:
  ///   - panel: whose figures, which may be others than the question's.
  ///   - splits: by what they are told apart as well.
  init(_ panel: Panel, _ course: LedgerCourse, by splits: [MovementSplit], _ question: Question) {
    self.init(panel, course.sums, question, splits.map { course.parts(by: $0) })
  }

  init(
    _ panel: Panel, _ sums: ScopedSums, _ question: Question, _ splits: [[MovementPart: ScopedSums]] = []
  ) {
    let counting = PanelCounting(panel)
    none = Count(in: question.reportingCurrency)
    for (place, balance) in sums.balances(at: .start) {
      let position = sums.kinds.positions[place]
      counts.add(balance, counting.pathsAtStart(position), position.currency, none)
    }
    for (place, sum) in sums.changes {
      counts.add(sum.after, counting.paths(sums.kinds.changes[place].change), nil, none)
    }
    var known: [PositionClass: [String]] = [:]
    func addEnd(_ sums: ScopedSums, to counts: inout [String: Count]) {
      for (place, balance) in sums.balances(at: .end) {
        let position = sums.kinds.positions[place]
        let paths = known[position] ?? counting.paths(position)
        known[position] = paths
        counts.add(balance, paths, position.currency, none)
      }
    }
    addEnd(sums, to: &counts)
    for (part, sums) in splits.joined() { addEnd(sums, to: &parts[part, default: [:]]) }
  }

  /// Nothing where no figure has the path.
  subscript(path: String) -> Count { counts[path] ?? none }

  /// The same of each product that counts anything.
  func byProduct<Value>(_ value: (ProductID, (String) -> Count) -> Value) -> [Value] {
    parts.compactMap { part, counts in
      guard case .product(let product) = part, !counts.isEmpty else { return nil }
      return value(product) { counts[$0] ?? none }
    }
  }

  /// The same of each storefront; nil is unknown.
  func byStorefront<Value>(_ value: (StorefrontCode?, (String) -> Count) -> Value) -> [Value] {
    parts.compactMap { part, counts in
      guard case .storefront(let storefront) = part, !counts.isEmpty else { return nil }
      return value(storefront) { counts[$0] ?? none }
    }
  }
}

extension [String: PanelCounts.Count] {
  /// - Parameter currency: of an amount; nil where lines are counted.
  fileprivate mutating func add(
    _ balance: Balance, _ paths: [String], _ currency: CurrencyCode?, _ none: PanelCounts.Count
  ) {
    for path in paths { self[path, default: none].add(balance, currency) }
  }
}
