import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("A sweep") struct SweepTests {
  struct Ending: CustomTestStringConvertible, Sendable {
    let name: String
    let stop: SweepSummary.Stop
    var apps: [StoppedApp] = []
    let words: [String]
    var testDescription: String { name }

    private static func app(_ id: String?, _ reason: StoppedApp.Reason) -> StoppedApp {
      StoppedApp(bundleID: id.map { BundleID($0) }, reason: reason)
    }

    static let all = [
      Ending(name: "a secret refused", stop: .secretRefused, words: ["Apple refused the shared secret"]),
      Ending(
        name: "one app's secret refused", stop: .secretRefused,
        apps: [app("com.example.lite", .secretRefused)],
        words: ["refused the shared secret for com.example.lite (21004).", "2,412 receipts: 203 changed"]),
      Ending(
        name: "three apps without a secret", stop: .noSecret,
        apps: [app("a.b", .noSecret), app("c.d", .noSecret), app(nil, .noSecret)],
        words: ["No shared secret is set for a.b and 2 other apps."]),
      Ending(
        name: "one app refused and one without a secret", stop: .secretRefused,
        apps: [app("a.b", .secretRefused), app(nil, .noSecret)],
        words: ["secret for a.b (21004).", "No shared secret is set for receipts of an unknown app."]),
      Ending(
        name: "a key refused halfway", stop: .keyRefused, apps: [app("a.b", .keyRefused)],
        words: ["key for a.b (401).", "Swept 2,412 receipts: 203 changed"]),
      Ending(
        name: "answers for one app with an untrusted signer", stop: .untrusted,
        apps: [app("com.example.lite", .untrusted)],
        words: ["answers for com.example.lite have no trusted signature"]),
      Ending(
        name: "answers for one app that are another's", stop: .otherApp,
        apps: [app("com.example.lite", .otherApp)],
        words: ["answers for com.example.lite are about another app"]),
      Ending(name: "no secret", stop: .noSecret, words: ["no shared secret is set"]),
      Ending(
        name: "apps that are not configured", stop: .notOurs,
        words: ["the configuration does not list the app."]
      ),
      Ending(name: "never reached", stop: .unreachable, words: ["could not be reached"]),
      Ending(name: "Apple in trouble", stop: .unavailable, words: ["the App Store keeps failing."]),
      Ending(name: "by the user", stop: .interrupted, words: ["Sweep stopped after 2,412 receipts"]),
    ]
  }

  @Test("that ends early says why, and which apps it is about", arguments: Ending.all)
  func stopped(_ ending: Ending) {
    var bench = Bench.opened(160, 40)
    bench.press("s")
    bench.send(.sweepFinished(Sample.wholeSummary(ending.stop, stoppedApps: ending.apps)))
    for words in ending.words { #expect(bench.words.contains(words), "\(bench.screen)") }
  }

  /// Milliseconds between the end of the sweep and the end of Apple's Retry-After.
  @Test(
    "shows a wait until it is over",
    arguments: [(40_000, "40 s."), (400, "keeps failing.")])
  func silence(_ left: Int64, _ says: String) {
    var summary = Sample.wholeSummary(.unavailable)
    summary.notBeforeMs = Sample.now + summary.elapsed + left
    let text = text(of: summary, width: 400)
    #expect(text.contains(says), "\(text)")
  }

  @Test(
    "says in its line what it is doing",
    arguments: [
      (SweepProgress.Activity.waiting(until: 42_000, reason: "HTTP 429"), "Waiting 30 s"),
      (.stopping, "Stopping"), (.running, "Sweep "),
    ])
  func line(_ activity: SweepProgress.Activity, _ words: String) {
    var bench = Bench.opened(120, 40)
    bench.press("s")
    bench.send(.sweepProgress(Sample.progress(activity)))
    #expect(bench.lastLine?.hasPrefix(words) == true)
    bench.send(.sweepProgress(Sample.progress(activity, stoppedApps: SweepScene.refused)))
    #expect(bench.lastLine?.contains("com.example.lite stopped") == true)
  }

  @Test("shows the remaining time by the newest rate, and none while it makes no progress")
  func timeLeft() {
    var bench = Bench.opened(120, 40)
    bench.press("W", "s")
    // Fast at first, then 10/s. The average rate would give a much shorter time.
    for step in 1...60 {
      let done = step <= 30 ? step * 40 : 1200 + (step - 30) * 5
      bench.send(.sweepProgress(Sample.progress(done: done, elapsed: Int64(step) * 500)))
    }
    #expect(bench.screen.contains("10/s"))
    #expect(bench.screen.contains("106 s left") || bench.screen.contains("1 min left"))
    for step in 61...80 {
      bench.send(.sweepProgress(Sample.progress(done: 1350, elapsed: Int64(step) * 500)))
    }
    #expect(!bench.screen.contains(" left  "))
  }

  @Test("that fails is said in full, and stays said")
  func failed() {
    let reason =
      "Sweeping: no shared secret is set for com.example.pro. Set SUBTOP_SHARED_SECRET, or name a file in the configuration."
    var bench = Bench.opened()
    bench.press("s")
    bench.send(.sweepFailed(reason))
    #expect(bench.screen.contains("configuration."))
    Golden.expect(bench.canvas, "sweep-failed")
    bench.wait(60_000)
    #expect(!bench.screen.contains("configuration."))
    #expect(bench.screen.contains("no shared secret"))
  }

  @Test("starts by itself where the rhythm says so, but not after a refusal, and not read-only")
  func byItself() {
    var bench = Bench(refreshSchedule: RefreshSchedule(refresh: nil, sweep: 3000))
    bench.send(.opened)
    #expect(bench.state.wakesAt == 3000)
    bench.wait(3000)
    #expect(bench.effects.last == .startSweep(.due))
    bench.wait(9000)
    #expect(bench.effects.filter { $0 == .startSweep(.due) }.count == 1)
    bench.send(.sweepFinished(Sample.summary()))
    #expect(!bench.screen.contains("Swept"), "the sweep was not started here")
    bench.wait(3000)
    bench.send(.sweepFinished(Sample.summary(.secretRefused)))
    #expect(bench.screen.contains("refused the shared secret"))
    bench.wait(9000)
    #expect(bench.effects.filter { $0 == .startSweep(.due) }.count == 2)
    var readOnly = Bench(isReadOnly: true, refreshSchedule: RefreshSchedule(refresh: nil, sweep: 3000))
    readOnly.send(.opened)
    readOnly.wait(9000)
    #expect(!readOnly.effects.contains(.startSweep(.due)))
  }
}

extension Bench {
  var lastLine: String? { canvas.text().dropLast().last }
}
