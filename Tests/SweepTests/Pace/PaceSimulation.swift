import Sweep

/// Simulation of an App Store that slows down with more than `capacity` requests at once.
struct PaceSimulation {
  var pace: Pace
  /// Milliseconds per answer without load.
  var work: Double
  let capacity: Int
  var fails: (_ number: Int) -> Bool = { _ in false }
  /// Pause in milliseconds that a failed request asks for.
  var pause: Int64 = 0
  private(set) var begun: [Int64] = []
  /// Times at which failed requests ended.
  private(set) var failed: [Int64] = []
  private(set) var now: Int64 = 0
  private var open: [Request] = []

  private struct Request {
    let number: Int
    var left: Double
  }

  init(_ pace: Pace, capacity: Int, work: Double) {
    self.pace = pace
    self.capacity = capacity
    self.work = work
  }

  /// - Parameter supply: Maximum number of open requests.
  mutating func run(_ milliseconds: Int64, supply: Int = .max) {
    let end = now + milliseconds
    while now < end {
      while open.count < supply, pace.mayBegin(inFlight: open.count, at: now) == .yes {
        open.append(Request(number: begun.count, left: work))
        begun.append(now)
      }
      advance()
    }
  }

  private mutating func advance() {
    let share = min(1, Double(capacity) / Double(max(open.count, 1)))
    var isOver = false
    for index in open.indices {
      open[index].left -= share
      if open[index].left <= 0 { isOver = true }
    }
    now += 1
    guard isOver else { return }
    let ended = open.filter { $0.left <= 0 }
    open.removeAll { $0.left <= 0 }
    for request in ended { take(request) }
  }

  private mutating func take(_ request: Request) {
    let isAnswered = !fails(request.number)
    if !isAnswered {
      failed.append(now)
      if pause > 0 { pace.pause(until: now + pause) }
    }
    pace.take(isAnswered: isAnswered)
  }
}
