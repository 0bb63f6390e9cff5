import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Printed") struct PrintedTests {
  @Test("reports say what the screens say", arguments: Panel.allCases)
  func report(_ panel: Panel) {
    Golden.expect(text(of: Sample.report(panel)), file: "\(panel.rawValue).text")
  }

  @Test("reports hold every row, whole")
  func everyRow() {
    let printed = text(of: Sample.report(.billingRetry))
    for row in Sample.billingRetry.rows {
      #expect(printed.contains("\n  \(row.originalTransactionId)  "))
    }
    #expect(printed.contains("com.example.pro.monthly.eu"))
  }

  @Test("long lists are printed in pieces that fit together")
  func pieces() {
    var figures = Sample.events
    figures.rows = (0..<700).map { index in
      LineEvent(
        .renewal, apple: "DID_RENEW", environment: .production,
        chain: OriginalTransactionID("chain-\(index)-"), product: Sample.weekly,
        effectiveAt: Sample.now - Int64(index), observedAt: Sample.now)
    }
    let report = Report(
      answering: Question(panel: .events, at: Sample.now), trust: Sample.trust, data: .events(figures))
    let printed = text(of: report)
    for index in 0..<700 { #expect(printed.contains("chain-\(index)-")) }
    #expect(printed.split(separator: "\n").filter { $0.contains("Apple's name") }.count == 1)
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
    #expect(printed.contains("Chain\n  app user  user-4821"))
  }

  @Test("the store's health")
  func status() {
    Golden.expect(text(of: Sample.status), file: "status.text")
  }

  @Test("a sweep")
  func sweep() {
    Golden.expect(text(of: Sample.summary()), file: "sweep.text")
  }

  @Test("an empty store prints what to do")
  func empty() {
    let printed = text(of: Sample.emptyReport(Question(panel: .overview, at: Sample.now)))
    #expect(printed.contains("subtop import receipts FILE"))
  }
}
