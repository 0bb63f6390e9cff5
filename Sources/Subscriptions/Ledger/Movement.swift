/// Figures of `report movement` (METRICS §5): subscribers at the window's start, arrivals, losses, and
/// subscribers at its end. Each group adds up exactly.
public enum Movement {
  public static let groups = [subscribers, lostByReason, trials, billingRetry, revenue]
  /// Groups that the overview shows for every product.
  static let headline = [subscribers, lostByReason, revenue]

  private static let subscribers = FigureGroup(
    name: "subscribers", label: "Subscribers", split: .none,
    figures: lines(
      in: .paid, entering: [.new, .converted, .recovered, .returned, .resubscribed],
      leaving: [.toTrial, .toRetry, .toOverdue, .toUnattributed, .lost]))

  /// Lost subscribers by reason. The parts add up to `subscribers.lost`.
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

  private static func lines(
    in set: PositionSet, entering: [Flow], leaving: [Flow]
  ) -> [FigureDefinition] {
    // Billing retry contains both trials and paid rows, and its losses are not part of the lost subscribers.
    func words(_ flow: Flow) -> String {
      set == .paid && flow == .lost ? "Lost while paid" : set == .retry ? flow.wordsByThemselves : flow.words
    }
    return [balance(.start)] + entering.map { FigureDefinition(name: $0.rawValue, label: words($0)) }
      + leaving.map { FigureDefinition(name: $0.rawValue, label: words($0), isTakenOff: true) }
      // With a limited set of products, or in a part of a split, lines may move in or out without a change of
      // set.
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

  /// Figures of lines that switch between included and excluded products. If a question covers every product,
  /// they are 0, except for lines whose first row ended before it began.
  public static let otherProducts = ["from_other_product", "to_other_product"]

  /// Effect of exchange rates without any action of a customer: a renewal is converted at the rate of its own
  /// day (METRICS §4).
  public static let exchangeRates = "exchange_rates"
}

// MARK: Counting

extension Movement {
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

/// Paid position of a change, whose monthly price a figure of revenue subtracts or adds.
struct MovedRevenue {
  var figure: String
  var position: PositionClass
  var price: LineTerm.Price

  /// `nil` for a position without a price.
  var term: LineTerm? {
    position.currency.map {
      LineTerm(
        path: "mrr.\(figure)", currency: $0, price: price, isOfConversion: figure == Movement.exchangeRates)
    }
  }
}

extension ScopedChange {
  /// Without a flow, a paid line keeps its price but gets the exchange rate of another day.
  var revenue: [MovedRevenue] {
    [(old, LineTerm.Price.before), (new, .after)].compactMap { position, price in
      guard let position, position.set == .paid else { return nil }
      if isSwitch {
        let figure = Movement.otherProducts[price == .after ? 0 : 1]
        return MovedRevenue(figure: figure, position: position, price: price)
      }
      let moved = flow == .exchanged ? (price == .before ? .contraction : .expansion) : flow
      return MovedRevenue(
        figure: moved?.rawValue ?? Movement.exchangeRates, position: position, price: price)
    }
  }
}

extension Flow {
  /// Label for people that does not depend on the heading of a group.
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
  /// Part of a position; `nil` if the split is of time.
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
