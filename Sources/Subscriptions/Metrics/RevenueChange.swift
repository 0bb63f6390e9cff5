/// How monthly revenue changed in a window, and what changed it most: METRICS §5, Movement of MRR.
public struct RevenueChange: Hashable, Sendable, Encodable {
  /// The reporting currency, or the one in which most lines pay.
  public var currency: CurrencyCode
  /// Paid at the window's end, which it speaks of.
  public var lines: Int
  /// In how many currencies there was revenue at all.
  public var currencies: Int
  public var startMicros: Int64
  public var endMicros: Int64
  /// What moved most of all that went with the whole; and what moved most against it, where that moved more. None where the revenue stayed
  /// as it was.
  public var movers: [Mover] = []

  /// What happened alike to lines of one product.
  public struct Mover: Hashable, Sendable, Encodable {
    /// The path of the movement's figure that counts these lines: `by_product.com.example.pro.lost_by_reason.cancelled`.
    public var figure: String
    /// The figure's name without product.
    public var name: String
    /// Nil where lines stayed in Paid, at another price or as another product.
    @ExplicitNull public var productId: ProductID?
    /// The rows behind the figure; exchange rates have none.
    public var lines: Int
    /// What it did to the revenue, with its sign.
    public var micros: Int64
  }

  /// - Parameters:
  ///   - revenue: the movement's figures of it.
  ///   - course: what they were made from.
  init?(_ revenue: EvaluatedGroup, _ course: LedgerCourse) {
    guard let (start, end) = revenue.ends, let row = revenue.rowsByLines.first, let currency = row.currency
    else { return nil }
    self.currency = currency
    (startMicros, endMicros) = (row.values[start], row.values[end])
    (lines, currencies) = (Int(clamping: row.lines.end), revenue.rows.count)
    let change = endMicros &- startMicros
    guard change != 0 else { return }
    let largest = Self.movers(course, in: currency, isConverted: row == revenue.total)
      .filter { $0.micros != 0 }
      .sorted { ($1.micros.magnitude, $0.figure) < ($0.micros.magnitude, $1.figure) }
    func isWithIt(_ mover: Mover) -> Bool { (mover.micros > 0) == (change > 0) }
    movers = largest.filter(isWithIt).prefix(1) + largest.prefix(1).filter { !isWithIt($0) }
  }

  private static func movers(
    _ course: LedgerCourse, in currency: CurrencyCode, isConverted: Bool
  ) -> [Mover] {
    struct Key: Hashable {
      var name: String
      var product: ProductID?
    }
    var movers: [Key: Mover] = [:]
    var known: [Int: [CountedChange]] = [:]
    for (place, change, sum) in course.changesByClass {
      let all = known[place] ?? course.kinds.changes[place].change.countedAsMovers
      known[place] = all
      for counted in all where isConverted || counted.name != Self.exchangeRates {
        let product = counted.isOfOld.map { $0 ? change.old?.product : change.new.product } ?? nil
        let key = Key(name: counted.name, product: product)
        if movers[key] == nil {
          let figure = product.map { MovementPart.product($0).path(of: counted.name) } ?? counted.name
          movers[key] = Mover(figure: figure, name: counted.name, productId: product, lines: 0, micros: 0)
        }
        movers[key]?.lines += Int(clamping: sum.lines) * counted.rows
        movers[key]?.micros &+= counted.revenue(sum, in: currency, isConverted: isConverted)
      }
    }
    return Array(movers.values)
  }

  fileprivate static let exchangeRates = "mrr.\(Movement.exchangeRates)"
}

/// A change as one of the movement's figures counts it.
private struct CountedChange {
  var name: String
  /// Whether it is told of the product that the line had before, or of the one that it has afterwards; nil where it is told of none.
  var isOfOld: Bool?
  /// What is taken off and what is added; nil is nothing.
  var lost: PositionClass?
  var gained: PositionClass?

  /// Figures of revenue have a row for each currency.
  var rows: Int {
    name == RevenueChange.exchangeRates
      ? 0 : name.hasPrefix("mrr.") ? Set([lost?.currency, gained?.currency].compactMap(\.self)).count : 1
  }

  /// What such changes did to the monthly revenue of paid lines.
  func revenue(_ sum: Turnover, in currency: CurrencyCode, isConverted: Bool) -> Int64 {
    func isOfIt(_ position: PositionClass?) -> Bool {
      position?.set == .paid && position?.currency != nil && (isConverted || position?.currency == currency)
    }
    let lost = isOfIt(lost) ? (isConverted ? sum.convertedBefore.micros : sum.monthlyBefore) : 0
    let gained = isOfIt(gained) ? (isConverted ? sum.convertedAfter.micros : sum.monthlyAfter) : 0
    return gained &- lost
  }
}

extension ScopedChange {
  /// None where it moves no revenue.
  fileprivate var countedAsMovers: [CountedChange] {
    guard old?.set == .paid || new?.set == .paid else { return [] }
    switch flow {
    case nil where takesExchangeRate:
      return [CountedChange(name: RevenueChange.exchangeRates, lost: old, gained: new)]
    case _ where isSwitch:
      let name = Movement.otherProducts[new == nil ? 1 : 0]
      return [CountedChange(name: "mrr.\(name)", lost: old, gained: new)]
    case nil: return []
    case .exchanged?:
      return [
        CountedChange(name: "mrr.\(Flow.expansion.rawValue)", gained: new),
        CountedChange(name: "mrr.\(Flow.contraction.rawValue)", lost: old),
      ]
    case let flow? where flow.isWithinPaid:
      return [CountedChange(name: "mrr.\(flow.rawValue)", lost: old, gained: new)]
    case let flow?:
      let name =
        flow == .lost ? "lost_by_reason.\(LossKind(reason).rawValue)" : "subscribers.\(flow.rawValue)"
      return [CountedChange(name: name, isOfOld: new?.set != .paid, lost: old, gained: new)]
    }
  }
}
