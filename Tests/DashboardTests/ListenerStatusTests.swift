import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Notifications that are received") struct ReceptionTests {
  private static let url = "http://127.0.0.1:8990"

  @Test(
    "are shown in the header",
    arguments: [
      (.receiving(ListenerStatus(url: url)), "listening on \(url)"),
      (
        .receiving(ListenerStatus(url: url, kept: 1, last: Sample.now - 3000)),
        "1 notification stored, last 3 s ago"
      ),
      (
        .receiving(ListenerStatus(url: url, kept: 1200, known: 34, last: Sample.now)),
        "1,200 notifications stored, 34 already known, last now"
      ),
      (
        .receiving(ListenerStatus(url: url, kept: 7, refused: 2, failed: 1, last: Sample.now - 7_200_000)),
        "7 notifications stored, 2 rejected, 1 failed, last 2 h ago"
      ),
      (.notReceiving("cannot listen: in use"), "not receiving notifications"),
    ] as [(Event, String)])
  func head(_ event: Event, _ words: String) {
    var bench = Bench.opened()
    #expect(!bench.screen.contains("notifications") && !bench.screen.contains("listening"))
    bench.press("E")
    bench.send(event)
    #expect(bench.canvas.text()[1].hasSuffix(words), "\(bench.screen)")
  }

  @Test("leave the other panels' figures their room") func room() {
    var bench = Bench.opened(80, 24)
    let before = bench.canvas.text()[1]
    bench.send(.receiving(ListenerStatus(url: Self.url, kept: 3, last: Sample.now)))
    #expect(bench.canvas.text()[1] == before)
    bench.send(.input(.resize(Size(columns: 200, rows: 40))))
    #expect(bench.canvas.text()[1].hasSuffix("3 notifications stored, last now"))
    // Small screens have no second header row.
    bench.press("E")
    bench.send(.input(.resize(.small)))
    #expect(bench.canvas.size == .small)
  }

  @Test("leave an alarm among events its key")
  func alarmed() throws {
    var bench = Bench(120, 40, alerts: try Sample.alerts)
    bench.send(.opened)
    bench.press("E")
    bench.send(.receiving(ListenerStatus(url: Self.url, kept: 3, last: Sample.now)))
    let line = bench.canvas.text()[1]
    #expect(line.contains(" more  A  ") && !line.contains("\u{2026}"), "\(line)")
    #expect(line.hasSuffix("3 notifications stored, last now"), "\(line)")
    let narrow = (60..<120).map { columns in
      bench.send(.input(.resize(Size(columns: columns, rows: 40))))
      return bench.canvas.text()[1]
    }
    #expect(narrow.contains { $0.hasSuffix(" A  3 notifications stored") }, "the age is left out first")
  }

  @Test("say at once why there are none, and go on") func prevented() {
    var bench = Bench.opened(120, 40)
    bench.send(.notReceiving("cannot listen on 127.0.0.1 port 8990: it is in use"))
    #expect(bench.screen.contains("cannot listen on 127.0.0.1 port 8990: it is in use"))
    bench.wait(9000)
    #expect(!bench.screen.contains("8990") && bench.screen.contains("not receiving notifications"))
    bench.press("3")
    #expect(bench.screen.contains("Auto-renew"))
  }

  @Test("age on the screen while seconds count, and then cause no wake-ups") func ages() {
    var bench = Bench.opened(120, 40)
    bench.press("E")
    bench.send(.receiving(ListenerStatus(url: Self.url)))
    #expect(bench.state.wakesAt == nil)
    bench.send(.receiving(ListenerStatus(url: Self.url, kept: 1, last: Sample.now)))
    #expect(bench.state.wakesAt == bench.state.uptime + 1000)
    bench.wait(5000)
    #expect(bench.screen.contains("last 5 s ago"))
    bench.wait(60_000)
    #expect(bench.screen.contains("last 1 min ago") && bench.state.wakesAt == nil)
  }

  @Test("are those of the instant that the screen is frozen at", arguments: ["E", "W"])
  func frozen(_ tab: String) {
    var bench = Bench.opened(200, 60)
    bench.press(tab)
    bench.send(.receiving(ListenerStatus(url: Self.url, kept: 1, last: Sample.now - 3000)))
    let before = bench.canvas.text()[1]
    #expect(before.hasSuffix("1 notification stored, last 3 s ago"))
    bench.press("F")
    bench.wait(26 * Milliseconds.hour)
    let since = bench.state.now
    bench.send(.receiving(ListenerStatus(url: Self.url, kept: 9, last: since)))
    #expect(bench.canvas.text()[1] == before, "\(bench.screen)")
    #expect(bench.state.wakesAt == nil)
    bench.press("R")
    #expect(bench.canvas.text()[1].hasSuffix("9 notifications stored, last now"), "\(bench.screen)")
    bench.send(.notReceiving("the port is gone"))
    #expect(bench.screen.contains("not receiving notifications"), "what is wrong does not wait")
  }
}
