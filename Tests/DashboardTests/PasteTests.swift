import Dashboard
import Screen
import Subscriptions
import Testing

/// Pasted text must never act as keys, on any screen.
@Suite("A paste") struct PasteTests {
  private static let secret = "9f86d081884c7d659a2feaa0c55ad015"

  @Test("opens what finds, with the text in it, and does nothing else", arguments: KeyTests.scenes)
  func opens(_ scene: Scene) {
    var bench = scene.bench(Size(columns: 80, rows: 24))
    let (tab, environment) = (bench.state.tab, bench.state.environment)
    bench.answers = false
    let wanted = bench.send(.input(.paste("user-001291 seS\r\n")))
    #expect(wanted.allSatisfy { if case .suggest("user-001291 seS", _) = $0 { true } else { false } })
    #expect(bench.state.prompt?.text == "user-001291 seS")
    #expect(bench.state.tab == tab && bench.state.environment == environment)
    #expect(bench.screen.contains("user-001291 seS"))
  }

  @Test("is typed into the line that stands there")
  func typed() {
    var bench = Bench.opened(120, 40)
    bench.press("E", "/")
    bench.send(.input(.paste("event:REN")))
    #expect(bench.state.prompt?.label == "/" && bench.state.prompt?.text == "event:REN")
    bench.press("EWAL", "enter")
    #expect(bench.state.arrangement.filter == "event:RENEWAL")
    bench.press(":")
    bench.send(.input(.paste("window 7\nsweep-all\n")))
    #expect(bench.state.prompt?.text == "window 7 sweep-all", "a line's end is no Enter")
    #expect(bench.state.window.days == 28)
  }

  @Test("of what may be a secret is refused and not shown", arguments: ["", "/", ":"])
  func secret(_ key: String) {
    var bench = Bench.opened(120, 40)
    bench.press(key)
    let prompt = bench.state.prompt
    bench.send(.input(.paste(Self.secret)))
    #expect(bench.state.prompt == prompt)
    #expect(!bench.screen.contains(Self.secret.prefix(8)))
    #expect(bench.screen.contains("may be a shared secret"))
  }

  @Test("of nothing but blanks is none")
  func blank() {
    var bench = Bench.opened()
    bench.send(.input(.paste(" \r\n\t")))
    #expect(bench.state.prompt == nil)
  }
}
