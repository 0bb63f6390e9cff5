import Dashboard
import Screen
import Subscriptions
import Testing

extension Size {
  static let small = Size(columns: 40, rows: 10)
  static let usual = Size(columns: 80, rows: 24)
  static let large = Size(columns: 120, rows: 40)
  static let whole = Size(columns: 200, rows: 60)
}

struct Scene: CustomTestStringConvertible, Sendable {
  let name: String
  let keys: [String]
  /// Panel for the keys; `nil` for the overview.
  var panel: Panel?
  let sizes: [Size]

  init(_ name: String, _ keys: String..., on panel: Panel? = nil, at others: [Size] = []) {
    (self.name, self.keys, self.panel, sizes) = (name, keys, panel, [.usual] + others)
  }

  var testDescription: String { name }

  func bench(_ size: Size, glyphs: GlyphSet = .unicode) -> Bench {
    var bench = Bench.opened(size.columns, size.rows, glyphs: glyphs)
    if let panel { bench.show(panel) }
    for key in keys { bench.press(key) }
    return bench
  }

  static let all = [
    Scene("overview", at: [.small, .large, .whole]), Scene("active", "3", at: [.large]),
    Scene("billing-retry", "4", at: [.large]), Scene("churn", "6", at: [.large]),
    Scene("refunds", "9", at: [.large]), Scene("upgrades", "0", at: [.large]),
    Scene("events", "E", at: [.large]),
    Scene("chain", "f", "310000831360853", "enter", at: [.small, .large]),
    Scene("found", "f", "user-4821", "enter"), Scene("find", "f", "user-48"), Scene("help", "?"),
    Scene("figure", "3", "home", "home", "right"), Scene("bar", "6", "g", "g", "j", "l", "h"),
    Scene("rows", "9", "g", "g", "enter", at: [.small]), Scene("story", "f", "story", "enter"),
    Scene("rows-of-several", "6", "j", "enter", "tab"), Scene("sweeps", "W", at: [.large]),
    Scene("receipt", "W", "j", "enter", "enter"), Scene("filtered", "4", "/", "days>10", "enter", ">", "r"),
    Scene("filtering", "4", "/", "nosuch:"), Scene("palette", ":", "so"), Scene("exporting", "E", "^S"),
    Scene("products", "P"), Scene("json", "f", "310000831360853", "enter", "J", "J"),
    Scene("fields", "f", "310000831360853", "enter", "J"),
    Scene("transaction", "f", "310000831360853", "enter", "enter", at: [.large]),
    Scene("elsewhere", "E", "z"),
    Scene("movement", "2", at: [.large]), Scene("movement-products", "2", "b"),
    Scene("movement-weeks", "2", "i"), Scene("movement-bar", "2", "j", "j", "enter"),
    Scene("comparing", "6", "="), Scene("compared", "6", "=", "enter"),
    Scene("compared-rows", "6", "=", "enter", "enter", "tab"),
    Scene("month", ":", "window month", "enter"),
    Scene("last-month", ":", "window last-month", "enter", at: [.large]),
    Scene("compared-months", "6", ":", "window month", "enter", "=", "enter"),
    Scene("cohorts", on: .cohorts, at: [.large]),
    Scene("cohorts-revenue", "a", "b", "j", "l", "l", on: .cohorts), Scene("narrowing", "P", on: .cohorts),
    Scene("recovery", on: .recovery, at: [.large]), Scene("offers", on: .offers, at: [.large]),
  ]
}

@Suite("Screens") struct ScreenTests {
  static let sizes: [Size] = [.usual, .large, .whole, .small]

  @Test("look as they are kept", arguments: Scene.all)
  func kept(_ scene: Scene) {
    for size in scene.sizes { Golden.expect(scene.bench(size).canvas, scene.name) }
  }

  @Test("hold a chain with everything in a high room")
  func story() {
    Golden.expect(
      Scene("story", "f", "story", "enter").bench(Size(columns: 80, rows: 110)).canvas, "story")
  }

  @Test("say what to do while there is nothing", arguments: Tab.panels)
  func empty(_ panel: Panel) {
    var bench = Bench()
    bench.report = Sample.emptyReport
    bench.send(.opened)
    bench.press(String(Tab.panel(panel).key))
    #expect(bench.screen.contains("subtop import receipts FILE"))
    #expect(bench.screen.contains("subtop sweep"))
    if panel == .overview { Golden.expect(bench.canvas, "empty") }
  }

  @Test("say that figures are being read, and only where it takes long that they are read anew")
  func loading() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    Golden.expect(bench.canvas, "loading")
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

  @Test("mark what they are sorted by, also where that is hidden")
  func sortedByHidden() {
    var bench = Bench.opened(80, 40)
    bench.show(.offers)
    #expect(!bench.screen.contains("\u{25B2}"))
    for _ in 0..<9 {
      bench.press(">")
      #expect(bench.screen.contains("\u{25B2}"), "\(bench.screen)")
    }
  }

  @Test("say why figures could not be read")
  func failed() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    let reason = "Reading the store at /data/subtop.sqlite: the disk is gone. Mount it and press r."
    bench.send(.failed(reason, serial: bench.lastSerial))
    Golden.expect(bench.canvas, "error")
    bench.answers = true
    bench.press("R")
    bench.answers = false
    bench.press("R")
    bench.send(.failed("Reading the store: the disk is gone.", serial: bench.lastSerial))
    #expect(bench.screen.contains("1,920"))
    #expect(bench.screen.contains("not up to date"))
  }

  @Test("show a sweep's progress")
  func sweeping() {
    var bench = Bench.opened()
    bench.press("s")
    for step in 1...8 {
      bench.send(
        .sweepProgress(Sample.progress(done: step * 180 + step * step * 7, elapsed: Int64(step) * 500)))
    }
    Golden.expect(bench.canvas, "sweeping")
  }

  @Test("are made of ASCII where the terminal has no more", arguments: Scene.all)
  func ascii(_ scene: Scene) {
    let lines = scene.bench(.large, glyphs: .ascii).canvas.text()
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
    #expect(!lines.contains { $0.contains("??") })
    guard ["overview", "story"].contains(scene.name) else { return }
    Golden.expect(scene.bench(.usual, glyphs: .ascii).canvas, "\(scene.name)-ascii")
  }

  @Test("shade cohorts by characters without colours")
  func mono() {
    let glyphs = GlyphSet.unicode.withoutColours
    Golden.expect(Scene("cohorts", on: .cohorts).bench(.usual, glyphs: glyphs).canvas, "cohorts-mono")
  }

  @Test("say what size they need where they have less")
  func tooSmall() {
    Golden.expect(Scene("overview").bench(Size(columns: 39, rows: 9)).canvas, "too-small")
    var bench = Bench.opened(30, 5)
    #expect(bench.screen.contains("40x10"))
    bench.press("S", "3", "enter")
    #expect(bench.effects.allSatisfy { if case .startSweep = $0 { false } else { true } })
    bench.press("q", "q")
    #expect(bench.effects.last == .quit)
  }

  @Test("cannot fail at any size", arguments: Scene.all)
  func everySize(_ scene: Scene) {
    let opened = scene.bench(.usual)
    for (columns, rows) in [(0, 0), (3, 90), (40, 10), (41, 16), (300, 11)] {
      var bench = opened
      bench.send(.input(.resize(Size(columns: columns, rows: rows))))
      bench.press("j", "pgdn", "G", "g", "k")
      #expect(bench.canvas.size == Size(columns: columns, rows: rows))
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
