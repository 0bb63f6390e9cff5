import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Asking") struct AskingTests {
  private func loads(_ effects: [Effect]) -> [Int] {
    effects.compactMap { if case .load(_, let serial) = $0 { serial } else { nil } }
  }

  @Test("takes only the newest answer")
  func stale() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    let first = bench.lastSerial
    bench.press("3")
    let second = bench.lastSerial
    bench.send(.loaded(Sample.report(.active), serial: first))
    #expect(bench.screen.contains("Reading the store"))
    bench.send(.loaded(Sample.report(.active), serial: second))
    #expect(bench.screen.contains("Active paid 1,920"))
    bench.send(.failed("Too late.", serial: first))
    #expect(!bench.screen.contains("Too late"))
  }

  @Test("asks for the window, the environment and the instant of now")
  func question() {
    var bench = Bench(environment: .sandbox)
    bench.answers = false
    bench.send(.tick(now: Sample.now + 5000, uptime: 5000))
    bench.send(.opened)
    bench.press("w")
    #expect(
      bench.lastQuestion
        == Question(
          panel: .overview, at: Sample.now + 5000, windowDays: 90, environment: .sandbox,
          limit: Question.screenLimit))
  }

  @Test("queries one instant while the screen is frozen, until a refresh")
  func frozen() {
    var bench = Bench.opened()
    bench.press("F")
    bench.send(.tick(now: Sample.now + 60_000, uptime: 60_000))
    for key in ["w", "3", "e"] {
      bench.press(key)
      #expect(bench.lastQuestion?.at == Sample.now, "\(key)")
    }
    bench.press("R")
    #expect(bench.lastQuestion?.at == Sample.now + 60_000)
    bench.send(.tick(now: Sample.now + 90_000, uptime: 90_000))
    bench.press("w")
    #expect(bench.lastQuestion?.at == Sample.now + 60_000)
    bench.press("F")
    #expect(bench.lastQuestion?.at == Sample.now + 90_000)
  }

  @Test("freezes every tab at the instant of the last refresh, which the visible tab shows")
  func frozenAtTheVisibleInstant() {
    var bench = Bench.opened()
    bench.send(.tick(now: Sample.now + 60_000, uptime: 60_000))
    bench.press("F")
    for key in ["3", "1", "e"] {
      bench.press(key)
      #expect(bench.lastQuestion?.at == Sample.now, "\(key)")
    }
    bench.press("W")
    #expect(bench.lastQueue?.at == Sample.now)
  }

  @Test("freezes at the instant of an open list, which is later than that of its panel")
  func frozenOverAList() {
    var bench = Bench.opened()
    bench.press("4")
    bench.send(.tick(now: Sample.now + 30_000, uptime: 30_000))
    bench.press("enter", "F", "esc", "3")
    #expect(bench.lastQuestion?.at == Sample.now + 30_000, "\(bench.screen)")
  }

  @Test("freezes the present below a month of the past")
  func frozenInThePast() {
    var bench = Bench.opened()
    bench.press(":", "window 2026-10", "enter")
    #expect(bench.lastQuestion.map { $0.at < Sample.now } == true, "\(bench.screen)")
    bench.press("F", "W")
    #expect(bench.lastQueue?.at == Sample.now)
  }

  @Test("moves the panels while a sweep runs, at most once a second")
  func coalesced() {
    var bench = Bench.opened()
    bench.press("S", "enter")
    let before = bench.effects.count
    for step in 1...60 {
      bench.wait(50)
      bench.send(.sweepProgress(Sample.progress(done: 12 * step, elapsed: Int64(step) * 50)))
    }
    let asked = loads(Array(bench.effects.dropFirst(before))).count
    #expect((2...4).contains(asked), "3 s of progress asked \(asked) times")
  }

  @Test("asks nothing while an answer is to come, and nothing while nothing changes")
  func patient() {
    var bench = Bench.opened()
    bench.press("S", "enter")
    bench.wait(1500)
    bench.answers = false
    let before = bench.effects.count
    for step in 1...100 {
      bench.wait(100)
      bench.send(.sweepProgress(Sample.progress(done: 12 * step, elapsed: Int64(step) * 100)))
    }
    #expect(loads(Array(bench.effects.dropFirst(before))).count == 1)
    bench.answers = true
    bench.send(.loaded(Sample.report(.overview), serial: bench.lastSerial))
    let quiet = bench.effects.count
    for _ in 0..<20 {
      bench.wait(1000)
      bench.send(.sweepProgress(Sample.progress(done: 1200, elapsed: 10_000)))
    }
    #expect(loads(Array(bench.effects.dropFirst(quiet))).count <= 1)
  }

  @Test("reads everything once more when a sweep has ended, and says what it came to")
  func ended() {
    var bench = Bench.opened()
    bench.press("S", "enter")
    bench.send(.sweepProgress(Sample.progress(done: 2000)))
    let before = bench.effects.count
    bench.send(.sweepFinished(Sample.summary()))
    let wanted = bench.effects.dropFirst(before)
    #expect(loads(Array(wanted)).count == 1)
    #expect(wanted.contains { if case .loadStatus = $0 { true } else { false } })
    #expect(bench.screen.contains("Swept 2,412 receipts in 8 s: 203 changed, 12 postponed, 2 rejected."))
    #expect(!bench.state.sweep.isActive)
  }

  @Test("reads an open chain anew as well")
  func chain() {
    var bench = Bench.opened()
    bench.press("f", "310000831360853", "enter")
    bench.wait(2000)
    let first = bench.lastSearch?.serial
    bench.send(.storeChanged)
    #expect(bench.lastSearch?.id == "310000831360853" && bench.lastSearch?.serial != first)
    #expect(bench.state.context == .chain)
    bench.chains = { _ in [] }
    bench.press("R")
    #expect(bench.screen.contains("Verdict"), "what is known stays")
  }

  @Test("needs no tick while nothing happens")
  func idle() {
    var bench = Bench.opened()
    #expect(bench.state.wakesAt == nil)
    bench.press("x")
    #expect(bench.state.wakesAt == 4000)
    bench.wait(4000)
    #expect(bench.state.wakesAt == nil)
    #expect(!bench.screen.contains("No sweep is running"))
  }

  @Test("refreshes by itself, in its rhythm")
  func refresh() {
    var bench = Bench(refreshSchedule: RefreshSchedule(refresh: 60_000))
    bench.send(.opened)
    #expect(bench.state.wakesAt == 60_000)
    let before = bench.effects.count
    bench.wait(59_999)
    #expect(bench.effects.count == before)
    bench.wait(1)
    #expect(loads(Array(bench.effects.dropFirst(before))).count == 1)
  }
}
