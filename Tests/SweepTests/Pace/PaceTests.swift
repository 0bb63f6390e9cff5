import Sweep
import Testing

@Suite struct PaceTests {
  @Test func startsWithTwoAndDoublesUntilTheFirstFailure() {
    var simulation = PaceSimulation(Pace(maximum: 64), capacity: 100, work: 100)
    simulation.fails = { $0 == 40 }
    var seen: [Int] = []
    for _ in 0..<4 {
      seen.append(simulation.pace.window)
      simulation.run(100)
    }
    #expect(seen == [2, 4, 8, 16])
    simulation.run(200)
    let after = simulation.pace.window
    #expect((16...36).contains(after))
    simulation.run(200)
    #expect((after + 1...after + 3).contains(simulation.pace.window))
  }

  /// Pace at its maximum of 16, fully used.
  static func full() -> Pace {
    var simulation = PaceSimulation(Pace(maximum: 16), capacity: 100, work: 10)
    simulation.run(200)
    return simulation.pace
  }

  @Test func severalFailuresInOneWindowHalveItOnce() {
    var pace = Self.full()
    #expect(pace.window == 16)
    for _ in 0..<16 { pace.take(isAnswered: false) }
    #expect(pace.window == 8)
    for _ in 0..<8 { pace.take(isAnswered: false) }
    #expect(pace.window == 4)
    for _ in 0..<1000 { pace.take(isAnswered: false) }
    #expect(pace.window == 1)
  }

  @Test func growsByOneAWindowAgain() {
    var pace = Self.full()
    for _ in 0..<16 { pace.take(isAnswered: false) }
    for window in 8..<16 {
      #expect(pace.window == window)
      #expect(pace.mayBegin(inFlight: window, at: 300) == .whenOneEnds)
      for _ in 0...window { pace.take(isAnswered: true) }
    }
    #expect(pace.window == 16)
  }

  @Test func anUnfilledWindowDoesNotGrow() {
    var simulation = PaceSimulation(Pace(maximum: 64), capacity: 100, work: 10)
    simulation.run(10_000, supply: 1)
    #expect(simulation.pace.window == 2)
    simulation.run(10_000, supply: 10)
    #expect((10...16).contains(simulation.pace.window))
  }

  @Test func aFailingServerGetsSingleRequestsUntilItRecovers() {
    var simulation = PaceSimulation(Pace(maximum: 32), capacity: 100, work: 50)
    simulation.fails = (500..<900).contains
    while simulation.begun.count < 890 { simulation.run(50) }
    #expect(simulation.pace.window == 1)
    simulation.run(60_000)
    #expect(simulation.pace.window == 32)
  }

  @Test(arguments: [-5, 0, 1]) func theMinimumIsOne(_ maximum: Int) {
    var pace = Pace(maximum: maximum)
    #expect(pace.window == 1)
    #expect(pace.mayBegin(inFlight: 0, at: 0) == .yes)
    #expect(pace.mayBegin(inFlight: 1, at: 0) == .whenOneEnds)
    for _ in 0..<100 { pace.take(isAnswered: false) }
    #expect(pace.mayBegin(inFlight: 0, at: 1) == .yes)
  }
}
