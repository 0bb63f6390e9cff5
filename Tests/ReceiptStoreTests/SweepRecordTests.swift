import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SweepRecordTests {
  private var summary: SweepSummary {
    var counts = SweepCounts()
    (counts.picked, counts.unchanged, counts.changed, counts.validated) = (20, 7, 8, 15)
    counts.news = AnswerNews(newTransactions: 9, renewals: 6, refunds: 2, stateChanges: 3)
    (counts.rerouted, counts.retried, counts.retryLater, counts.rejected) = (1, 4, 3, 2)
    (counts.givenBack, counts.transportErrors, counts.http) = (5, 10, [200: 17, 503: 27])
    var summary = SweepSummary(started: day(1), elapsed: 60_000, counts: counts)
    summary.latency = LatencyQuantiles(p50: 120.5, p95: 800)
    summary.statuses = [
      StatusTally(status: 0, count: 15, lastSeenAtMs: day(1), exampleReceipt: ReceiptID(rawValue: 3)),
      StatusTally(status: 21003, count: 2, lastSeenAtMs: day(1) + 5, exampleReceipt: ReceiptID(rawValue: 4)),
    ]
    summary.stoppedApps = [
      StoppedApp(bundleID: nil, reason: .noSecret),
      StoppedApp(bundleID: BundleID("com.example.lite"), reason: .secretRefused),
    ]
    summary.lastTransportError = "Connection refused"
    return summary
  }

  @Test func recordsTheOutcome() throws {
    let shelf = try Shelf()
    let sweep = try shelf.store.beginSweep(.user(AppUserID("u")), by: "command line", at: day(1))
    _ = try shelf.store.keepAlive(sweep, progress: summary, lease: Milliseconds.minute) {
      (0, day(1) + 15_000)
    }
    var expected = SweepRecord(
      id: sweep, state: .running, startedAtMs: day(1), selection: "user u", startedBy: "command line")
    expected.lastSeenAtMs = day(1) + 15_000
    (expected.picked, expected.validated, expected.unchanged, expected.changed) = (20, 15, 7, 8)
    (expected.newTransactions, expected.renewals, expected.refunds) = (9, 6, 2)
    (expected.stateChanges, expected.rerouted, expected.retried) = (3, 1, 4)
    (expected.retryLater, expected.rejected, expected.givenBack) = (3, 2, 5)
    (expected.transportErrors, expected.latencyMs, expected.statuses) = (
      10, summary.latency, summary.statuses
    )
    (expected.http, expected.stoppedApps) = (summary.counts.http, summary.stoppedApps)
    expected.lastTransportError = "Connection refused"
    #expect(try shelf.store.sweeps(limit: 5, at: day(1) + 20_000) == [expected])
    #expect(try shelf.store.status(at: day(2)).lastSweep == nil)
    expected.state = .lost
    #expect(try shelf.store.sweeps(limit: 5, at: day(2)) == [expected])
    var stopped = summary
    stopped.stopped = .interrupted
    try shelf.store.finish(sweep, stopped, at: day(3))
    (expected.state, expected.stopped) = (.finished, "interrupted")
    (expected.lastSeenAtMs, expected.finishedAtMs) = (day(3), day(3))
    #expect(try shelf.store.sweeps(limit: 5, at: day(4)) == [expected])
    #expect(try shelf.store.status(at: day(4)).lastSweep?.stopped == "interrupted")
    let view = try #require(try shelf.table("v_sweeps").first)
    for words in [
      "0: 15, 21003: 2", "200: 17, 503: 27", "unknown: no_secret, com.example.lite: secret_refused",
    ] {
      #expect(view.contains(words), "\(view)")
    }
  }

  @Test func newestComeFirstWithTheirFailure() throws {
    let shelf = try Shelf()
    for selection in [SweepSelection.due, .all, .dead] {
      let sweep = try shelf.store.beginSweep(selection, by: "dashboard", at: day(1))
      try shelf.store.finish(
        sweep, summary, failure: selection == .dead ? "the disk is full" : nil, at: day(2))
    }
    let sweeps = try shelf.store.sweeps(limit: 2, at: day(3))
    #expect(sweeps.map(\.selection) == ["dead", "all"])
    #expect(sweeps.map(\.failure) == ["the disk is full", nil])
    #expect(sweeps.map(\.stopped) == ["failed", nil])
  }

  @Test func theLastSweepIsTheLastWithReceipts() throws {
    let shelf = try Shelf()
    let empty = SweepSummary(started: day(1), elapsed: 0, counts: SweepCounts())
    let nothing = try shelf.store.beginSweep(.due, by: "cron", at: day(1))
    try shelf.store.finish(nothing, empty, at: day(2))
    #expect(try shelf.store.status(at: day(9)).lastSweep?.finishedAtMs == day(2), "there is no other")
    let long = try shelf.store.beginSweep(.all, by: "cron", at: day(3))
    let short = try shelf.store.beginSweep(.due, by: "cron", at: day(4))
    try shelf.store.finish(short, summary, at: day(5))
    try shelf.store.finish(long, summary, at: day(6))
    for _ in 0..<12 {
      try shelf.store.finish(
        try shelf.store.beginSweep(.due, by: "cron", at: day(7)), empty, at: day(8))
    }
    _ = try shelf.store.beginSweep(.due, by: "cron", at: day(8))
    #expect(try shelf.store.status(at: day(9)).lastSweep?.finishedAtMs == day(6))
    let listed = try shelf.store.queue(at: day(9)).sweeps
    #expect(listed.map(\.id) == listed.map(\.id).sorted().reversed())
    #expect(listed.count == 11 && listed.last?.id == long, "it is listed, however many came after it")
  }
}
