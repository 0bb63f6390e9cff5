import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Words and numbers") struct WordingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let micros: Int64
    let currency: String
    let text: String
    init(_ micros: Int64, _ currency: String, _ text: String) {
      (self.micros, self.currency, self.text) = (micros, currency, text)
    }
    var testDescription: String { text }
  }

  @Test(
    "Money is rounded half to even, at its currency's decimals",
    arguments: [
      Case(28_192_339_100, "USD", "USD 28,192.34"), Case(0, "USD", "USD 0.00"),
      Case(5_000, "USD", "USD 0.00"),
      Case(15_000, "USD", "USD 0.02"), Case(25_000, "USD", "USD 0.02"), Case(-25_001, "USD", "USD -0.03"),
      Case(-1_234_560_000, "EUR", "EUR -1,234.56"), Case(1_500_000, "JPY", "JPY 2"),
      Case(2_500_000, "JPY", "JPY 2"),
      Case(1_200_000_000_000, "JPY", "JPY 1,200,000"), Case(1_234_500, "KWD", "KWD 1.234"),
      Case(7_000, "KWD", "KWD 0.007"), Case(999_995_000, "USD", "USD 1,000.00"),
      Case(.max, "USD", "USD 9,223,372,036,854.78"), Case(.min, "USD", "USD -9,223,372,036,854.78"),
      Case(4_990_000, "???", "??? 4.99"),
    ])
  func money(_ example: Case) {
    #expect(MoneyText.of(micros: example.micros, CurrencyCode(example.currency)) == example.text)
  }

  /// A reason for a loss, by Apple's intent and by the name that events have in data.
  struct LostFor: CustomTestStringConvertible, Sendable {
    let intent: String
    let event: String
    let words: String
    var testDescription: String { words }
  }

  @Test(
    "A reason has one name, whatever shows it, and events are found by that of data as well",
    arguments: [
      LostFor(intent: "1", event: "UNSUBSCRIBE", words: "cancelled"),
      LostFor(intent: "2", event: "BILLING_ERROR", words: "billing failed"),
      LostFor(intent: "3", event: "PRICE_INCREASE", words: "price not agreed"),
      LostFor(intent: "4", event: "PRODUCT_UNAVAILABLE", words: "not for sale"),
    ])
  func reasons(_ lost: LostFor) {
    #expect(text(of: Sample.report(.churn), width: 200).contains("  \(lost.words) "))
    let figure = "by_intent.\(lost.intent).paid"
    let rows = Sample.rows(Question(panel: .churn, at: Sample.now), figure)
    let printed = text(of: rows, of: Sample.report(.churn), figure: figure, width: 200)
    #expect(printed.contains("Lost paid, \(lost.words) (intent \(lost.intent))"), "\(printed)")
    var chain = Sample.story
    (chain.lines[0].state, chain.lines[0].expirationIntent) = (.expired, lost.intent)
    #expect(text(of: [chain], at: Sample.now, width: 400).contains("intent \(lost.intent) \(lost.words)"))

    var events = Sample.events
    for place in events.rows.indices { events.rows[place].reason = nil }
    (events.rows[2].reason, events.rows[2].appleName) = (lost.event, LineEvent.AppleName("EXPIRED"))
    var bench = Bench(200, 60)
    bench.report = { question in
      var report = Sample.report(question)
      if question.panel == .events { report.data = .events(events) }
      return report
    }
    bench.send(.opened)
    bench.press("E", "/", "reason=\(lost.event)", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
    #expect(bench.screen.contains("  \(lost.words)  "), "\(bench.screen)")
    bench.press("/", "^U", "reason=\"\(lost.words)\"", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
    #expect(!bench.screen.replacing("=\(lost.event)", with: "").contains(lost.event), "\(bench.screen)")
  }

  @Test("An event of which nobody knows how it came about says so, and is found by the name that data have")
  func unattributed() {
    var events = Sample.events
    for place in events.rows.indices { events.rows[place].reason = nil }
    events.rows[2].reason = "UNATTRIBUTED"
    var bench = Bench(200, 60)
    bench.report = { question in
      var report = Sample.report(question)
      if question.panel == .events { report.data = .events(events) }
      return report
    }
    bench.send(.opened)
    bench.press("E", "/", "reason:\"returned, unknown how\"", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
    #expect(!bench.screen.contains("UNATTRIBUTED"), "\(bench.screen)")
    bench.press("/", "^U", "reason=UNATTRIBUTED", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
  }

  @Test("Currencies stand side by side")
  func amounts() {
    #expect(MoneyText.of(Amounts([Sample.usd(499), Sample.eur(150), Sample.usd(1)])) == "EUR 1.50, USD 5.00")
    #expect(MoneyText.of(Amounts()).isEmpty)
  }

  @Test(
    "Counts are grouped",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func counts(_ number: Int, _ text: String) {
    #expect(CountText.of(number) == text)
  }

  @Test("One thing is one, and others are several")
  func plurals() {
    #expect(CountText.of(1, "line") == "1 line")
    #expect(CountText.of(0, "line") == "0 lines")
    #expect(CountText.of(1200, "entry", "entries") == "1,200 entries")
  }

  @Test(
    "Shares have one decimal, and unknown is not none",
    arguments: [
      (0.971, "97.1 %"), (0, "0.0 %"), (1, "100.0 %"), (0.0005, "0.0 %"), (0.0015, "0.2 %"),
      (-0.25, "-25.0 %"),
      (12.5, "1,250.0 %"), (nil, "unknown"), (.nan, "unknown"), (.infinity, "unknown"),
    ] as [(Double?, String)])
  func shares(_ share: Double?, _ text: String) {
    #expect(PercentText.of(share) == text)
  }

  @Test("Nothing is a share of nothing")
  func nothing() {
    #expect(PercentText.of(0, in: 0) == "unknown")
    #expect(PercentText.of(1, in: 4) == "25.0 %")
  }

  @Test(
    "Ages have one unit",
    arguments: [
      (9 * Milliseconds.day, "9 d ago"), (5 * Milliseconds.hour, "5 h ago"),
      (-3 * Milliseconds.day, "in 3 d"),
      (400, "now"), (61 * Milliseconds.second, "1 min ago"),
    ] as [(Int64, String)])
  func ages(_ age: Int64, _ text: String) {
    #expect(AgeText.ago(Sample.now - age, at: Sample.now) == text)
  }
}
