/// Lines in a set of positions at a window's two ends, and the changes between them: METRICS §5, Movement.
///
/// `start`, what came and what went, with its sign, add up to `end`.
public struct Movement: Hashable, Sendable {
  public var start = 0
  public var end = 0
  /// Changes into the set.
  public var into: [Flow: Int] = [:]
  /// Changes out of it.
  public var out: [Flow: Int] = [:]

  public init() {}

  public var addsUp: Bool { start + into.values.reduce(0, +) - out.values.reduce(0, +) == end }

  /// Adds what a line did in a window (`from`, `to`].
  mutating func add(_ life: LineLife, of set: PositionSet, in window: Window) {
    if life.set(at: window.from) == set { start += 1 }
    if life.set(at: window.to) == set { end += 1 }
    for change in life.changes where window.contains(change.at) {
      guard let flow = change.flow else { continue }
      if life.line.set(of: change.new) == set { into[flow, default: 0] += 1 }
      if life.line.set(of: change.old) == set { out[flow, default: 0] += 1 }
    }
  }
}

/// Movement of monthly recurring revenue in one currency, in micros with their signs.
public struct RevenueMovement: Hashable, Sendable {
  public var start: Int64 = 0
  public var end: Int64 = 0
  public var flows: [RevenueFlow: Int64] = [:]

  public init() {}

  public var addsUp: Bool { flows.values.reduce(start, +) == end }
}

/// What moves revenue: a flow of lines into or out of Paid, or a change within it.
public enum RevenueFlow: Hashable, Sendable {
  case line(Flow)
  /// Within Paid, another product at more.
  case expansion
  /// Within Paid, another product at less.
  case contraction
  /// Within Paid, the same product at another price.
  case repriced
}

/// A line with its timeline, which is worked out once.
public struct LineLife: Sendable {
  public let line: Line
  public let timeline: Timeline
  public let changes: [Change]

  public init(_ line: Line) {
    self.line = line
    timeline = line.timeline
    changes = line.changes(of: timeline)
  }

  public func set(at t: Instant) -> PositionSet { line.set(of: timeline.position(at: t)) }

  /// What the line's current row comes to a month while it is paid; nil otherwise and where it is unpriced.
  func monthly(_ position: Position?) -> Money? {
    guard let position, line.set(of: position) == .paid else { return nil }
    return line.rows[position.row].monthly
  }

  /// What a change does to monthly recurring revenue: METRICS §5, Movement of MRR.
  func revenue(_ change: Change) -> [(flow: RevenueFlow, amount: Money)] {
    let (old, new) = (monthly(change.old), monthly(change.new))
    func lose(_ flow: RevenueFlow) -> [(flow: RevenueFlow, amount: Money)] {
      old.map { [(flow, Money(micros: -$0.micros, currency: $0.currency))] } ?? []
    }
    func gain(_ flow: RevenueFlow) -> [(flow: RevenueFlow, amount: Money)] { new.map { [(flow, $0)] } ?? [] }
    if let flow = change.flow { return lose(.line(flow)) + gain(.line(flow)) }
    guard old != new else { return [] }
    let isSame = change.old.map { line.rows[$0.row].productID } == line.rows[change.new.row].productID
    if let old, let new, old.currency == new.currency {
      let more = new.micros - old.micros
      return [
        (
          isSame ? .repriced : more > 0 ? .expansion : .contraction,
          Money(micros: more, currency: new.currency)
        )
      ]
    }
    return isSame ? lose(.repriced) + gain(.repriced) : lose(.contraction) + gain(.expansion)
  }
}

/// `report movement`: subscribers, trials and billing retry by lines, and revenue by currency.
public struct MovementFigures: Hashable, Sendable {
  public var subscribers = Movement()
  public var trials = Movement()
  public var billingRetry = Movement()
  public var mrr: [CurrencyCode: RevenueMovement] = [:]

  public init(_ lives: some Sequence<LineLife>, in window: Window) {
    for life in lives {
      subscribers.add(life, of: .paid, in: window)
      trials.add(life, of: .trial, in: window)
      billingRetry.add(life, of: .retry, in: window)
      if let monthly = life.monthly(life.timeline.position(at: window.from)) {
        mrr[monthly.currency, default: RevenueMovement()].start += monthly.micros
      }
      if let monthly = life.monthly(life.timeline.position(at: window.to)) {
        mrr[monthly.currency, default: RevenueMovement()].end += monthly.micros
      }
      for change in life.changes where window.contains(change.at) {
        for (flow, amount) in life.revenue(change) {
          mrr[amount.currency, default: RevenueMovement()].flows[flow, default: 0] += amount.micros
        }
      }
    }
  }
}
