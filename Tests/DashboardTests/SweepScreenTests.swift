import Dashboard
import Screen
import Subscriptions
import Testing

struct SweepScene: CustomTestStringConvertible, Sendable {
  let name: String
  var queue = Sample.queue
  /// Word that shows the state on a terminal without colors.
  let word: String
  let events: [Event]
  /// Keys pressed after `events`, and before `later`.
  var keys: [String] = []
  var later: [Event] = []
  var testDescription: String { name }

  func bench(_ size: Size, glyphs: GlyphSet = .unicode) -> Bench {
    var bench = Bench(size.columns, size.rows, glyphs: glyphs)
    bench.queue = queue
    if queue.sweeps.isEmpty {
      bench.status.lastSweep = nil
      bench.status.fresh24h = nil
      bench.status.dueNow = queue.due
      bench.status.dead = 0
    }
    bench.send(.opened)
    bench.press("W")
    if !events.isEmpty { bench.press("s") }
    for event in events { bench.send(event) }
    for key in keys { bench.press(key) }
    for event in later { bench.send(event) }
    // Waits for toasts to disappear.
    bench.wait(9000)
    return bench
  }

  private static func running(_ last: SweepProgress) -> [Event] {
    let steps = (1...24).map { step -> Event in
      .sweepProgress(Sample.progress(done: step * 30 + step * step, elapsed: Int64(step) * 500))
    }
    return [.sweepStarted] + steps + [.sweepProgress(last)]
  }

  static let refused = [StoppedApp(bundleID: Sample.otherApp, reason: .secretRefused)]

  static let all = [
    SweepScene(
      name: "sweep-never", queue: Sample.unsweptQueue, word: "nothing has been swept yet", events: []),
    SweepScene(name: "sweep-running", word: "running", events: running(Sample.progress(.running))),
    SweepScene(
      name: "sweep-paused", word: "paused",
      events: running(Sample.progress(.running)), keys: ["p"],
      later: [.sweepProgress(Sample.progress(.paused))]),
    SweepScene(
      name: "sweep-waiting", word: "waiting 30 s",
      events: running(
        Sample.progress(.waiting(until: 42_000, reason: "the App Store asked for 30 s (HTTP 429)")))),
    SweepScene(
      name: "sweep-breaker", word: "stopped com.example.lite",
      events: running(Sample.progress(.running, stoppedApps: refused))),
    SweepScene(
      name: "sweep-finished", word: "12 postponed, 2 rejected",
      events: [.sweepStarted, .sweepFinished(Sample.wholeSummary())]),
    SweepScene(
      name: "sweep-refused", word: "stopped com.example.lite",
      events: [.sweepStarted, .sweepFinished(Sample.wholeSummary(.secretRefused, stoppedApps: refused))]),
    SweepScene(
      name: "sweep-unreachable", word: "stopped  the App Store could not be reached",
      events: [.sweepStarted, .sweepFinished(Sample.summary(.unreachable))]),
    SweepScene(
      name: "sweep-failed-tab", word: "failed  Writing to the store: the disk is full.",
      events: [.sweepStarted, .sweepFailed("Writing to the store: the disk is full. Free some.")]),
    SweepScene(
      name: "sweep-elsewhere", queue: Sample.sharedQueue, word: "a sweep by the command line is running",
      events: []),
  ]
}

@Suite("The sweep's tab") struct SweepScreenTests {
  @Test("looks as it is kept", arguments: SweepScene.all)
  func kept(_ scene: SweepScene) {
    Golden.expect(scene.bench(.usual).canvas, scene.name)
    if scene.name == "sweep-running" { Golden.expect(scene.bench(.large).canvas, scene.name) }
  }

  @Test("says its state in a word, without colours and in ASCII", arguments: SweepScene.all)
  func words(_ scene: SweepScene) {
    for glyphs in [GlyphSet.unicode, .ascii] {
      let words = scene.bench(.large, glyphs: glyphs).canvas.text().joined(separator: " ")
      #expect(words.contains(scene.word))
      #expect(!glyphs.isASCII || words.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
  }

  @Test("count an error of the Server API once, by its code and not by its HTTP status")
  func codes() {
    var bench = Bench.opened(120, 40)
    bench.press("s", "W")
    var progress = Sample.progress(done: 50)
    progress.counts.http = [200: 40, 404: 6, 503: 4]
    progress.statuses = [(0, 40), (4_040_010, 6)].map {
      StatusTally(status: $0, count: $1, lastSeenAtMs: Sample.now, exampleReceipt: ReceiptID(rawValue: 7))
    }
    bench.send(.sweepProgress(progress))
    #expect(bench.screen.contains("4040010") && bench.screen.contains("HTTP 503"), "\(bench.screen)")
    #expect(!bench.screen.contains("HTTP 404"), "\(bench.screen)")
  }
}
