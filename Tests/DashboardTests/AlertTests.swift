import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Alerts") struct AlertTests {
  static func bench(_ columns: Int = 80, _ rows: Int = 24, glyphs: GlyphSet = .unicode) throws -> Bench {
    var bench = Bench(columns, rows, glyphs: glyphs, alerts: try Sample.alerts)
    bench.send(.opened)
    bench.wait(9000)
    return bench
  }

  @Test("stand in the head of every panel, and open into their figure's rows")
  func head() throws {
    #expect(try Self.bench(40, 10).screen.contains("churn rate 7.1 % in 28 d > 6.0 %"))
    var bench = try Self.bench()
    Golden.expect(bench.canvas, "alarm")
    bench.press("A")
    Golden.expect(bench.canvas, "alerts")
    bench.press("enter")
    let asked = try #require(bench.lastRows)
    #expect(asked.question.panel == .churn && asked.figure == "churn_rate")
    #expect(asked.question.window.days == 28 && asked.question.environment == .production)
    #expect(bench.state.context == .rows)
    bench.press("esc")
    #expect(bench.state.context == .products)
    bench.press("esc")
    #expect(bench.state.context == .panel)
  }

  @Test("are signs as well as colours")
  func ascii() throws {
    var bench = try Self.bench(glyphs: .ascii)
    #expect(bench.canvas.text()[1].hasPrefix(" ! churn rate"), "\(bench.screen)")
    bench.press("A")
    #expect(bench.screen.contains("! raised") && bench.screen.contains("+ clear"), "\(bench.screen)")
  }

  @Test("are said once when they are raised, in a sentence")
  func said() throws {
    var clear = try Sample.alerts
    for place in clear.indices { clear[place].verdict = .clear }
    var bench = Bench(120, 40, alerts: clear)
    bench.send(.opened)
    #expect(!bench.screen.contains("churn:"))
    bench.alerts = try Sample.alerts
    bench.wait(10_000)
    bench.send(.storeChanged)
    bench.wait(2000)
    #expect(bench.screen.contains("churn rate in 28 d: 7.1 %, above 6.0 %"), "\(bench.screen)")
  }

  @Test("that a sweep saw before stand in the head when the screen opens, and are no news")
  func seen() throws {
    for isSeen in [true, false] {
      var alerts = try Sample.alerts
      for place in alerts.indices where !isSeen { alerts[place].raisedSince = nil }
      var bench = Bench(120, 40, alerts: alerts)
      bench.send(.opened)
      #expect(bench.screen.contains("churn rate 7.1 % in 28 d > 6.0 %"))
      #expect(bench.screen.contains("churn rate in 28 d: 7.1 %, above 6.0 %") == !isSeen)
    }
  }

  @Test("are asked for with the figures, and not more often than every ten seconds but after a sweep")
  func asked() throws {
    var bench = try Self.bench()
    func count() -> Int { bench.effects.count { if case .loadAlerts = $0 { true } else { false } } }
    let first = count()
    #expect(first == 1)
    bench.press("R", "R")
    #expect(count() == first)
    bench.wait(1000)
    bench.press("R")
    #expect(count() == first + 1)
    bench.send(.sweepFinished(Sample.summary()))
    #expect(count() == first + 2)
    var quiet = Bench()
    quiet.send(.opened)
    #expect(!quiet.effects.contains { if case .loadAlerts = $0 { true } else { false } })
  }

  @Test(
    "say what they are held against, and what usual is",
    arguments: [
      ("churn", "churn rate in 28 d: 7.1 %, above 6.0 %"),
      ("retry", "monthly revenue at risk in billing retry: EUR 123.45, not above EUR 500.00"),
      (
        "refunds",
        "refunds in 24 h: 12, above 7.5, 3 × usual (2.5, median of 8 Saturdays)"
      ),
      (
        "new",
        "new paid subscriptions of com.example.pro.monthly in 7 d: 4; the usual value is unknown, because it needs 8 weeks of history"
      ),
    ])
  func sentences(_ name: String, _ sentence: String) throws {
    let state = try #require(try Sample.alerts.first { $0.alert.name == name })
    #expect(state.sentence == sentence)
    #expect(text(of: try Sample.alerts, width: 120).contains(name))
  }
}
