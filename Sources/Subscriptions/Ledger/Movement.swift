/// Figures of `report movement` (METRICS §5): subscribers at the window's start, arrivals, losses, and
/// subscribers at its end. Each group adds up exactly.
public enum Movement {
  public static let groups = [subscribers, lostByReason, trials, billingRetry, revenue]
  /// Groups that the overview shows for every product.
  static let headline = [subscribers, lostByReason, revenue]

  private static let subscribers = FigureGroup(
    "subscribers", "Subscribers", .none,
    lines(
      in: .paid, entering: [.new, .converted, .recovered, .returned, .resubscribed],
      leaving: [.toTrial, .toRetry, .toOverdue, .toUnattributed, .lost]))

  /// Lost subscribers by reason. The parts add up to `subscribers.lost`.
  private static let lostByReason = FigureGroup(
    "lost_by_reason", "Lost", .none,
    LossKind.allCases.map { kind in
      FigureDefinition(
        kind.rawValue, kind.words.prefix(1).uppercased() + kind.words.dropFirst(),
        .flow { $0.leaves(.paid) && $0.flow == .lost && LossKind($0.reason) == kind },
        isTakenOff: true)
    })

  private static let trials = FigureGroup(
    "trials", "Trials", .none,
    lines(
      in: .trial, entering: [.trialStarted, .toTrial],
      leaving: [.converted, .trialToRetry, .trialToOverdue, .trialToUnattributed, .trialLost]))

  private static let billingRetry = FigureGroup(
    "billing_retry", "Billing retry", .none,
    lines(
      in: .retry, entering: [.toRetry, .trialToRetry],
      leaving: [.recovered, .converted, .trialStarted, .lost, .trialLost]))

  static let revenue = FigureGroup(
    "mrr", "MRR", .byCurrency,
    [start(of: .paid)]
      + [
        Flow.new, .converted, .recovered, .returned, .resubscribed, .toTrial, .toRetry, .toOverdue,
        .toUnattributed, .lost,
      ].map(revenue)
      + [
        revenueWithinPaid(.expansion, lost: [.expansion], gained: [.expansion, .exchanged]),
        revenueWithinPaid(.contraction, lost: [.contraction, .exchanged], gained: [.contraction]),
        revenueWithinPaid(.repriced, lost: [.repriced], gained: [.repriced]),
        FigureDefinition(exchangeRates, "Exchange rates", .conversion(\.takesExchangeRate)),
        FigureDefinition(
          otherProducts[0], "Switched in",
          .revenue(lost: { _ in false }, gained: { $0.isSwitch && $0.enters(.paid) })),
        FigureDefinition(
          otherProducts[1], "Switched out",
          .revenue(lost: { $0.isSwitch && $0.leaves(.paid) }, gained: { _ in false })),
        end(of: .paid),
      ])

  private static func lines(
    in set: PositionSet, entering: [Flow], leaving: [Flow]
  ) -> [FigureDefinition] {
    // Billing retry contains both trials and paid rows, and its losses are not part of the lost subscribers.
    func words(_ flow: Flow) -> String {
      set == .paid && flow == .lost ? "Lost while paid" : set == .retry ? flow.wordsByThemselves : flow.words
    }
    return [start(of: set)]
      + entering.map { flow in
        FigureDefinition(
          flow.rawValue, words(flow), .flow { $0.enters(set) && $0.flow == flow })
      }
      + leaving.map { flow in
        FigureDefinition(
          flow.rawValue, words(flow), .flow { $0.leaves(set) && $0.flow == flow }, isTakenOff: true)
      }
      // With a limited set of products, or in a part of a split, lines may move in or out without a change of
      // set.
      + [
        FigureDefinition(otherProducts[0], "Switched in", .flow { $0.isSwitch && $0.enters(set) }),
        FigureDefinition(
          otherProducts[1], "Switched out", .flow { $0.isSwitch && $0.leaves(set) }, isTakenOff: true),
        end(of: set),
      ]
  }

  private static func start(of set: PositionSet) -> FigureDefinition {
    FigureDefinition("start", "At the start", .balance(.start) { $0.set == set })
  }

  private static func end(of set: PositionSet) -> FigureDefinition {
    FigureDefinition("end", "At the end", .balance(.end) { $0.set == set }, needsSnapshots: set == .retry)
  }

  /// Figures of lines that switch between included and excluded products. If a question covers every product,
  /// they are 0, except for lines whose first row ended before it began.
  public static let otherProducts = ["from_other_product", "to_other_product"]

  /// Effect of exchange rates without any action of a customer: a renewal is converted at the rate of its own
  /// day.
  public static let exchangeRates = "exchange_rates"

  private static func revenue(_ flow: Flow) -> FigureDefinition {
    FigureDefinition(
      flow.rawValue, flow.words,
      .revenue(
        lost: { $0.old?.set == .paid && $0.flow == flow },
        gained: { $0.new?.set == .paid && $0.flow == flow }))
  }

  /// Revenue within Paid. Switches are excluded, because one half of a switch would look like an expansion
  /// with negative revenue.
  private static func revenueWithinPaid(_ flow: Flow, lost: [Flow], gained: [Flow]) -> FigureDefinition {
    @Sendable func isOneOf(_ flows: [Flow], _ change: ScopedChange) -> Bool {
      !change.isSwitch && change.flow.map(flows.contains) ?? false
    }
    return FigureDefinition(
      flow.rawValue, flow.words,
      .revenue(lost: { isOneOf(lost, $0) }, gained: { isOneOf(gained, $0) }))
  }
}

extension Flow {
  /// Label for people that does not depend on the heading of a group.
  public var wordsByThemselves: String {
    switch self {
    case .trialToRetry, .trialToOverdue, .trialLost: "Trial \(words.lowercased())"
    case .trialToUnattributed: "Trial away, unknown why"
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
    case .returned: "Returned, unknown how"
    case .resubscribed: "Resubscribed"
    case .toTrial: "To a trial"
    case .toRetry, .trialToRetry: "To billing retry"
    case .toOverdue, .trialToOverdue: "To not confirmed yet"
    case .toUnattributed, .trialToUnattributed: "Away, unknown why"
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
