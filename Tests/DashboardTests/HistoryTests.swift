import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The history of views") struct HistoryTests {
  private func place(_ bench: Bench) -> String {
    switch bench.state.context {
    case .panel, .sweep: "\(bench.state.tab)"
    case let context: "\(context) \(bench.state.tab)"
    }
  }

  @Test("leads back through all of them and on again, and is cut where one goes elsewhere")
  func backAndForth() {
    var bench = Bench.opened(120, 40)
    var places = [place(bench)]
    for keys in [["4"], ["G", "g", "enter"], ["q"], ["E"], ["f", "310000831360853", "enter"], ["W"]] {
      for key in keys { bench.press(key) }
      places.append(place(bench))
    }
    for wanted in places.dropLast().reversed() {
      bench.press("[")
      #expect(place(bench) == wanted)
    }
    bench.press("[")
    #expect(bench.screen.contains("There is no earlier view.") && place(bench) == places[0])
    for wanted in places.dropFirst() {
      bench.press("]")
      #expect(place(bench) == wanted)
    }
    bench.press("]")
    #expect(bench.screen.contains("There is no later view."))
    bench.press("[", "[", "3", "]")
    #expect(bench.screen.contains("There is no later view.") && bench.state.panel == .active)
    bench.press("[")
    #expect(place(bench) == places[places.count - 3])
  }

  @Test("leaves out what only stands over a view for a while")
  func passing() {
    var bench = Bench.opened(120, 40)
    bench.press("3", "?", "esc", "M", "esc", "P", "esc", "4", "[")
    #expect(bench.state.panel == .active && bench.state.context == .panel)
  }

  @Test("the last row of a subscription stays on the screen")
  func lastRow() {
    var bench = Bench.opened(80, 24)
    bench.press("f", "310000831360853", "enter", "G")
    #expect(bench.selectedLine != nil, "\(bench.screen)")
  }

  @Test("reads anew what it comes to, and keeps the row that stood out")
  func anew() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "G")
    let row = bench.canvas.text().first { $0.contains("310000") }
    bench.press("1")
    let before = bench.effects.count
    bench.press("[")
    #expect(bench.effects.count > before && bench.state.panel == .billingRetry)
    #expect(bench.canvas.text().first { $0.contains("310000") } == row)
  }

  @Test("leads out of a chain's fields again")
  func fromFields() {
    var bench = Bench.opened(120, 40)
    bench.press("f", "story", "enter", "J", "esc", "esc", "[", "[")
    #expect(bench.state.context == .evidence)
    bench.press("[")
    #expect(bench.state.context == .chain)
    bench.press("]")
    #expect(bench.state.context == .evidence)
  }
}

/// Keys on a frozen screen, before and after the store changes.
struct Visit: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let before: [String]
  let after: [String]
  let reads: Int

  init(_ name: String, _ before: [String], _ after: [String], reads: Int) {
    (testDescription, self.before, self.after, self.reads) = (name, before, after, reads)
  }
}

@Suite("A frozen screen") struct FreezingTests {
  @Test("refreshes only on request, and says so")
  func still() {
    var bench = Bench(120, 40, refreshSchedule: RefreshSchedule(refresh: 2000))
    bench.send(.opened)
    bench.press("F")
    #expect(bench.screen.contains("frozen"))
    let before = bench.effects.count
    for _ in 0..<10 {
      bench.wait(5000)
      bench.send(.storeChanged)
    }
    bench.press("s")
    bench.send(.sweepFinished(Sample.summary()))
    #expect(bench.effects.count == before + 2 && bench.effects[before] == .startSweep(.due))
    bench.wait(60_000)
    #expect(bench.state.wakesAt == nil, "it does not wake up for what it is not to do")
    bench.press("R")
    #expect(bench.effects.count == before + 5, "R was pressed")
    bench.press("F")
    #expect(!bench.screen.contains("frozen") && bench.effects.count == before + 8)
    bench.wait(5000)
    #expect(bench.effects.count > before + 8)
  }

  @Test(
    "says at the foot what a sweep came to that was started on it, and when that was, also beside the sweeps",
    arguments: ["1", "W"])
  func swept(_ tab: String) {
    var bench = Bench.opened()
    func foot(_ bench: Bench) -> String { bench.canvas.text().dropLast().last ?? "" }
    bench.press(tab, "F")
    let before = bench.canvas.text()
    bench.wait(10 * Milliseconds.minute)
    bench.press("s")
    bench.send(.sweepProgress(Sample.progress(done: 12)))
    #expect(foot(bench).contains("12 of 2,412"), "\(bench.screen)")
    let end = bench.state.now
    bench.status.asOfMs = end
    var last = SweepRecord(
      id: SweepID(rawValue: 1), state: .finished, startedAtMs: end - 4000, selection: "due",
      startedBy: "dashboard")
    (last.finishedAtMs, last.validated, last.changed) = (end, 31, 7)
    bench.status.lastSweep = StoreStatus.LastSweep(last)
    bench.status.dueNow = 5
    bench.send(.sweepFinished(Sample.summary()))
    bench.wait(2 * Milliseconds.hour)
    #expect(
      foot(bench).hasPrefix(
        "Sweep idle\(tab == "W" ? "" : "  due 5 at 09:15")  last 2026-11-21 09:15  validated 31  changed 7"),
      "what is due is of the instant above or says of which: \(bench.screen)")
    let rows = { (text: [String]) in text.dropFirst(2).dropLast(2).map { $0 } }
    #expect(rows(bench.canvas.text()) == rows(before), "the rest stands still")
    bench.press("F")
    #expect(bench.screen.contains("last 2 h ago") || tab == "W", "\(bench.screen)")
  }

  @Test("shows all of the sweeps, also after one of its own, and what was read last")
  func sweeps() {
    var bench = Bench.opened()
    bench.press("s")
    bench.send(.sweepStarted)
    bench.send(.sweepFinished(Sample.summary()))
    bench.press("F", "W")
    #expect(bench.state.tableExport?.rows.count == Sample.queue.sweeps.count, "\(bench.screen)")
    #expect(bench.screen.contains("134 due"), "\(bench.screen)")
    bench.queue.due = 7
    bench.press("R")
    #expect(bench.screen.contains("7 due") && !bench.screen.contains("134 due"), "\(bench.screen)")
  }

  static let visits = [
    Visit("frozen on the sweeps, and back", ["W", "F"], ["1", "W"], reads: 0),
    Visit("something over the sweeps", ["W", "F"], ["M", "esc", "?", "esc", "e"], reads: 0),
    Visit("frozen elsewhere, read once", ["W", "1", "F"], ["W", "1", "W", "A", "esc"], reads: 1),
    Visit("frozen before they were ever read", ["F"], ["W", "1", "W"], reads: 1),
    Visit("refreshed there", ["W", "F"], ["R", "1", "W"], reads: 1),
    Visit("refreshed elsewhere", ["W", "F", "1"], ["R", "W", "1", "W"], reads: 1),
    Visit("frozen again", ["W", "F", "F", "1", "F"], ["W", "1", "W"], reads: 1),
  ]

  @Test(
    "keeps the sweeps as they were while one runs, and reads them where it has not shown them",
    arguments: visits)
  func sweepsStayFrozen(_ visit: Visit) {
    var bench = Bench.opened(120, 40)
    for key in visit.before { bench.press(key) }
    let drawn = bench.canvas.text().dropFirst(2).dropLast(2).map { $0 }
    bench.press("s")
    bench.send(.sweepProgress(Sample.progress(done: 12)))
    bench.wait(5000)
    bench.queue.due = 7
    let before = bench.queueReads
    for key in visit.after { bench.press(key) }
    #expect(bench.queueReads - before == visit.reads, "\(bench.screen)")
    #expect(bench.screen.contains("due 7 ") == (visit.reads > 0), "\(bench.screen)")
    if visit.reads == 0 {
      #expect(bench.canvas.text().dropFirst(2).dropLast(2).map { $0 } == drawn, "\(bench.screen)")
    }
  }

  @Test(
    "says of nothing that has happened since that it is to come", arguments: ["chain", "receipts", "sweeps"])
  func later(_ view: String) {
    var bench = Bench.opened(160, 45)
    bench.press("F")
    let frozen = bench.state.now
    bench.wait(26 * Milliseconds.hour)
    let happened = bench.state.now
    bench.chains = { _ in
      var chain = Sample.chain
      chain.validatedAtMs = happened
      return [chain]
    }
    bench.receipts = { question in
      var lines = Sample.receipts(question)
      for place in lines.rows.indices { lines.rows[place].lastCheckedAt = happened }
      return lines
    }
    for place in bench.queue.sweeps.indices { bench.queue.sweeps[place].lastSeenAtMs = happened }
    for place in bench.queue.statuses.indices { bench.queue.statuses[place].lastSeenAtMs = happened }
    switch view {
    case "chain": bench.press("f", "310000831360853", "enter")
    case "receipts": bench.press("W", "enter")
    default:
      for place in bench.queue.sweeps.indices { bench.queue.sweeps[place].finishedAtMs = happened }
      bench.press("W")
    }
    #expect(bench.screen.contains("26 h later"), "\(bench.screen)")
    #expect(!bench.screen.contains("in 26 h"), "\(bench.screen)")
    for case .loadReceipts(_, _, let at, _) in bench.effects { #expect(at == frozen) }
    if view != "chain" { #expect(bench.lastQueue?.at == frozen) }
  }
}

@Suite("Messages") struct MessageTests {
  @Test("are kept, the newest first, with what kind they are, and are a list like any other")
  func kept() {
    var bench = Bench.opened(120, 40)
    bench.send(.noted("Wrote 3 rows to a.csv.", isBad: false))
    bench.send(.noted("Cannot write b.csv.", isBad: true))
    bench.wait(60_000)
    #expect(!bench.screen.contains("b.csv"))
    bench.press("M")
    #expect(bench.state.context == .messages)
    let table = bench.state.tableExport
    #expect(table?.columns == ["when", "kind", "message"])
    #expect(
      table?.rows.map { $0.dropFirst() } == [
        ["Failed", "Cannot write b.csv."], ["Done", "Wrote 3 rows to a.csv."],
      ])
    bench.press("/", "kind:done", "enter")
    #expect(bench.state.tableExport?.rows.count == 1)
    bench.press("esc", "esc")
    #expect(bench.state.context == .panel)
  }

  @Test("are no more than so many, and hold no secret")
  func bounded() {
    var bench = Bench.opened(120, 40)
    let secret = "9f86d081884c7d659a2feaa0c55ad015"
    for number in 0..<500 { bench.send(.noted("\(number) \(secret)", isBad: false)) }
    bench.press("M")
    #expect(bench.state.tableExport?.rows.count == 200)
    #expect(bench.state.tableExport?.rows.allSatisfy { !$0.joined().contains(secret) } == true)
    #expect(bench.state.tableExport?.rows.first?.last?.hasPrefix("499 ") == true)
  }
}

@Suite("Changed rows") struct ChangedRowTests {
  private func bench(_ count: Int) -> Bench {
    var bench = Bench.opened(120, 40)
    bench.report = { Self.report($0, count) }
    return bench
  }

  private static func report(_ question: Question, _ count: Int) -> Report {
    var report = Sample.report(question)
    if question.panel == .events {
      report.data = Sample.events(Array(report.data.events.suffix(count)))
    }
    return report
  }

  private func signs(_ bench: Bench) -> Int {
    bench.canvas.text().filter { $0.hasPrefix("│+") }.count
  }

  @Test("are marked by a sign, and no longer than some seconds")
  func new() {
    var bench = bench(3)
    bench.press("E")
    #expect(signs(bench) == 0, "what is read for the first time is not new")
    bench.report = { Self.report($0, 5) }
    bench.press("R")
    #expect(signs(bench) == 2)
    #expect(bench.state.wakesAt.map { $0 <= bench.state.uptime + 6000 } == true)
    bench.wait(3000)
    #expect(signs(bench) == 2)
    bench.wait(4000)
    #expect(signs(bench) == 0)
  }

  @Test("are none where the clock alone has gone on, or something else is asked for")
  func same() {
    var bench = bench(3)
    bench.press("E")
    bench.wait(90_000)
    bench.press("R")
    #expect(signs(bench) == 0)
    bench.report = { Self.report($0, 5) }
    bench.press("w")
    #expect(signs(bench) == 0)
  }
}
