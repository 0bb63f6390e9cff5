/// Amounts on their way between places, in whole units that still add up: each is the unit below or above it, and what comes to a place
/// is what leaves it. Rounding each by itself would show a start, changes and an end that miss each other by a unit.
///
/// What is left of the units is sent around circles of amounts that have any, until one of them is whole: Cox, "A Constructive Procedure
/// for Unbiased Controlled Rounding", 1987.
struct RoundedFlows {
  private struct Flow {
    var from: Int
    var to: Int
    var units: Int128
    /// Of a unit, in micros.
    var rest: Int128
  }

  private static let unit: Int128 = 1_000_000

  private var flows: [Flow] = []

  /// - Returns: the place of the amount among those that are rounded.
  mutating func add(_ micros: Int128, from: Int, to: Int) -> Int {
    let rest = ((micros % Self.unit) + Self.unit) % Self.unit
    flows.append(Flow(from: from, to: to, units: (micros - rest) / Self.unit, rest: rest))
    return flows.count - 1
  }

  /// In the order in which they were added.
  func rounded() -> [Int128] {
    var rounded = self
    var touching: [Int: [Int]] = [:]
    for (index, flow) in flows.enumerated() where flow.rest != 0 {
      touching[flow.from, default: []].append(index)
      touching[flow.to, default: []].append(index)
    }
    for start in flows.indices {
      while rounded.flows[start].rest != 0 {
        if let circle = rounded.circle(from: start, &touching) {
          rounded.send(around: circle)
        } else {
          // Nothing makes up for it: what comes to a place is not what leaves it.
          let rest = rounded.flows[start].rest
          rounded.move(start, by: rest * 2 < Self.unit ? 0 - rest : Self.unit - rest)
        }
      }
    }
    return rounded.flows.map(\.units)
  }

  private typealias Step = (flow: Int, isForward: Bool)

  /// Flows with rests that lead back to where they began; nil where the way ends first.
  ///
  /// - Parameter touching: the flows from and to each place; those that are whole by now are taken out.
  private func circle(from start: Int, _ touching: inout [Int: [Int]]) -> [Step]? {
    var way: [Step] = [(start, true)]
    var visited = [flows[start].from: 0]
    var place = flows[start].to
    while visited[place] == nil {
      visited[place] = way.count
      touching[place]?.removeAll { flows[$0].rest == 0 }
      let last = way[way.count - 1].flow
      guard let next = touching[place]?.first(where: { $0 != last }) else { return nil }
      let isForward = flows[next].from == place
      way.append((next, isForward))
      place = isForward ? flows[next].to : flows[next].from
    }
    return visited[place].map { Array(way[$0...]) }
  }

  /// As little as makes one of them whole.
  private mutating func send(around circle: [Step]) {
    func left(_ step: Step, isUp: Bool) -> Int128 {
      step.isForward == isUp ? Self.unit - flows[step.flow].rest : flows[step.flow].rest
    }
    let up = circle.map { left($0, isUp: true) }.min() ?? 0
    let down = circle.map { left($0, isUp: false) }.min() ?? 0
    let amount = up < down ? up : 0 - down
    for step in circle { move(step.flow, by: step.isForward ? amount : 0 - amount) }
  }

  private mutating func move(_ flow: Int, by micros: Int128) {
    flows[flow].rest += micros
    if flows[flow].rest == Self.unit { (flows[flow].units, flows[flow].rest) = (flows[flow].units + 1, 0) }
  }
}
