import Dashboard
import Screen
import Subscriptions
import Testing

/// Text typed for a prompt must not act as commands, even if the screen has no such prompt.
@Suite("Typing") struct TypingTests {
  @Test("into a line that a screen does not have does nothing", arguments: ["/", "^S"])
  func blind(_ key: String) throws {
    var bench = Bench.opened(100, 30)
    bench.press("f", "310000831360853", "enter", "J", "J")
    #expect(bench.state.context == .json)
    let before = bench.effects.count
    bench.press(key)
    try #require(bench.state.prompt == nil)
    #expect(bench.screen.contains("only works on"))
    bench.press("quser-4821seS ", "enter")
    #expect(bench.state.context == .json && bench.effects.count == before)
    bench.press("q")
    #expect(bench.state.context == .evidence, "after Enter keys are keys again")
  }

  @Test("is over after a pause, and by a key that types nothing")
  func pause() {
    var bench = Bench.opened(100, 30)
    bench.press("f", "310000831360853", "enter", "J", "J", "/", "q")
    #expect(bench.state.context == .json)
    bench.wait(2000)
    bench.press("q")
    #expect(bench.state.context == .evidence)
    bench.press("J", "/", "down", "q")
    #expect(bench.state.context == .evidence)
  }

  @Test("into a line that is too small to be seen is no command")
  func tooSmall() {
    var bench = Bench.opened()
    bench.press("f", "user")
    bench.send(.input(.resize(Size(columns: 20, rows: 5))))
    bench.press("q")
    #expect(!bench.effects.contains(.quit))
    bench.send(.input(.resize(Size(columns: 80, rows: 24))))
    #expect(bench.state.prompt?.text == "userq")
    bench.press("^U", "esc")
    bench.send(.input(.resize(Size(columns: 20, rows: 5))))
    bench.press("q")
    #expect(bench.screen.contains("q again to quit") && bench.effects.last != .quit)
    bench.press("q")
    #expect(bench.effects.last == .quit)
  }

  @Test("is not led away by what was to open")
  func answered() throws {
    var bench = Bench.opened(120, 40)
    bench.press("4", "G", "g")
    bench.answers = false
    bench.press("enter", "/", "pro")
    bench.send(.found([Sample.chain], serial: try #require(bench.lastSearch).serial))
    #expect(bench.state.context == .panel && bench.state.prompt?.text == "pro")
  }
}

@Suite("Signs of work") struct WorkingTests {
  @Test("stand in the head as soon as a key changes what the figures are of", arguments: ["w", "e"])
  func atOnce(_ key: String) {
    var bench = Bench.opened(100, 30)
    bench.answers = false
    bench.press(key)
    #expect(bench.screen.contains("reading"))
    bench.send(.loaded(Sample.report(.overview), serial: bench.lastSerial))
    #expect(!bench.screen.contains("reading"))
  }

  @Test("an empty store advises no key that is off")
  func readOnly() {
    for isReadOnly in [true, false] {
      var bench = Bench(isReadOnly: isReadOnly)
      bench.report = { Sample.emptyReport($0) }
      bench.send(.opened)
      #expect(bench.screen.contains("subtop sweep"))
      #expect(bench.screen.contains(" here, checks them") == !isReadOnly)
    }
  }
}

@Suite("A click on a hint") struct HintTests {
  private func click(_ word: String, in bench: inout Bench) {
    let rows = bench.canvas.text()
    let line = rows[rows.count - 1]
    guard let range = line.firstRange(of: word) else {
      Issue.record("“\(word)” does not stand in “\(line)”.")
      return
    }
    let column = line.distance(from: line.startIndex, to: range.lowerBound)
    bench.send(.input(.mouse(Mouse(.left, at: Point(column: column + 1, row: rows.count - 1)))))
  }

  @Test("does what its key does")
  func clicked() {
    var bench = Bench.opened(100, 30)
    click("find", in: &bench)
    #expect(bench.state.prompt?.label == "find: ")
    bench.press("esc")
    click("sweep", in: &bench)
    #expect(bench.sweeping == [.startSweep(.due)])
    click("keys", in: &bench)
    #expect(bench.state.context == .help)
    click("back", in: &bench)
    #expect(bench.state.context == .panel)
    let tab = bench.state.tab
    click("panel", in: &bench)
    #expect(bench.state.tab != tab)
  }
}
