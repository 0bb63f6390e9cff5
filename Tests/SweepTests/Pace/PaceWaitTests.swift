import Sweep
import Testing

@Suite struct PaceWaitTests {
  @Test(arguments: [0.25, 0.5, 1, 3, 7.5, 10, 99, 100, 250, 999, 1000, 2500])
  func noSecondExceedsTheRate(_ rate: Double) {
    var simulation = PaceSimulation(Pace(maximum: 64, rate: rate), capacity: 1000, work: 5)
    let time: Int64 = 40_000
    simulation.run(5000, supply: 0)
    simulation.run(time)
    let begun = simulation.begun
    let most = Int(rate.rounded(.up))
    let tightest = zip(begun, begun.dropFirst(most)).map { $1 - $0 }.min() ?? 1000
    #expect(tightest >= 1000)
    #expect(Double(begun.count) >= 0.97 * rate * Double(time) / 1000)
  }

  @Test func saysWhenTheNextMayBegin() {
    var pace = Pace(maximum: 8, rate: 4)
    #expect(pace.mayBegin(inFlight: 0, at: 1000) == .yes)
    #expect(pace.mayBegin(inFlight: 1, at: 1000) == .notBefore(1250))
    #expect(pace.mayBegin(inFlight: 1, at: 1249) == .notBefore(1250))
    #expect(pace.mayBegin(inFlight: 1, at: 1250) == .yes)
    #expect(pace.mayBegin(inFlight: 1, at: 60_000) == .yes)
    #expect(pace.mayBegin(inFlight: 1, at: 60_000) == .notBefore(60_250))
  }

  @Test(arguments: [0, -1, 1e-300, -.infinity, .nan, .infinity, 1e300])
  func anInvalidRateNeverTraps(_ rate: Double) {
    var pace = Pace(maximum: 8, rate: rate)
    #expect(pace.mayBegin(inFlight: 0, at: 0) == .yes)
    for instant in 0..<100 { _ = pace.mayBegin(inFlight: 0, at: Int64(instant)) }
  }

  @Test func aStoppedClockGrantsNoSecondRequest() {
    var pace = Pace(maximum: 8, rate: 1)
    #expect(pace.mayBegin(inFlight: 0, at: 5000) == .yes)
    for _ in 0..<10 { #expect(pace.mayBegin(inFlight: 0, at: 5000) == .notBefore(6000)) }
    #expect(pace.mayBegin(inFlight: 0, at: 4000) == .notBefore(6000))
    #expect(pace.mayBegin(inFlight: 0, at: 6000) == .yes)
  }

  struct Pause: CustomTestStringConvertible {
    let testDescription: String
    let named: [Int64]
    let until: Int64
  }

  static let pauses: [Pause] = [
    Pause(testDescription: "one", named: [3000], until: 3000),
    Pause(testDescription: "a longer one after it", named: [3000, 5000], until: 5000),
    Pause(testDescription: "a shorter one after it", named: [11_000, 3000], until: 11_000),
    Pause(testDescription: "for ever", named: [.max], until: .max),
  ]

  @Test(arguments: pauses) func waitsForRetryAfter(_ one: Pause) {
    var pace = Pace(maximum: 8)
    for instant in one.named { pace.pause(until: instant) }
    #expect(pace.pausedUntil == one.until)
    #expect(pace.mayBegin(inFlight: 0, at: one.until - 1) == .notBefore(one.until))
    #expect(pace.mayBegin(inFlight: 0, at: one.until) == .yes)
  }

  @Test func aRetryAfterHoldsAmongRequestsOnTheWire() {
    var simulation = PaceSimulation(Pace(maximum: 16), capacity: 100, work: 20)
    simulation.fails = [30, 31, 32].contains
    simulation.pause = 3000
    simulation.run(10_000)
    let (first, last) = (simulation.failed.min() ?? 0, simulation.failed.max() ?? 0)
    #expect(simulation.failed.count == 3)
    #expect(!simulation.begun.contains { $0 >= first && $0 < last + 3000 })
    #expect(simulation.begun.contains(last + 3000))
    #expect(simulation.pace.window == 16)
  }
}
