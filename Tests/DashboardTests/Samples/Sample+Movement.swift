import Subscriptions

extension Sample {
  static func movement(_ question: Question) -> LedgerFigures {
    var figures = LedgerFigures(Movement.groups, from: movementSums, question)
    guard let split = question.split else { return figures }
    figures.split = split
    guard split.isOfTime else {
      figures.parts = LedgerFigures.parts(split, Movement.groups, movementSums, question)
      return figures
    }
    let stretches = MovementPart.stretches(of: question.window, by: split, in: question.length.zone)
    figures.parts = stretches.enumerated().map { place, part in
      let earlier = changes(from: 0, to: place, of: stretches.count)
      let sums = LedgerSums(
        earlier: standing.merging(earlier) { $0 + $1 },
        changes: changes(from: place, to: place + 1, of: stretches.count))
      return LedgerFigures.Part(
        part: part, window: part.window(within: question.window, in: question.length.zone),
        groups: LedgerFigures(Movement.groups, from: sums, question).groups)
    }
    return figures
  }

  /// Magnitude of a figure of the movement; `nil` if there is none with this path.
  static func value(ofMovement path: String) -> UInt128? {
    let parts = path.split(separator: ".").map(String.init)
    let figures = movement(Question(panel: .movement, at: now))
    guard parts.count == 2, let group = figures[parts[0]],
      let place = group.figures.firstIndex(where: { $0.name == parts[1] })
    else { return nil }
    return group.rows.reduce(0) { $0 + $1.values[place].magnitude }
  }

  static var movementSums: LedgerSums { movementSums(without: []) }

  static func movementSums(without flows: Set<Flow>) -> LedgerSums {
    let changes = changes(from: 0, to: 1, of: 1).filter { $0.key.flow.map { !flows.contains($0) } ?? true }
    return LedgerSums(earlier: standing, changes: changes)
  }

  /// Number of lines with the same change, by product: weekly, monthly, yearly and European.
  private struct Step {
    var old: LineState?
    var new: LineState
    var flow: Flow
    var reason: LossReason?
    var isTrial = false
    var lines: [Int64]

    init(
      _ old: LineState?, _ new: LineState, _ flow: Flow, _ reason: LossReason? = nil, isTrial: Bool = false,
      lines: [Int64]
    ) {
      (self.old, self.new, self.flow, self.reason) = (old, new, flow, reason)
      (self.isTrial, self.lines) = (isTrial, lines)
    }
  }

  private static let steps = [
    Step(nil, .active, .new, lines: [50, 30, 10, 5]),
    Step(.trial, .active, .converted, lines: [70, 35, 14, 0]),
    Step(.billingRetry, .active, .recovered, lines: [15, 10, 3, 3]),
    Step(.unattributed, .active, .returned, lines: [5, 3, 1, 0]),
    Step(.expired, .active, .resubscribed, lines: [8, 4, 2, 0]),
    Step(.active, .billingRetry, .toRetry, lines: [25, 22, 6, 4]),
    Step(.active, .overdue, .toOverdue, lines: [1, 1, 1, 0]),
    Step(.active, .unattributed, .toUnattributed, lines: [1, 1, 0, 0]),
    Step(.active, .expired, .lost, .intent(.customerCancelled), lines: [20, 16, 5, 3]),
    Step(.active, .expired, .lost, .intent(.customerDidNotConsentToPriceIncrease), lines: [0, 2, 0, 0]),
    Step(.active, .expired, .lost, .intent(.other), lines: [1, 0, 0, 0]),
    Step(.active, .expired, .lost, .unknown, lines: [2, 1, 0, 0]),
    Step(.active, .revoked, .lost, .refunded, lines: [6, 4, 2, 0]),
    Step(.billingRetry, .expired, .lost, .intent(.billingError), lines: [10, 9, 2, 1]),
    Step(nil, .trial, .trialStarted, lines: [140, 70, 40, 0]),
    Step(.trial, .expired, .trialLost, .intent(.customerCancelled), lines: [38, 18, 8, 0]),
    Step(.trial, .billingRetry, .trialToRetry, isTrial: true, lines: [4, 3, 1, 0]),
    Step(.billingRetry, .expired, .trialLost, .intent(.billingError), isTrial: true, lines: [2, 2, 0, 0]),
  ]

  private static let switches: [(ProductID, ProductID, Flow, Int64)] = [
    (weekly, monthly, .contraction, 4), (monthly, yearly, .contraction, 6), (yearly, weekly, .expansion, 3),
  ]

  private static var ordered: [ProductID] { [weekly, monthly, yearly, european] }

  /// Lines by state and product at the window's start.
  private static var standing: [ChangeClass: ChangeSum] {
    var all: [ChangeClass: ChangeSum] = [:]
    let states: [(LineState, [Int64])] = [
      (.active, [909, 467, 281, 119]), (.trial, [92, 46, 17, 0]), (.billingRetry, [22, 8, 3, 3]),
    ]
    for (state, lines) in states {
      for (product, count) in zip(ordered, lines) where count > 0 {
        all[ChangeClass(old: nil, new: position(state, product), flow: nil)] = turnover(
          count, nil, product)
      }
    }
    return all
  }

  private static func changes(from place: Int, to end: Int, of parts: Int) -> [ChangeClass: ChangeSum] {
    func share(_ lines: Int64) -> Int64 {
      lines * Int64(end) / Int64(parts) - lines * Int64(place) / Int64(parts)
    }
    var all: [ChangeClass: ChangeSum] = [:]
    for step in steps {
      for (product, lines) in zip(ordered, step.lines) where share(lines) > 0 {
        let change = ChangeClass(
          old: step.old.map { position($0, product, isTrial: step.isTrial) },
          new: position(step.new, product, step.reason, isTrial: step.isTrial), flow: step.flow)
        all[change] = turnover(share(lines), step.old.map { _ in product }, product)
      }
    }
    for (old, new, flow, lines) in switches where share(lines) > 0 {
      all[ChangeClass(old: position(.active, old), new: position(.active, new), flow: flow)] = turnover(
        share(lines), old, new)
    }
    return all
  }

  private static func position(
    _ state: LineState, _ product: ProductID, _ reason: LossReason? = nil, isTrial: Bool = false
  ) -> PositionClass {
    let isOut = state == .expired || state == .revoked
    return PositionClass(
      environment: .production, state: state, product: product,
      kind: isOut ? .standard : isTrial || state == .trial ? .trial : .standard, reason: reason,
      currency: isOut ? nil : price[product]?.0.currency)
  }

  private static func turnover(_ lines: Int64, _ old: ProductID?, _ new: ProductID) -> ChangeSum {
    func monthly(_ product: ProductID?) -> Int128 {
      product.flatMap { price[$0] }.map { Int128($0.1.monthlyMicros(ofPrice: $0.0.single) * lines) } ?? 0
    }
    return ChangeSum(lines: lines, monthlyBefore: monthly(old), monthlyAfter: monthly(new))
  }
}

extension ChangeSum {
  fileprivate static func + (left: ChangeSum, right: ChangeSum) -> ChangeSum {
    var sum = left
    sum += right
    return sum
  }
}
