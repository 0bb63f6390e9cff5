import Sweep
import Testing

@Suite struct PaceTests {
  struct Server: CustomTestStringConvertible {
    let testDescription: String
    let capacity: Int
    var work = 300.0
    var maximum = 64
    /// Expected average window in the second half.
    let window: ClosedRange<Double>
  }

  static let servers: [Server] = [
    Server(testDescription: "one that does one thing after another", capacity: 1, window: 1...4),
    Server(testDescription: "a small one", capacity: 4, window: 3...6),
    Server(testDescription: "one in the middle", capacity: 12, window: 8...16),
    Server(testDescription: "a large one", capacity: 40, window: 28...54),
    Server(testDescription: "one larger than allowed", capacity: 200, window: 64...64),
    Server(testDescription: "one larger than allowed by far", capacity: 200, maximum: 3, window: 3...3),
    Server(testDescription: "a small one near by", capacity: 2, work: 1, window: 64...64),
    Server(testDescription: "a slow one", capacity: 10, work: 4000, window: 6...14),
  ]

  @Test(arguments: servers) func settlesAroundWhatTheServerCarries(_ one: Server) {
    var simulation = PaceSimulation(
      Pace(maximum: one.maximum), capacity: one.capacity, work: one.work)
    simulation.step = max(1, Int64(one.work / 30))
    simulation.run(simulation.step * 6000)
    let half = simulation.windows.dropFirst(simulation.windows.count / 2)
    let mean = Double(half.reduce(0, +)) / Double(half.count)
    #expect(one.window.contains(mean))
    let possible = Double(min(one.capacity, one.maximum)) * Double(simulation.now) / one.work
    #expect(Double(simulation.answered) > 0.85 * possible)
  }

  @Test func beginsWithTwoAndDoublesUntilTheFirstTrouble() {
    var simulation = PaceSimulation(Pace(maximum: 64), capacity: 100, work: 100)
    simulation.fails = { $0 == 40 ? .trouble : nil }
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

  @Test func manyTroublesOfOneWindowHalveItOnce() {
    var pace = Self.full()
    #expect(pace.window == 16)
    for _ in 0..<16 { pace.take(.trouble, at: 300) }
    #expect(pace.window == 8)
    for _ in 0..<8 { pace.take(.trouble, at: 301) }
    #expect(pace.window == 4)
    for _ in 0..<1000 { pace.take(.trouble, at: 302) }
    #expect(pace.window == 1)
  }

  @Test func growsByOneAWindowAgain() {
    var pace = Self.full()
    for _ in 0..<16 { pace.take(.trouble, at: 300) }
    for window in 8..<16 {
      #expect(pace.window == window)
      #expect(pace.mayBegin(inFlight: window, at: 300) == .whenOneEnds)
      for _ in 0...window { pace.take(.answered(latency: 10_000), at: 301) }
    }
    #expect(pace.window == 16)
  }

  @Test func aWindowThatIsNotFilledDoesNotGrow() {
    var simulation = PaceSimulation(Pace(maximum: 64), capacity: 100, work: 10)
    simulation.run(10_000, supply: 1)
    #expect(simulation.pace.window == 2)
    simulation.run(10_000, supply: 10)
    #expect((10...16).contains(simulation.pace.window))
  }

  @Test func aFailingServerIsAskedOneByOneAndThenAsBefore() {
    var simulation = PaceSimulation(Pace(maximum: 32), capacity: 100, work: 50)
    simulation.fails = { (500..<900).contains($0) ? .trouble : nil }
    while simulation.begun.count < 890 { simulation.run(50) }
    #expect(simulation.pace.window == 1)
    simulation.run(60_000)
    #expect(simulation.pace.window == 32)
  }

  @Test func oneAnswerThatHangsIsNoTrend() {
    var pace = Self.full()
    for number in 0..<1000 {
      pace.take(.answered(latency: number % 10 == 0 ? 60_000_000 : 10_000), at: Int64(number))
    }
    #expect(pace.window == 16)
  }

  @Test func aServerThatIsNoFasterWhenAskedLessIsAskedAsBefore() {
    var simulation = PaceSimulation(Pace(maximum: 16), capacity: 100, work: 200)
    simulation.run(20_000)
    #expect(simulation.windows.last == 16)
    simulation.work = 1000
    simulation.run(60_000)
    #expect(simulation.windows.suffix(60_000).min() == 8)
    #expect(simulation.windows.last == 16)
  }

  @Test(arguments: [-5, 0, 1]) func oneIsTheLeast(_ maximum: Int) {
    var pace = Pace(maximum: maximum)
    #expect(pace.window == 1)
    #expect(pace.mayBegin(inFlight: 0, at: 0) == .yes)
    #expect(pace.mayBegin(inFlight: 1, at: 0) == .whenOneEnds)
    for _ in 0..<100 { pace.take(.trouble, at: 1) }
    #expect(pace.mayBegin(inFlight: 0, at: 1) == .yes)
  }
}
