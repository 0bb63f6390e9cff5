/// Figure groups of `report movement`: opening balance, arrivals, losses, closing balance (METRICS §5).
public enum Movement {
  public static let groups = [subscribers, lostByReason, trials, billingRetry, revenue]
  /// Groups of the overview, which also shows a few of their figures for each product.
  static let headline = [subscribers, lostByReason, revenue]

  private static let subscribers = FigureGroup(
    name: "subscribers", label: "Subscribers", split: .none,
    figures: lines(
      in: .paid, entering: [.new, .converted, .recovered, .returned, .resubscribed],
      leaving: [.toTrial, .toRetry, .toOverdue, .toUnattributed, .lost]))

  private static let lostByReason = FigureGroup(
    name: "lost_by_reason", label: "Lost", split: .none,
    figures: LossKind.allCases.map { kind in
      FigureDefinition(
        name: kind.rawValue, label: kind.words.prefix(1).uppercased() + kind.words.dropFirst(),
        isTakenOff: true)
    })

  private static let trials = FigureGroup(
    name: "trials", label: "Trials", split: .none,
    figures: lines(
      in: .trial, entering: [.trialStarted, .toTrial],
      leaving: [.converted, .trialToRetry, .trialToOverdue, .trialToUnattributed, .trialLost]))

  private static let billingRetry = FigureGroup(
    name: "billing_retry", label: "Billing retry", split: .none,
    figures: lines(
      in: .retry, entering: [.toRetry, .trialToRetry],
      leaving: [.recovered, .converted, .trialStarted, .lost, .trialLost]))

  private static let revenue = FigureGroup(
    name: "mrr", label: "MRR", split: .byCurrency,
    figures: [balance(.start)]
      + [
        Flow.new, .converted, .recovered, .returned, .resubscribed, .toTrial, .toRetry, .toOverdue,
        .toUnattributed, .lost, .expansion, .contraction, .repriced,
      ].map { FigureDefinition(name: $0.rawValue, label: $0.words) }
      + [
        FigureDefinition(name: exchangeRates, label: "Exchange rates", isOfConversion: true),
        FigureDefinition(name: otherProducts[0], label: "Switched in"),
        FigureDefinition(name: otherProducts[1], label: "Switched out"), balance(.end),
      ])

  private static func lines(in set: PositionSet, entering: [Flow], leaving: [Flow]) -> [FigureDefinition] {
    // Billing retry contains trials, so its labels name them. `subscribers.lost` excludes losses from retry.
    func words(_ flow: Flow) -> String {
      set == .paid && flow == .lost ? "Lost while paid" : set == .retry ? flow.wordsByThemselves : flow.words
    }
    return [balance(.start)] + entering.map { FigureDefinition(name: $0.rawValue, label: words($0)) }
      + leaving.map { FigureDefinition(name: $0.rawValue, label: words($0), isTakenOff: true) }
      // Lines switch if a question excludes products, or covers only one part of a split.
      + [
        FigureDefinition(name: otherProducts[0], label: "Switched in"),
        FigureDefinition(name: otherProducts[1], label: "Switched out", isTakenOff: true),
        balance(.end, needsSnapshots: set == .retry),
      ]
  }

  private static func balance(
    _ end: FigureDefinition.WindowEnd, needsSnapshots: Bool = false
  ) -> FigureDefinition {
    FigureDefinition(
      name: end.rawValue, label: end == .start ? "Opening" : "Closing", needsSnapshots: needsSnapshots
    )
  }

  /// Figures of lines that switch between included and excluded products or parts, or that begin in billing
  /// retry because their first row expires before its purchase.
  public static let otherProducts = ["from_other_product", "to_other_product"]

  /// Change of revenue from exchange rates: each renewal is converted at the rate of its own day.
  public static let exchangeRates = "exchange_rates"

  // MARK: Counting

  private static let sets = [
    (group: "subscribers", set: PositionSet.paid), ("trials", .trial), ("billing_retry", .retry),
  ]

  static func terms(_ position: PositionClass, at end: FigureDefinition.WindowEnd) -> [LineTerm] {
    let lines = sets.filter { $0.set == position.set }.map { LineTerm(path: "\($0.group).\(end.rawValue)") }
    guard position.set == .paid, let currency = position.currency else { return lines }
    return lines + [LineTerm(path: "mrr.\(end.rawValue)", currency: currency)]
  }

  static func terms(_ change: ScopedChange) -> [LineTerm] {
    var paths: [String] = []
    for (group, set) in sets {
      let other = change.enters(set) ? otherProducts[0] : change.leaves(set) ? otherProducts[1] : nil
      guard let other, let name = change.isSwitch ? other : change.flow?.rawValue else { continue }
      paths.append("\(group).\(name)")
    }
    if change.leaves(.paid), change.flow == .lost {
      paths.append("lost_by_reason.\(LossKind(change.reason).rawValue)")
    }
    return paths.map { LineTerm(path: $0) } + change.revenue.compactMap(\.term)
  }
}

/// Position before or after a change, and the revenue figure that subtracts or adds its monthly price.
struct MovedRevenue {
  var figure: String
  var position: PositionClass
  var price: LineTerm.Price

  var term: LineTerm? {
    position.currency.map {
      LineTerm(
        path: "mrr.\(figure)", currency: $0, price: price, isOfConversion: figure == Movement.exchangeRates)
    }
  }
}

extension ScopedChange {
  /// Paid positions before and after the change, each with the figure that counts its monthly price.
  ///
  /// A change without a flow keeps the price, so the figure is `Movement.exchangeRates`.
  var revenue: [MovedRevenue] {
    [(old, LineTerm.Price.before), (new, .after)].compactMap { position, price in
      guard let position, position.set == .paid else { return nil }
      if isSwitch {
        let figure = Movement.otherProducts[price == .after ? 0 : 1]
        return MovedRevenue(figure: figure, position: position, price: price)
      }
      let moved = flow == .exchanged ? (price == .before ? .contraction : .expansion) : flow
      return MovedRevenue(figure: moved?.rawValue ?? Movement.exchangeRates, position: position, price: price)
    }
  }
}

extension Flow {
  /// Label that is clear without the heading of its group.
  public var wordsByThemselves: String {
    switch self {
    case .trialToRetry, .trialToOverdue, .trialToUnattributed, .trialLost: "Trial \(words.lowercased())"
    default: words
    }
  }

  public var shortWords: String { self == .returned ? "Returned" : words }

  public var words: String {
    switch self {
    case .trialStarted: "Trial started"
    case .new: "New"
    case .converted: "Converted"
    case .recovered: "Recovered"
    case .returned: "Returned (cause unknown)"
    case .resubscribed: "Resubscribed"
    case .toTrial: "To a trial"
    case .toRetry, .trialToRetry: "Entered billing retry"
    case .toOverdue, .trialToOverdue: "Unverified"
    case .toUnattributed, .trialToUnattributed: "Lapsed (cause unknown)"
    case .lost, .trialLost: "Lost"
    case .expansion: "Expansion"
    case .contraction: "Contraction"
    case .exchanged: "Changed currency"
    case .repriced: "Repriced"
    }
  }
}

extension MovementPart {
  /// Creates the part that contains a position; `nil` for splits by time.
  init?(of position: PositionClass, by split: MovementSplit) {
    switch split {
    case .week, .month: return nil
    case .product: self = .product(position.product)
    case .storefront: self.init(split, position.storefront?.rawValue)
    case .kind: self.init(split, position.kind.rawValue)
    case .currency: self.init(split, position.currency?.rawValue)
    }
  }

  func includes(_ position: PositionClass) -> Bool {
    MovementPart(of: position, by: split).map { $0 == self } ?? true
  }
}
