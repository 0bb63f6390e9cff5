import Subscriptions
import TestSupport
import Testing

/// Alerts on synthetic reports with a given number of refunds per day.
@Suite struct AlertEvaluationTests {
  /// 2026-02-26 03:00, a Thursday.
  static let now = day(56, hours: 3)

  static func alert(_ text: String) throws -> Alert { Alert("a", try AlertCondition(parsing: text)) }

  /// Refunds at the hour of `now`, by days before `now`.
  struct Refunds {
    var daily: [Int]
    var micros: [CurrencyCode: Int64] = [:]

    func report(_ question: Question) -> Report {
      var figures = FigureValues()
      for (place, count) in daily.enumerated()
      where question.window.contains(now - Int64(place) * Milliseconds.day) {
        figures["count"] += count
        for (currency, price) in micros where count > 0 {
          figures[amounts: "amount"].add(Money(micros: price * Int64(count), currency: currency))
        }
      }
      return Report(answering: question, trust: Trust(), data: figures)
    }
  }

  static func state(
    _ text: String, _ refunds: Refunds, firstPurchase: Instant? = day(-1000),
    reporting: CurrencyCode? = nil, currencies: Set<CurrencyCode> = []
  ) throws -> AlertState {
    var question = Question(panel: .overview, at: now)
    question.reportingCurrency = reporting
    let states = AlertEvaluation(question, firstPurchase: firstPurchase, currencies: currencies)
      .states(of: [try alert(text)]) { refunds.report($0) }
    return try #require(states.first)
  }

  @Test(arguments: seeds(200)) func usualIsTheMedianOfEightWeekdays(_ seed: UInt64) throws {
    var random = Seeded(seed)
    let refunds = Refunds(daily: (0..<120).map { _ in Int.random(in: 0...9, using: &random) })
    let days = random.pick(1, 2, 7, 14)
    func sum(from first: Int) -> Int { refunds.daily[first..<first + days].reduce(0, +) }
    let weeks = (1...8).map { sum(from: $0 * 7) }.sorted()
    let usual = Double(weeks[3] + weeks[4]) / 2
    let times = random.pick(0.5, 1, 2, 3)
    let state = try Self.state("refunds in \(days)d > \(times) × usual", refunds)
    #expect(state.value == .count(Double(sum(from: 0))))
    #expect(state.usual == .count(usual))
    #expect(state.limit == .count(usual * times))
    #expect(state.verdict == (Double(sum(from: 0)) > usual * times ? .raised : .clear))
  }

  @Test(
    arguments: [
      (
        "of the reporting currency", "EUR", ["EUR", "USD"],
        Money(micros: 4_000_000, currency: CurrencyCode("EUR")), .raised, false
      ),
      (
        "of a reporting currency in which nothing is", "GBP", ["EUR", "USD"],
        Money(micros: 0, currency: CurrencyCode("GBP")), .clear, false
      ),
      (
        "of the only one", nil, ["USD"], Money(micros: 2_000_000, currency: CurrencyCode("USD")), .clear,
        false
      ),
      ("of several", nil, ["EUR", "USD"], nil, .unknown, true),
      ("of a store without prices", nil, [], nil, .unknown, false),
    ] as [(String, String?, [String], Money?, AlertState.Verdict, Bool)])
  func amountsWithoutACurrency(
    _ testDescription: String, _ reporting: String?, _ currencies: [String], _ value: Money?,
    _ verdict: AlertState.Verdict, _ asksForCurrency: Bool
  ) throws {
    let refunds = Refunds(
      daily: [2], micros: [CurrencyCode("EUR"): 2_000_000, CurrencyCode("USD"): 1_000_000])
    let state = try Self.state(
      "refund_amount today > 3", refunds, reporting: reporting.map { CurrencyCode($0) },
      currencies: Set(currencies.map { CurrencyCode($0) }))
    #expect(state.value == value.map(ReportValue.amount) && state.verdict == verdict)
    #expect((state.problem != nil) == asksForCurrency)
  }

  @Test(
    arguments: [
      ("refunds today > 4", 5, true), ("refunds today > 5", 5, false), ("refunds today >= 5", 5, true),
      ("refunds today < 5", 5, false), ("refunds today <= 5", 5, true), ("refunds today < 6", 5, true),
      ("refunds today > 3 × usual", 4, true), ("refunds today > 3 × usual", 3, false),
      ("refunds today > 20% above usual", 2, true), ("refunds today > 20% above usual", 1, false),
      ("refunds today < 50% below usual", 0, true), ("refunds today < 50% below usual", 1, false),
    ])
  func isComparedWithItsLimit(_ text: String, _ today: Int, _ isRaised: Bool) throws {
    let refunds = Refunds(daily: [today] + Array(repeating: 1, count: 100))
    #expect(try Self.state(text, refunds).verdict == (isRaised ? .raised : .clear))
  }

  /// The window eight weeks ago must begin after the first purchase.
  @Test func usualIsUnknownWithLessHistory() throws {
    let refunds = Refunds(daily: Array(repeating: 1, count: 100))
    let start = Self.now - 57.days
    for (first, isKnown) in [(start, true), (start + 1, false), (nil, false)] as [(Instant?, Bool)] {
      let state = try Self.state("refunds today > 3 × usual", refunds, firstPurchase: first)
      #expect((state.usual != nil) == isKnown)
      #expect(state.verdict == (isKnown ? .clear : .unknown))
      #expect(state.value == .count(1))
    }
    #expect(try Self.state("refunds today > 0", refunds, firstPurchase: nil).isRaised)
  }

  @Test func amountsAreOfTheirCurrency() throws {
    let (eur, usd) = (CurrencyCode("EUR"), CurrencyCode("USD"))
    let refunds = Refunds(
      daily: [2] + Array(repeating: 1, count: 100), micros: [eur: 5_000_000, usd: 7_000_000])
    #expect(try Self.state("refund_amount today > 9.99 EUR", refunds).isRaised)
    #expect(try !Self.state("refund_amount today > 10 EUR", refunds).isRaised)
    #expect(try Self.state("refund_amount today > 13.99 USD", refunds).isRaised)
    // Currency without any refund.
    let pounds = try Self.state("refund_amount today > 1 GBP", refunds)
    #expect(pounds.verdict == .clear && pounds.value?.number == 0)
    #expect(try Self.state("refund_amount today > 1.9 × usual", refunds).isRaised)
    #expect(try !Self.state("refund_amount today > 2 × usual", refunds).isRaised)
    // Currency with refunds in every week but the last.
    let none = Refunds(daily: [0] + Array(repeating: 1, count: 100), micros: [eur: 5_000_000])
    let state = try Self.state("refund_amount today < 50% below usual", none)
    #expect(state.isRaised && state.usual == .amount(Money(micros: 5_000_000, currency: eur)))
  }

  @Test func aRateOfNothingIsUnknown() throws {
    let state = try Self.state("refund_rate > 5%", Refunds(daily: []))
    #expect(state.verdict == .unknown && state.value == nil)
  }

  @Test func asksEachQuestionOnce() throws {
    let alerts = try ["refunds today > 1", "refunds today > 2 × usual", "refunds today < 3 × usual"].map(
      Self.alert)
    var asked: [Question] = []
    let refunds = Refunds(daily: Array(repeating: 1, count: 100))
    _ = AlertEvaluation(Question(panel: .overview, at: Self.now), firstPurchase: day(-1000)).states(
      of: alerts
    ) {
      asked.append($0)
      return refunds.report($0)
    }
    #expect(asked.count == 9 && Set(asked).count == 9)
    #expect(asked.allSatisfy { $0.limit == 0 && $0.panel == .refunds && $0.length == .days(1) })
    #expect(Set(asked.map { $0.at.civilDate.weekday }) == [4])
  }

  /// Uses real lines: line 1 has expired and was not validated in the gap, so its past state is unknown.
  @Test func pastStateWithoutAValidationIsUnknown() throws {
    let population = EvidenceLedger.make([
      chain("1", monthly("1", 0, 30)), chain("2", monthly("2", -200, 400)),
    ])
    let evaluation = AlertEvaluation(Question(panel: .overview, at: day(56)), firstPurchase: day(-200))
    let states = evaluation.states(of: [
      try Self.alert("billing_retry > 2 × usual"), try Self.alert("billing_retry >= 0"),
      try Self.alert("paid > 2 × usual"),
    ]) { population.report($0) }
    #expect(states.map(\.verdict) == [.unknown, .raised, .clear])
    #expect(states[2].value == .count(1) && states[2].usual == .count(2))
  }
}
