import Dashboard
import Screen
import Subscriptions
import Testing

/// One screen, how it is reached, and the sizes it is kept at.
struct Scene: CustomTestStringConvertible, Sendable {
  let name: String
  let keys: [String]
  var isASCII = false
  var isReadOnly = false

  init(_ name: String, _ keys: String..., isASCII: Bool = false, isReadOnly: Bool = false) {
    self.name = name
    self.keys = keys
    self.isASCII = isASCII
    self.isReadOnly = isReadOnly
  }

  var testDescription: String { name }

  func bench(_ size: Size) -> Bench {
    var bench = Bench.opened(
      size.columns, size.rows, glyphs: isASCII ? .ascii : .unicode, isReadOnly: isReadOnly)
    for key in keys { bench.press(key) }
    return bench
  }

  static let all = [
    Scene("overview"), Scene("active", "2"), Scene("billing-retry", "3"), Scene("churn", "4"),
    Scene("refunds", "5"), Scene("upgrades", "6"), Scene("events", "7"),
    Scene("chain", "f", "310000831360853", "enter"), Scene("found", "f", "user-4821", "enter"),
    Scene("find", "f", "user-48"),
    Scene("help", "?"),
    Scene("figure", "2", "home", "home", "right"), Scene("bar", "4", "g", "g", "j", "l", "h"),
    Scene("rows", "5", "g", "g", "enter"), Scene("story", "f", "story", "enter"),
    Scene("rows-of-several", "4", "j", "enter", "tab"), Scene("sweeps", "8"),
    Scene("receipt", "8", "j", "enter"), Scene("filtered", "3", "/", "days>10", "enter", ">", "r"),
    Scene("filtering", "3", "/", "nosuch:"), Scene("palette", ":", "so"), Scene("exporting", "7", "^S"),
    Scene("products", "P"), Scene("json", "f", "310000831360853", "enter", "J"),
    Scene("elsewhere", "7", "z"),
  ]
}

@Suite("Screens") struct ScreenTests {
  static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 200, rows: 60),
    Size(columns: 40, rows: 10),
  ]

  @Test("look as they are kept", arguments: Scene.all, sizes)
  func kept(_ scene: Scene, _ size: Size) {
    Golden.expect(scene.bench(size).canvas, "\(scene.name)-\(size.columns)x\(size.rows)")
  }

  @Test("hold a chain with everything, in a narrow room and in a high one")
  func story() {
    Golden.expect(
      Scene("story", "f", "story", "enter").bench(Size(columns: 80, rows: 110)).canvas, "story-80x110")
  }

  @Test("say what to do while there is nothing", arguments: Tab.panels)
  func empty(_ panel: Panel) {
    var bench = Bench()
    bench.report = Sample.emptyReport
    bench.send(.opened)
    bench.press("\((Tab.panels.firstIndex(of: panel) ?? 0) + 1)")
    #expect(bench.screen.contains("subtop import receipts FILE"))
    #expect(bench.screen.contains("subtop sweep"))
    if panel == .overview { Golden.expect(bench.canvas, "empty-80x24") }
  }

  @Test("say that figures are being read, and only where it takes long that they are read anew")
  func loading() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    Golden.expect(bench.canvas, "loading-80x24")
    bench.answers = true
    bench.press("R")
    bench.answers = false
    bench.press("R")
    #expect(!bench.screen.contains("reading"))
    bench.wait(299)
    #expect(!bench.screen.contains("reading"))
    bench.wait(1)
    #expect(bench.screen.contains("reading"))
    #expect(bench.screen.contains("1,920"))
  }

  @Test("say why figures could not be read")
  func failed() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    let reason = "Reading the store at /data/subtop.sqlite: the disk is gone. Mount it and press r."
    bench.send(.failed(reason, serial: bench.lastSerial))
    Golden.expect(bench.canvas, "error-80x24")
    bench.answers = true
    bench.press("R")
    bench.answers = false
    bench.press("R")
    bench.send(.failed("Reading the store: the disk is gone.", serial: bench.lastSerial))
    #expect(bench.screen.contains("1,920"))
    #expect(bench.screen.contains("not up to date"))
  }

  @Test("show a sweep's progress", arguments: sizes)
  func sweeping(_ size: Size) {
    var bench = Bench.opened(size.columns, size.rows)
    bench.press("s")
    for step in 1...8 {
      bench.send(
        .sweepProgress(Sample.progress(done: step * 180 + step * step * 7, elapsed: Int64(step) * 500)))
    }
    Golden.expect(bench.canvas, "sweeping-\(size.columns)x\(size.rows)")
  }

  @Test("are made of ASCII where the terminal has no more", arguments: Scene.all)
  func ascii(_ scene: Scene) {
    var plain = scene
    plain.isASCII = true
    let lines = plain.bench(Size(columns: 120, rows: 40)).canvas.text()
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
    #expect(!lines.contains { $0.contains("??") })
    if ["overview", "chain", "story", "figure", "rows"].contains(scene.name) {
      Golden.expect(plain.bench(Size(columns: 80, rows: 24)).canvas, "\(scene.name)-ascii-80x24")
    }
  }

  @Test("say what size they need where they have less")
  func tooSmall() {
    Golden.expect(Scene("overview").bench(Size(columns: 39, rows: 9)).canvas, "too-small-39x9")
    var bench = Bench.opened(30, 5)
    #expect(bench.screen.contains("40x10"))
    bench.press("S", "2", "enter")
    #expect(bench.effects.allSatisfy { if case .startSweep = $0 { false } else { true } })
    bench.press("q")
    #expect(bench.effects.last == .quit)
  }

  @Test("cannot fail at any size", arguments: Scene.all)
  func everySize(_ scene: Scene) {
    for columns in [0, 1, 2, 3, 7, 20, 39, 40, 41, 77, 79, 300] {
      for rows in [0, 1, 2, 5, 9, 10, 11, 15, 16, 23, 90] {
        var bench = scene.bench(Size(columns: 80, rows: 24))
        bench.send(.input(.resize(Size(columns: columns, rows: rows))))
        bench.press("j", "pgdn", "G", "g", "k")
        #expect(bench.canvas.size == Size(columns: columns, rows: rows))
      }
    }
  }

  @Test("keep their grid when the canvas is of another size than the state thinks")
  func otherCanvas() {
    let bench = Bench.opened()
    var canvas = Canvas(size: Size(columns: 1, rows: 1))
    view(bench.state, on: &canvas)
    #expect(canvas.text().count == 1)
  }
}
