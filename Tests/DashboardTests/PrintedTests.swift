import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Printed") struct PrintedTests {
  @Test("reports say what the screens say", arguments: Tab.panels + [.cohorts, .recovery, .offers])
  func report(_ panel: Panel) {
    Golden.expect(text(of: Sample.report(panel)), file: "\(panel.rawValue).text")
  }

  @Test("reports cut no cell")
  func cells() {
    let reason = "a reason that is unknown and that has more words than there is room for on a screen"
    var figures = Sample.events
    for place in figures.events.indices { figures.events[place].reason = reason }
    let report = Report(
      answering: Question(panel: .events, at: Sample.now), trust: Sample.trust, data: figures)
    let printed = text(of: report)
    #expect(printed.contains(reason) && !printed.contains("\u{2026}"), "\(printed)")
  }

  @Test("long lists are printed in pieces that fit together")
  func pieces() {
    var figures = Sample.events
    figures.events = (0..<700).map { index in
      LineEvent(
        .renewal, apple: "DID_RENEW", environment: .production,
        chain: OriginalTransactionID("chain-\(index)-"), product: Sample.weekly,
        effectiveAt: Sample.now - Int64(index), observedAt: Sample.now)
    }
    let report = Report(
      answering: Question(panel: .events, at: Sample.now), trust: Sample.trust, data: figures)
    let printed = text(of: report)
    for index in 0..<700 { #expect(printed.contains("chain-\(index)-")) }
    #expect(printed.split(separator: "\n").filter { $0.contains("Apple type") }.count == 1)
  }

  @Test("chains are as the chain view, the second after the first")
  func chains() {
    Golden.expect(text(of: [Sample.chain, Sample.otherChain], at: Sample.now), file: "chains.text")
  }

  @Test("a chain of which everything is known reads like an explanation")
  func story() {
    Golden.expect(text(of: [Sample.story, Sample.coinsAlone], at: Sample.now), file: "story.text")
  }

  @Test("a chain with two subscriptions says which is which")
  func lines() {
    let printed = text(of: [Sample.chainOfTwo], at: Sample.now)
    for group in ["20411205", "20999000"] {
      #expect(printed.contains("Verdict · \(group)\n"))
      #expect(printed.contains("Timeline · \(group)\n"))
    }
    #expect(printed.contains("Subscription history\n  app user  user-4821"))
  }

  @Test("the store's health")
  func status() {
    Golden.expect(text(of: Sample.status), file: "status.text")
  }

  @Test("the store's health with what waits to be asked about")
  func queue() {
    Golden.expect(QueueTests.printed(), file: "status-queue.text")
  }

  @Test(
    "statuses of either source are named",
    arguments: [
      (21005, "unavailable"), (4_040_010, "the transaction id is not found"),
      (4_000_006, "the transaction id is malformed"), (5_000_001, "a temporary App Store error"),
      (4_999_999, "undocumented"),
    ])
  func statuses(_ status: Int, _ meaning: String) {
    let printed = QueueTests.printed { $0.statuses = Sample.tallies([(status, 3, 41)], ago: 1000) }
    let line = printed.split(separator: "\n").first { $0.contains("\(status)  ") }
    #expect(line?.contains(meaning) == true, "\(line ?? "")")
  }

  @Test("a sweep, with the app that was stopped")
  func sweep() {
    let apps = [StoppedApp(bundleID: Sample.otherApp, reason: .secretRefused)]
    Golden.expect(text(of: Sample.wholeSummary()), file: "sweep.text")
    Golden.expect(
      text(of: Sample.wholeSummary(.secretRefused, stoppedApps: apps)), file: "sweep-refused.text")
  }

  @Test("a sweep says why receipts were left for later, the most frequent reasons first")
  func failures() {
    var summary = Sample.wholeSummary()
    #expect(!text(of: summary).contains("by reason"))
    summary.failures = (1...7).map { FailureTally(reason: "Reason \($0).", count: 1000 - $0) }
    let printed = text(of: summary)
    #expect(printed.contains("Postponed, by reason"))
    #expect(printed.contains("999  Reason 1.") && printed.contains("995  Reason 5."))
    #expect(!printed.contains("Reason 6.") && printed.contains("1,987  2 other reasons"))
  }

  @Test("the last sweeps, with those that run, were killed, lost or failed")
  func sweeps() {
    let sweeps =
      [
        Sample.record(6, by: "dashboard", "all", ago: 0, state: .running),
        Sample.record(5, by: "demo", "due", ago: 2, state: .lost),
        Sample.record(4, by: "command line", "due", ago: 3, state: .killed),
      ] + Sample.queue.sweeps + Sample.endedEarly
    Golden.expect(text(of: sweeps, at: Sample.now), file: "sweeps.text")
    #expect(text(of: [SweepRecord](), at: Sample.now).contains("Nothing has been swept yet."))
    let plain = text(of: sweeps, at: Sample.now, glyphs: .ascii)
    #expect(plain.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test("an empty store prints what to do")
  func empty() {
    let printed = text(of: Sample.emptyReport(Question(panel: .overview, at: Sample.now)))
    #expect(printed.contains("subtop import receipts FILE"))
  }
}
