/// Change of monthly revenue in a window, with its largest causes (METRICS §5, Movement of MRR).
public struct RevenueChange: Hashable, Sendable, Encodable {
  /// Reporting currency, or else the currency in which most lines pay.
  public var currency: CurrencyCode
  public var lines: Int
  public var currencies: Int
  public var startMicros: Int128
  public var endMicros: Int128
  /// Largest movement in the total change's direction, then the largest of all if in the other direction.
  public var movers: [Mover] = []

  /// Changes of one kind, for lines of `productId` or, if it is `nil`, of all products.
  public struct Mover: Hashable, Sendable, Encodable {
    /// Path of the movement figure: `by_product.com.example.pro.lost_by_reason.cancelled`.
    public var figure: String
    public var name: String
    /// Product of the lines; `nil` for changes within Paid, exchange rates and `Movement.otherProducts`.
    @ExplicitNull public var productId: ProductID?
    /// Number of rows behind the figure; 0 for exchange rates.
    public var lines: Int
    public var micros: Int128
  }

  /// Creates the change of a revenue group that was evaluated from `sums`; `nil` without amounts.
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
    var movers: [String: Mover] = [:]
    for (change, sum) in sums.changes {
      guard let scoped = ScopedChange(change, in: question) else { continue }
      for (figure, moved) in Dictionary(grouping: scoped.revenue, by: \.figure) {
        let terms = moved.compactMap(\.term)
        // A change has a row for each currency. Exchange rates have no rows.
        let rows = figure == Movement.exchangeRates ? 0 : Set(terms.map(\.currency)).count
        var mover = Mover(
          figure: "mrr.\(figure)", name: "mrr.\(figure)", productId: nil, lines: rows, micros: 0)
        if let flow = Flow(rawValue: figure), !flow.isWithinPaid {
          let reason = LossKind(scoped.reason).rawValue
          mover.name = flow == .lost ? "lost_by_reason.\(reason)" : "subscribers.\(figure)"
          mover.productId = scoped.new?.set == .paid ? change.new.product : change.old?.product
          mover.lines = 1
          mover.figure = mover.productId.map { MovementPart.product($0).path(of: mover.name) } ?? mover.name
        }
        mover.lines *= Int(clamping: sum.lines)
        for term in terms where isConverted || term.currency == currency {
          let moved = term.sum(of: sum)
          mover.micros += isConverted ? moved.converted.micros : moved.micros
        }
        if let known = movers[mover.figure] {
          mover.lines += known.lines
          mover.micros += known.micros
        }
        movers[mover.figure] = mover
      }
    }
    return Array(movers.values)
  }
}
