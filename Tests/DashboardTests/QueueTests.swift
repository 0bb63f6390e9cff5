import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The queue") struct QueueTests {
  static func printed(width: Int = 80, _ change: (inout QueueReport) -> Void = { _ in }) -> String {
    var (status, queue) = (Sample.status, Sample.queue)
    change(&queue)
    status.queue = queue
    return text(of: status, width: width)
  }

  @Test("is asked for only while its tab shows", arguments: ["1", "4", "E", "?"])
  func elsewhere(_ key: String) {
    var bench = Bench.opened()
    bench.press(key)
    for _ in 0..<5 {
      bench.wait(3000)
      bench.send(.storeChanged)
    }
    #expect(bench.queueReads == 0)
  }

  @Test("is of products that are known from the start")
  func products() {
    var bench = Bench()
    bench.start(on: .sweep)
    bench.press("f", "weekl", "enter")
    #expect(bench.state.product == Sample.weekly)
  }

  @Test("is asked for on coming, when the store changes, and when a sweep has ended")
  func here() {
    var bench = Bench.opened()
    bench.press("W")
    #expect(bench.queueReads == 1)
    bench.wait(2000)
    bench.send(.storeChanged)
    #expect(bench.queueReads == 2)
    bench.press("R")
    #expect(bench.queueReads == 3)
    bench.press("s")
    bench.send(.sweepFinished(Sample.summary()))
    #expect(bench.queueReads == 4)
    #expect(bench.effects.contains { if case .loadStatus = $0 { true } else { false } })
  }

  @Test("is asked for at most every two seconds, however much happens")
  func calm() {
    var bench = Bench.opened()
    bench.press("W", "S")
    let before = bench.queueReads
    for step in 1...100 {
      bench.wait(100)
      bench.send(.storeChanged)
      bench.send(.sweepProgress(Sample.progress(done: 12 * step, elapsed: Int64(step) * 100)))
    }
    #expect((4...6).contains(bench.queueReads - before), "10 s asked \(bench.queueReads - before) times")
  }

  @Test("is asked for less often where it takes long")
  func slow() throws {
    var bench = Bench.opened()
    bench.answers = false
    bench.press("W")
    bench.wait(1500)
    bench.send(.queueLoaded(Sample.queue, serial: try #require(bench.lastQueue).serial))
    bench.wait(5900)
    bench.send(.storeChanged)
    #expect(bench.queueReads == 1)
    #expect(bench.state.wakesAt == 7500)
    bench.wait(100)
    #expect(bench.queueReads == 2)
  }

  @Test("shows the most frequent reasons of given-up receipts and of receipts that await a retry")
  func reasons() {
    func some(_ count: Int) -> [QueueReport.DeadReason] {
      (1...count).map {
        QueueReport.DeadReason(
          reason: "Reason \($0).", count: count + 1 - $0, exampleReceipt: Sample.receipt(Int64($0)))
      }
    }
    var printed = Self.printed { $0.dead = some(30) }
    #expect(printed.contains("Reason 10.") && !printed.contains("Reason 11."))
    #expect(printed.contains("20 other reasons") && printed.contains("210"))
    printed = Self.printed { $0.failures = some(12) }
    #expect(printed.contains("Awaiting retry, by reason") && printed.contains("Reason 10."))
    #expect(!printed.contains("Reason 11.") && printed.contains("2 other reasons"))
    var bench = Bench(160, 60)
    bench.queue.failures = some(12)
    bench.send(.opened)
    bench.press("W")
    #expect(bench.screen.contains("Awaiting retry, by reason") && bench.screen.contains("Reason 1."))
  }

  @Test(
    "shows costs below one a day in tenths, and no bar for a cost of 0",
    arguments: [
      (0.0, "0 a day for 9", false), (0.02, "under 0.1 a day for 9", true), (0.3, "0.3 a day for 9", true),
      (0.97, "1 a day for 9", true), (2.6, "3 a day for 9", true),
    ])
  func rareRequests(_ requests: Double, _ words: String, _ hasBar: Bool) throws {
    let printed = Self.printed(width: 120) {
      $0.policy = [
        DuePolicy.Cost(rule: .active, lines: 700, requestsPerDay: 1876),
        DuePolicy.Cost(rule: .grace, lines: 9, requestsPerDay: requests),
      ]
    }
    let lines = printed.split(separator: "\n")
    let line = try #require(lines.first { $0.contains(" a day for   9") }).replacing("for   9", with: "for 9")
    #expect(line.hasSuffix(" \(words)"), "\(line)")
    #expect(line.contains("\u{258F}") == hasBar, "\(line)")
  }

  @Test("shows events learnt before they took effect, such as early renewals, apart from delays")
  func earlyRenewals() throws {
    let printed = Self.printed(width: 120) {
      $0.detectionLag = [
        QueueReport.DetectionLag(type: "RENEWAL", count: 180, p50: -9_560_000, p95: 2_866_000)
      ]
    }
    let line = try #require(printed.split(separator: "\n").first { $0.contains("RENEWAL ") })
    #expect(line.hasSuffix(" 2 h before           47 min"), "\(line)")
  }

  @Test("shows the share checked in 24 h as of the same reading, even after a sweep")
  func ages() {
    var bench = Bench.opened(120, 60)
    bench.status.fresh24h = nil
    bench.press("R", "W")
    #expect(bench.screen.contains("97.1 %") && !bench.screen.contains("unknown"), "\(bench.screen)")
    bench.queue.freshness = nil
    bench.press("R")
    #expect(bench.screen.contains("None has been checked yet."), "\(bench.screen)")
    #expect(!bench.screen.contains("within 24 h"), "\(bench.screen)")
  }

  @Test("is not asked for again while its answer is to come, and an old answer is dropped")
  func stale() throws {
    var bench = Bench.opened()
    bench.answers = false
    bench.press("W")
    let (at, first) = try #require(bench.lastQueue)
    #expect(at == Sample.now)
    for _ in 0..<5 {
      bench.wait(3000)
      bench.send(.storeChanged)
    }
    bench.press("1", "W", "tab", "s-tab")
    #expect(bench.queueReads == 1)
    bench.press("R")
    bench.send(.queueLoaded(Sample.queue, serial: first))
    #expect(bench.screen.contains("Reading the store"))
  }

  @Test("says that it is being read, and why it could not be")
  func failed() throws {
    var bench = Bench.opened()
    bench.answers = false
    bench.press("W")
    Golden.expect(bench.canvas, "sweep-loading")
    let serial = try #require(bench.lastQueue).serial
    bench.send(.failed("Reading the store at /data/subtop.sqlite: the disk is gone.", serial: serial))
    bench.wait(9000)
    Golden.expect(bench.canvas, "sweep-error")
    bench.answers = true
    bench.press("R")
    #expect(bench.screen.contains("134 due"))
    bench.answers = false
    bench.press("R")
    bench.send(.failed("The disk is gone.", serial: try #require(bench.lastQueue).serial))
    #expect(bench.screen.contains("134 due"), "what is known stays")
    #expect(bench.screen.contains("not up to date"))
  }

  @Test("keeps the clock moving only while a sweep runs, here or elsewhere")
  func clock() {
    var bench = Bench.opened()
    bench.press("W")
    #expect(bench.state.wakesAt == nil)
    bench.press("s")
    #expect(bench.state.wakesAt == 1000)
    bench.press("1")
    #expect(bench.state.wakesAt == nil)
    bench.send(.sweepFinished(Sample.summary()))
    bench.wait(9000)
    bench.queue.sweeps.insert(
      Sample.record(9, by: "command line", "all", ago: 0, state: .running), at: 0)
    bench.press("W")
    #expect(bench.state.wakesAt == bench.state.uptime + 1000)
    #expect(bench.screen.contains("a sweep by the command line is running, last seen"))
  }

  @Test("distinguishes another process's sweep from its own")
  func own() {
    var bench = Bench.opened(120, 40)
    var own = Sample.record(9, by: "dashboard", "due", ago: 0, state: .running)
    own.startedAtMs = Sample.now
    bench.queue.sweeps.insert(own, at: 0)
    bench.press("W", "s")
    bench.send(.sweepProgress(Sample.progress(.running)))
    #expect(!bench.screen.contains("a sweep by the dashboard is running"))
    own.startedAtMs = Sample.now - Milliseconds.minute
    bench.queue.sweeps[0] = own
    bench.press("R")
    #expect(bench.screen.contains("a sweep by the dashboard is running"))
  }

  @Test("shows what a sweep postponed, and which apps it stopped")
  func endings() {
    var bench = Bench.opened(200, 60)
    bench.queue.sweeps = [Sample.record(1, by: "demo", "due", ago: 2)]
    bench.press("W", "G")
    #expect(bench.screen.contains("done, 12 postponed  due"))
    bench.queue.sweeps = [Sample.endedEarly[1]]
    bench.press("R", "G")
    #expect(bench.screen.contains("stopped com.example.lite: Apple refused the shared secret (21004); "))
    bench.press("g", "g")
    #expect(
      bench.screen.contains("shared secret refused: com.example.lite; no shared secret: com.example.pro"))
  }

  @Test("calls that sweep the last that ended last of those that took something up")
  func last() {
    var empty = Sample.record(9, by: "command line", "due", ago: 0)
    (empty.picked, empty.validated, empty.changed, empty.retryLater, empty.statuses) = (0, 0, 0, 0, [])
    var long = Sample.record(7, by: "demo", "all", ago: 9)
    long.finishedAtMs = Sample.now - Milliseconds.hour
    var bench = Bench.opened(120, 40)
    bench.queue.sweeps = [empty] + Sample.queue.sweeps
    bench.press("W")
    #expect(bench.screen.contains("the last sweep by the dashboard 2 h ago: done, 12 postponed"))
    #expect(bench.words.contains("Receipts changed 203"))
    bench.queue.sweeps.append(long)
    bench.press("R")
    #expect(bench.screen.contains("the last sweep by the demo 60 min ago"))
    // A sweep of this process without results does not replace it either.
    bench.press("s")
    bench.send(.sweepFinished(SweepSummary(started: Sample.now, elapsed: 0, counts: SweepCounts())))
    #expect(bench.screen.contains("the last sweep by the demo 60 min ago"))
    bench.queue.sweeps = [empty]
    bench.press("R")
    #expect(!bench.screen.contains("the last sweep by the demo"))
  }

  @Test("distinguishes its own sweep from the record in the store")
  func ownNote() {
    var bench = Bench.opened(120, 40)
    bench.press("W", "s")
    bench.send(.sweepFinished(Sample.wholeSummary()))
    #expect(bench.screen.contains("idle  Swept"))
    var own = Sample.record(9, by: "dashboard", "due", ago: 0)
    own.finishedAtMs = Sample.now + 4000
    var longer = Sample.record(8, by: "command line", "all", ago: 1)
    longer.finishedAtMs = Sample.now + 2000
    bench.queue.sweeps.insert(contentsOf: [own, longer], at: 0)
    bench.press("R")
    #expect(bench.screen.contains("idle  Swept"), "of which more is known here")
    longer.finishedAtMs = Sample.now + 9000
    bench.queue.sweeps[1] = longer
    bench.press("R")
    #expect(bench.screen.contains("the last sweep by the command line"))
  }

  @Test("has what every block says within reach of the arrows", arguments: [Size.small, .usual])
  func reach(_ size: Size) {
    for (key, queue) in [("j", Sample.queue), ("j", Self.withoutExamples), ("pgdn", Sample.queue)] {
      var bench = Bench(size.columns, size.rows)
      bench.queue = queue
      bench.send(.opened)
      bench.press("W")
      var seen = Set(bench.canvas.text())
      for _ in 0..<(key == "j" ? 120 : 40) {
        bench.press(key)
        seen.formUnion(bench.canvas.text())
      }
      for title in [
        "Queues", "Changed", "Due in 24 h", "Re-check", "Time since", "Detection lag", "Given up, by",
        "Last sweeps",
      ] {
        #expect(seen.contains { $0.contains(title) }, "\(title) by \(key)")
      }
      bench.press("g", "g", "g")
      #expect(bench.screen.contains("● idle"), "back to the top")
    }
  }

  @Test("says that nothing is given up, and begins no sweep of nothing")
  func nothingGivenUp() {
    var bench = Bench.opened()
    bench.queue.dead = []
    bench.press("W", "D")
    #expect(bench.screen.contains("There are no given-up receipts."))
    #expect(!bench.effects.contains(.startSweep(.dead)))
  }

  /// Queue without selectable rows above the list.
  private static var withoutExamples: QueueReport {
    var queue = Sample.queue
    queue.dead = []
    queue.statuses = []
    queue.sweeps = [Sample.record(1, by: "command line", "due", ago: 2, stopped: "unreachable")]
    queue.sweeps[0].statuses = []
    return queue
  }

  @Test("keeps its scroll position during a sweep")
  func stays() {
    var bench = Bench.opened()
    bench.press("W", "s")
    bench.send(.sweepProgress(Sample.progress(.running)))
    for _ in 0..<14 { bench.press("j") }
    let top = bench.screen.split(separator: "\n").dropFirst(3).first?.prefix(30)
    #expect(top?.hasPrefix("┌─ Sweep ") == false, "scrolled away from the state")
    bench.send(.sweepProgress(Sample.progress(.running, done: 1700)))
    #expect(bench.screen.split(separator: "\n").dropFirst(3).first?.prefix(30) == top)
  }
}
