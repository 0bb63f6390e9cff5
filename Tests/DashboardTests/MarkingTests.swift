import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Marked rows") struct MarkingTests {
  @Test("are swept alone, once that is confirmed, and lose their marks by it")
  func marked() throws {
    var bench = Bench.opened(120, 40)
    bench.press("4", "G", "g", "t", "t")
    #expect(bench.screen.contains("2 marked"))
    bench.press("L")
    #expect(bench.lastCount?.request.listedChains?.count == 2)
    #expect(bench.screen.contains("Sweep 2 marked rows?"))
    bench.press("enter")
    let receipts = try #require(bench.sweptList)
    #expect(receipts.ids.count == 2 && receipts.name == "billing-retry")
    #expect(!bench.screen.contains("2 marked"))
  }

  @Test("are marked and not, one by one and all at once")
  func toggled() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "G", "g", "t", "k", "t")
    #expect(!bench.screen.contains("marked"))
    bench.press("t", "t", "u")
    #expect(!bench.screen.contains("2 marked") && bench.screen.contains("All marks removed."))
    bench.press("u")
    #expect(bench.screen.contains("No row is marked."))
  }

  @Test("stay marked while the list is read anew, and where one comes back to it")
  func kept() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "G", "g", "t", "R", "enter", "q")
    #expect(bench.state.context == .panel && bench.screen.contains("1 marked"))
    bench.press("3", "4")
    #expect(bench.screen.contains("1 marked"))
  }

  @Test("have a sign, in ASCII too", arguments: [GlyphSet.unicode, .ascii])
  func sign(_ glyphs: GlyphSet) {
    var bench = Bench.opened(120, 40, glyphs: glyphs)
    bench.press("4", "G", "g", "t")
    let lines = bench.canvas.text().filter { $0.hasPrefix("\(glyphs.vertical)\(glyphs.bullet)") }
    #expect(lines.count == 1)
  }

  @Test("without any, the whole list is swept, or what the filter matches")
  func list() throws {
    var bench = Bench.opened(120, 40)
    bench.press("4", "L")
    let all = try #require(bench.lastCount?.request.listedChains)
    #expect(bench.lastCount?.request == .chains(all, of: "billing-retry"))
    #expect(all.count > 2 && bench.screen.contains("Sweep the whole list of"))
    bench.press("esc", "/", all[0].rawValue, "enter", "L")
    #expect(bench.lastCount?.request == .chains([all[0]], of: "billing-retry /\(all[0])"))
    #expect(bench.screen.contains("matching the filter?"))
  }

  @Test("of rows that are no subscriptions there is nothing to mark or sweep")
  func products() {
    var bench = Bench.opened(120, 40)
    bench.press("3", "G", "t")
    #expect(bench.screen.contains("Only subscriptions and receipts can be marked."))
    bench.press("L")
    #expect(bench.lastCount == nil && bench.screen.contains("These rows are not subscriptions"))
  }

  @Test("of a list that is not read to its end the rest is read first")
  func unread() throws {
    var bench = Bench.opened(120, 40)
    bench.report = { question in
      var report = Sample.report(question)
      if question.panel == .billingRetry {
        report.data.unpaid = (0..<10).flatMap { _ in Sample.billingRetry.unpaid }
        report.data["lines"] = question.limit < State.manyRows ? 5000 : report.data.unpaid.count
      }
      return report
    }
    bench.press("4")
    bench.answers = false
    bench.press("L")
    #expect(bench.lastCount == nil)
    let question = try #require(bench.lastQuestion)
    #expect(question.limit == State.manyRows)
    bench.answers = true
    bench.send(.loaded(bench.report(question), serial: bench.lastSerial))
    #expect(bench.lastCount != nil)
  }

  @Test("of receipts are their receipts", arguments: [("t", "L", 1), ("L", "", 3)])
  func receipts(_ first: String, _ second: String, _ count: Int) throws {
    var bench = Bench.opened(120, 40)
    bench.press("W", "G", "enter")
    #expect(bench.state.context == .receipts)
    bench.press(first, second, "y")
    let listed = try #require(bench.sweptList)
    #expect(listed.ids.count == count && listed.name.hasPrefix("Sweep of "))
  }
}

@Suite("A list of receipts") struct ReceiptListTests {
  @Test("opens from every count of the sweeps' panel that has any")
  func everyCount() {
    // Narrow, so that all blocks are in one column.
    var bench = Bench.opened(60, 40)
    bench.press("W", "g", "g")
    var opened: Set<ReceiptQuestion> = []
    for _ in 0..<80 {
      bench.press("enter")
      if case .loadReceipts(let question, _, _, _)? = bench.effects.last, bench.state.context == .receipts {
        opened.insert(question)
        bench.press("esc")
      }
      bench.press("j")
    }
    let queue = Sample.queue
    for reason in queue.dead { #expect(opened.contains(.dead(reason.reason))) }
    for reason in queue.failures { #expect(opened.contains(.failed(reason.reason))) }
    for sweep in queue.sweeps { #expect(opened.contains(.ofSweep(sweep.id))) }
    #expect(opened.isSuperset(of: [.due(), .failed(nil), .dead(nil), .inProgress, .dueSoon, .dueLater]))
  }

  @Test("looks so, and is written and copied like any other")
  func picture() {
    var bench = Bench.opened()
    bench.press("W", "G", "enter", "t")
    Golden.expect(bench.canvas, "receipts")
    bench.press("g", "y")
    #expect(bench.lastCopy == "41")
    let table = bench.state.tableExport
    #expect(table?.columns.first == "receipt" && table?.rows.map { $0[0] } == ["41"])
    guard case .receipts(let lines)? = table?.records else { return #expect(Bool(false)) }
    #expect(lines.map(\.chain?.rawValue) == ["310000812347888"])
  }

  @Test("has a column for the ids of customers without a subscription")
  func customers() {
    var bench = Bench.opened(200, 40)
    bench.press("W", "enter")
    #expect(bench.state.tableExport?.columns.contains("customer") == false)
    bench.receipts = { question in
      var lines = Sample.receipts(question)
      lines.rows[2].customer = CustomerID("2000000")
      return lines
    }
    bench.press("esc", "enter")
    let table = bench.state.tableExport
    let places = ["subscription", "customer"].compactMap { table?.columns.firstIndex(of: $0) }
    let cells = table?.rows.map { row in places.map { row[$0] } }
    #expect(cells == [["310000812347888 +2", ""], ["", ""], ["", "2000000"]])
  }

  @Test(
    "says how many receipts a sweep changed or failed to check, if the store did not keep all of them",
    arguments: [
      (2, SweepRecord.State.finished, "4 changed or failed, 3 listed"), (1, .finished, "3 receipts"),
      (2, .running, "3 receipts"),
    ])
  func kept(_ changed: Int, _ state: SweepRecord.State, _ words: String) {
    var bench = Bench(120, 40)
    for place in bench.queue.sweeps.indices {
      (bench.queue.sweeps[place].changed, bench.queue.sweeps[place].state) = (changed, state)
      (bench.queue.sweeps[place].retryLater, bench.queue.sweeps[place].rejected) = (1, 1)
    }
    bench.send(.opened)
    bench.press("W", "G", "enter")
    #expect(bench.screen.contains(": \(words)"), "\(bench.screen)")
    #expect(bench.screen.contains(" changed or failed") == words.contains("failed"), "\(bench.screen)")
  }

  static let visits = [
    Visit("frozen on it, and back from a chain", ["F"], ["enter", "esc"], reads: 0),
    Visit("and something over it", ["F"], ["M", "esc", "?", "esc", "e"], reads: 0),
    Visit("opened on a frozen screen", ["esc", "F", "enter"], ["enter", "esc"], reads: 0),
    Visit("refreshed there", ["F"], ["R", "enter", "esc"], reads: 1),
    Visit("refreshed on a chain", ["F", "enter"], ["R", "esc", "enter", "esc"], reads: 1),
    Visit("frozen on a chain", ["enter", "F"], ["esc", "enter", "esc"], reads: 1),
    Visit("not frozen any more", ["F"], ["F", "enter", "esc"], reads: 2),
  ]

  @Test("stays frozen with the screen until a refresh", arguments: visits)
  func still(_ visit: Visit) {
    var bench = Bench.opened(120, 40)
    bench.press("W", "enter")
    for key in visit.before { bench.press(key) }
    bench.receipts = { ReceiptLines($0, Array(Sample.receipts($0).rows.prefix(1)), count: 1) }
    bench.wait(Milliseconds.minute)
    let before = bench.effects.count
    for key in visit.after { bench.press(key) }
    let reads = bench.effects.dropFirst(before).count { if case .loadReceipts = $0 { true } else { false } }
    #expect(bench.state.context == .receipts && reads == visit.reads, "\(bench.screen)")
    #expect(bench.state.tableExport?.rows.count == (visit.reads > 0 ? 1 : 3), "\(bench.screen)")
  }

  @Test("shows its times in another zone without a refresh")
  func zone() {
    var bench = Bench.opened(120, 40)
    bench.press("W", "G", "enter", "F")
    #expect(bench.screen.contains("Sweep of 2026-11-18 06:05"))
    let before = bench.effects.count
    bench.press("z")
    #expect(!bench.screen.contains("Sweep of 2026-11-18 06:05"), "\(bench.screen)")
    #expect(bench.effects.count == before && bench.state.context == .receipts)
  }
}

extension Bench {
  fileprivate var sweptList: ListedReceipts? {
    if case .startSweep(.listed(let receipts))? = sweeping.last { receipts } else { nil }
  }
}

extension SweepRequest {
  fileprivate var listedChains: [OriginalTransactionID]? {
    if case .chains(let chains, _) = self { chains } else { nil }
  }
}
