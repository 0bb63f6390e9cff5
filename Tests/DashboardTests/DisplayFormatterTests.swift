import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Words and numbers") struct WordingTests {
  @Test(
    "Money is rounded half to even, at its currency's decimals",
    arguments: [
      (28_192_339_100, "USD", "USD 28,192.34"), (0, "USD", "USD 0.00"), (5_000, "USD", "USD 0.00"),
      (15_000, "USD", "USD 0.02"), (25_000, "USD", "USD 0.02"), (-25_001, "USD", "USD -0.03"),
      (-1_234_560_000, "EUR", "EUR -1,234.56"), (1_500_000, "JPY", "JPY 2"), (2_500_000, "JPY", "JPY 2"),
      (1_200_000_000_000, "JPY", "JPY 1,200,000"), (1_234_500, "KWD", "KWD 1.234"),
      (7_000, "KWD", "KWD 0.007"), (999_995_000, "USD", "USD 1,000.00"),
      (.max, "USD", "USD 9,223,372,036,854.78"), (.min, "USD", "USD -9,223,372,036,854.78"),
      (4_990_000, "???", "??? 4.99"),
    ] as [(Int64, String, String)])
  func money(_ micros: Int64, _ currency: String, _ text: String) {
    #expect(MoneyText.of(micros: micros, CurrencyCode(currency)) == text)
  }

  @Test(
    "A reason for a loss has one name, which cards shorten",
    arguments: [
      ("1", "cancelled", "cancelled"), ("2", "billing failed", "billing failed"),
      ("3", "price increase declined", "price increase"),
      ("4", "product removed from sale", "removed from sale"),
    ])
  func reasons(_ intent: String, _ words: String, _ short: String) {
    #expect(text(of: Sample.report(.churn), width: 200).contains("  \(short) "))
    let figure = "by_intent.\(intent).paid"
    let rows = Sample.rows(Question(panel: .churn, at: Sample.now), figure)
    let printed = text(of: rows, of: Sample.report(.churn), figure: figure, width: 200)
    #expect(printed.contains("Lost paid, \(words) (intent \(intent))"), "\(printed)")
    var chain = Sample.story
    (chain.lines[0].state, chain.lines[0].expirationIntent) = (.expired, intent)
    #expect(text(of: [chain], at: Sample.now, width: 400).contains("intent \(intent) \(words)"))
  }

  @Test(
    "An event's reason is shown in words, and found by them and by its name in data",
    arguments: [
      ("UNSUBSCRIBE", "cancelled"), ("BILLING_ERROR", "billing failed"),
      ("PRICE_INCREASE", "price increase declined"), ("PRODUCT_UNAVAILABLE", "product removed from sale"),
      ("UNATTRIBUTED", "returned (cause unknown)"), ("OTHER", "other"),
      ("UNDOCUMENTED_9", "undocumented reason 9"),
    ])
  func eventReasons(_ reason: String, _ words: String) {
    var bench = Bench(200, 60)
    bench.change(.events) { figures in
      for place in figures.events.indices { figures.events[place].reason = nil }
      (figures.events[2].reason, figures.events[2].appleName) = (reason, LineEvent.AppleName("EXPIRED"))
    }
    bench.send(.opened)
    bench.press("E", "/", "reason=\(reason)", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
    #expect(bench.screen.contains("  \(words.prefix(9))"), "\(bench.screen)")
    bench.press("/", "^U", "reason:\"\(words)\"", "enter")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
    #expect(!bench.screen.replacing("=\(reason)", with: "").contains(reason), "\(bench.screen)")
  }

  @Test("A reason has its words everywhere in a chain", arguments: ["1", "2", "3", "4", "5", "9"])
  func reasonsOfAChain(_ value: String) {
    let intent = ExpirationIntent(value)
    #expect(intent.rawValue == value && ExpirationIntent.named(byEventReason: intent.eventReason) == intent)
    var chain = Sample.story
    (chain.lines[0].state, chain.lines[0].expirationIntent) = (.expired, value)
    chain.lines[0].why = "expired: expiration_intent = \(value) (\(intent.name))"
    let printed = text(of: [chain], at: Sample.now, width: 400)
    #expect(printed.contains("intent \(value) \(intent.words)") && printed.contains(": \(intent.sentence)."))
    #expect(printed.contains("why       \(intent.words)"), "\(printed)")
    #expect(
      !["5", "9"].contains(value) || intent.sentence.contains(value == "5" ? "another reason" : intent.words))
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
      (-0.25, "-25.0 %"), (12.5, "1,250.0 %"), (nil, "unknown"), (.nan, "unknown"), (.infinity, "unknown"),
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
      (-3 * Milliseconds.day, "in 3 d"), (400, "now"), (61 * Milliseconds.second, "1 min ago"),
    ] as [(Int64, String)])
  func ages(_ age: Int64, _ text: String) {
    #expect(AgeText.ago(Sample.now - age, at: Sample.now) == text)
  }
}
