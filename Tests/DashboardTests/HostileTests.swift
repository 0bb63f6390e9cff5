import Dashboard
import Screen
import Subscriptions
import Testing

/// Ids and names come from receipts, that is from anybody.
@Suite("Hostile text") struct HostileTests {
  static let texts = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}", "a\nb\r\tc", "\u{202E}gnp.exe", "\u{0}\u{7F}\u{9B}31m", "漢字漢字漢字漢字漢字漢字",
    String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", count: 40), "👨‍👩‍👧‍👦🇩🇪", "",
    String(repeating: "W", count: 4000), "...", ".",
  ]

  private func report(_ text: String) -> (Question) -> Report {
    { question in
      let product = ProductID(text)
      var active = Sample.active
      active.byProduct[0].productId = product
      var retry = Sample.billingRetry
      retry.rows = [
        BillingRetryFigures.Entry(
          originalTransactionId: OriginalTransactionID(text), appUserId: AppUserID(text), productId: product,
          expired: Instant.distantPast, at: Sample.now)
      ]
      let event = LineEvent(
        .renewal, apple: text, reason: text, environment: .production, chain: OriginalTransactionID(text),
        product: product,
        newProduct: product, effectiveAt: Sample.now, observedAt: Sample.now, observedAfter: .distantPast)
      let figures: Figures =
        switch question.panel {
        case .active: .active(active)
        case .billingRetry: .billingRetry(retry)
        case .events: .events(EventFigures(count: 2, rows: [event, event]))
        default: Sample.figures(question.panel)
        }
      return Report(answering: question, trust: Sample.trust, data: figures)
    }
  }

  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x202E)
    }
  }

  @Test("is drawn and printed harmlessly", arguments: texts)
  func harmless(_ text: String) {
    var bench = Bench()
    bench.report = report(text)
    bench.send(.opened)
    for key in ["2", "3", "7", "enter", "q", "/"] {
      bench.press(key)
      #expect(isHarmless(bench.screen))
    }
    for panel in [Panel.active, .billingRetry, .events] {
      let printed = Dashboard.text(of: report(text)(Question(panel: panel, at: Sample.now)))
      #expect(isHarmless(printed))
    }
  }

  @Test("finds nothing harmlessly", arguments: texts)
  func find(_ text: String) {
    var bench = Bench.opened()
    bench.chains = { _ in [] }
    bench.press("/")
    for character in text { bench.send(.input(.key(.character(character)))) }
    #expect(isHarmless(bench.screen))
    bench.press("enter")
    #expect(isHarmless(bench.screen))
  }
}
