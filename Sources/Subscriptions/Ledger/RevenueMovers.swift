extension RevenueChange {
  /// - Parameters:
  ///   - revenue: Evaluated revenue figures of the movement.
  ///   - sums: Sums that these figures were evaluated from.
  init?(_ revenue: EvaluatedGroup, _ sums: LedgerSums, _ question: Question) {
    guard let (start, end) = revenue.ends, let row = revenue.rowsByLines.first, let currency = row.currency
    else { return nil }
    self.currency = currency
    (startMicros, endMicros) = (row.values[start], row.values[end])
    (lines, currencies) = (Int(clamping: row.lines.end), revenue.rows.count)
    let change = endMicros - startMicros
    guard change != 0 else { return }
    let largest = Self.movers(sums, question, in: currency, isConverted: row == revenue.total)
      .filter { $0.micros != 0 }
      .sorted { ($1.micros.magnitude, $0.figure) < ($0.micros.magnitude, $1.figure) }
    func isWithIt(_ mover: Mover) -> Bool { (mover.micros > 0) == (change > 0) }
    movers = largest.filter(isWithIt).prefix(1) + largest.prefix(1).filter { !isWithIt($0) }
  }

  private static func movers(
    _ sums: LedgerSums, _ question: Question, in currency: CurrencyCode, isConverted: Bool
  ) -> [Mover] {
    struct Key: Hashable {
      var name: String
      var product: ProductID?
    }
    var movers: [Key: Mover] = [:]
    for (change, sum) in sums.changes {
      guard let scoped = ScopedChange(change, in: question) else { continue }
      for moved in Movement.revenue.figures.compactMap({ MovedRevenue($0, scoped) }) {
        let product = moved.isOfOld.map { $0 ? change.old?.product : change.new.product } ?? nil
        let key = Key(name: moved.name, product: product)
        if movers[key] == nil {
          let figure = product.map { MovementPart.product($0).path(of: moved.name) } ?? moved.name
          movers[key] = Mover(figure: figure, name: moved.name, productId: product, lines: 0, micros: 0)
        }
        movers[key]?.lines += Int(clamping: sum.lines) * moved.rows
        for term in moved.terms
        where isConverted
          ? term.amount.isConverted : !term.amount.isConverted && term.currency == currency
        {
          movers[key]?.micros += sum[term.amount]
        }
      }
    }
    return Array(movers.values)
  }
}

/// Contribution of a change to a figure of revenue.
private struct MovedRevenue {
  /// Path of the figure that counts the lines.
  var name: String
  /// Whether the product before the change is named instead of the one after; `nil` if neither is.
  var isOfOld: Bool?
  /// Number of rows behind the figure for each change.
  var rows: Int
  var terms: [RevenueTerm]

  /// Returns `nil` if the figure does not count the change.
  init?(_ figure: FigureDefinition, _ change: ScopedChange) {
    terms = figure.value.terms(change)
    guard figure.value.counts(change) || !terms.isEmpty else { return nil }
    if let flow = Flow(rawValue: figure.name), !flow.isWithinPaid {
      name =
        flow == .lost ? "lost_by_reason.\(LossKind(change.reason).rawValue)" : "subscribers.\(flow.rawValue)"
      isOfOld = change.new?.set != .paid
      rows = 1
    } else {
      name = Movement.revenue.path(of: figure)
      // A row for each currency; exchange rates have none.
      rows = figure.isOfConversion ? 0 : Set(terms.map(\.currency)).count
    }
  }
}
