import Dashboard
import Screen
import Subscriptions
import TestSupport
import Testing

@Suite("Moving") struct MovingTests {
  @Test(
    "goes through the list of 44 rows",
    arguments: [
      ([], 0), (["j"], 1), (["down", "j", "k"], 1), (["k", "j"], 0), (["G"], 43), (["end", "j"], 43),
      (["G", "g"], 0), (["pgdn"], 9), (["^D"], 4), (["^D", "^D", "^U"], 4), (["pgdn", "pgup"], 0),
      (["pgdn", "home"], 0),
    ] as [([String], Int)])
  func moves(_ keys: [String], _ row: Int) {
    var bench = Bench.opened()
    bench.press("4")
    for key in keys { bench.press(key) }
    let rows = Sample.billingRetry.unpaid
    #expect(bench.selectedLine?.contains(rows[row].originalTransactionId.rawValue) == true)
  }

  @Test("stays on its row when the figures are read anew")
  func identity() {
    var bench = Bench.opened()
    bench.press("4", "j", "j")
    let chosen = Sample.billingRetry.unpaid[2].originalTransactionId.rawValue
    let newer: (Question) -> Report = { question in
      var figures = Sample.billingRetry
      let fresh = UnpaidEntry(
        originalTransactionId: OriginalTransactionID("999"), appUserId: nil, productId: Sample.weekly,
        expired: Sample.now, at: Sample.now)
      figures.unpaid.insert(fresh, at: 0)
      return Report(answering: question, trust: Sample.trust, data: figures)
    }
    bench.report = newer
    bench.press("R")
    #expect(bench.selectedLine?.contains(chosen) == true)
    bench.press("g", "R")
    #expect(bench.selectedLine?.contains("999") == true)
    bench.report = Sample.report
    bench.press("R", "j", "k")
    let first = Sample.billingRetry.unpaid[0].originalTransactionId.rawValue
    #expect(bench.selectedLine?.contains(first) == true)
    bench.report = newer
    bench.press("R")
    #expect(bench.selectedLine?.contains(first) == true, "the first row too")
  }

  @Test("lets go of a row that is gone")
  func gone() {
    var bench = Bench.opened()
    bench.press("4", "j", "j")
    bench.report = { question in
      var figures = Sample.billingRetry
      figures.unpaid.remove(at: 2)
      return Report(answering: question, trust: Sample.trust, data: figures)
    }
    bench.press("R")
    #expect(
      bench.selectedLine?.contains(Sample.billingRetry.unpaid[0].originalTransactionId.rawValue) == true)
    bench.report = Sample.emptyReport
    bench.press("R")
    #expect(bench.selectedLine == nil)
    bench.press("j", "enter", "G")
    #expect(bench.state.context == .panel)
  }

  @Test("goes through a small screen's figures before it goes through the list")
  func small() {
    var bench = Bench.opened(40, 10)
    bench.press("4")
    #expect(bench.selectedLine?.contains("Billing retry") == true)
    bench.press("j", "j", "j", "j", "j")
    #expect(bench.selectedLine?.contains("Grace  ") == true)
    bench.press("j")
    #expect(bench.selectedLine?.contains("310000812340117") == true)
    bench.press("k")
    #expect(bench.selectedLine?.contains("Grace  ") == true)
  }
}

extension Bench {
  var selectedLine: String? {
    let canvas = canvas
    let tabs = state.size.rows >= 20 ? 2 : 1
    return zip(canvas.text(), canvas.styleText()).dropFirst(tabs + 1).first { $0.1.contains("ssss") }?.0
  }
}
