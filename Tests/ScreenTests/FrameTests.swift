import Screen
import Testing

@Suite struct FrameTests {
  @Test func `a box has a title, a note and room inside`() {
    let canvas = picture(16, 4) { canvas, rect in
      canvas.fill(rect, .bad, with: "x")
      let inner = Box("Retry", note: "1–2 of 2", isFocused: true).draw(on: &canvas, in: rect)
      #expect(inner == Rect(column: 1, row: 1, columns: 14, rows: 2))
    }
    #expect(
      canvas.text() == ["┌─ Retry ──────┐", "│              │", "│              │", "└─── 1–2 of 2 ─┘"])
    #expect(canvas.styleText()[0] == "aa ..... aaaaaaa")
  }

  @Test func `a long title is cut and a tiny box is only a frame`() {
    let draw = { (canvas: inout Canvas, rect: Rect) in _ = Box("Billing retry").draw(on: &canvas, in: rect) }
    #expect(picture(10, 2, .ascii, draw).text() == ["+-Billi~-+", "+--------+"])
    #expect(picture(4, 2, draw).text() == ["┌──┐", "└──┘"])
    #expect(picture(2, 1, draw).text() == [""])
  }

  @Test func `a toast lies over the last row, its level in a mark`() {
    let levels: [(Toast.Level, String, String)] = [
      (.info, "● saved", "I"), (.good, "✓ saved", "G"), (.warn, "! saved", "W"), (.bad, "✗ saved", "B"),
    ]
    for (level, text, letter) in levels {
      let canvas = picture(12, 2) { canvas, rect in Toast("saved", level).draw(on: &canvas, in: rect) }
      #expect(canvas.text() == ["", "    \(text)"])
      #expect(canvas.styleText()[1] == "   " + String(repeating: letter, count: 9))
    }
    let narrow = picture(6, 1) { canvas, rect in Toast("a long one").draw(on: &canvas, in: rect) }
    #expect(narrow.text() == [" ● a …"])
  }

  struct Hints: CustomTestStringConvertible {
    let columns: Int
    let expected: String
    var testDescription: String { "\(columns) columns" }
  }

  @Test(arguments: [
    Hints(columns: 40, expected: "s sweep  Enter chain  / find  ? keys"),
    Hints(columns: 36, expected: "s sweep  Enter chain  / find  ? keys"),
    Hints(columns: 35, expected: "s sweep  Enter chain  ? keys"),
    Hints(columns: 16, expected: "s sweep  ? keys"),
    Hints(columns: 8, expected: "? keys"),
    Hints(columns: 3, expected: "? …"),
  ])
  func `hints are left out whole, the last one never`(_ hints: Hints) {
    let line = KeyHints([
      KeyHint("s", "sweep"), KeyHint("Enter", "chain"), KeyHint("/", "find"), KeyHint("?", "keys"),
    ])
    let canvas = picture(hints.columns, 1) { canvas, rect in line.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [hints.expected])
  }

  private static func bar(_ selected: Int) -> TabBar {
    TabBar(
      [("1", "Overview", "Over"), ("2", "Active", "Act"), ("E", "Events", "Event")].map {
        TabBar.Tab(key: $0, title: $1, shortTitle: $2)
      }, selected: selected)
  }

  struct Tabs: CustomTestStringConvertible {
    let columns: Int
    let expected: String
    let styles: String
    var testDescription: String { "\(columns)" }
  }

  @Test(arguments: [
    Tabs(
      columns: 40, expected: " 1 Overview 2 Active E Events",
      styles: "kkddddddddd" + "ssssssssss" + "kddddddd"),
    Tabs(columns: 16, expected: " Over Act Event", styles: "ddddd" + "sssss" + "ddddd"),
    Tabs(columns: 14, expected: " 1 2 E  Active", styles: "kksssk" + " :::::::"),
  ])
  func `tabs shorten and lose their keys before one is left out`(_ tabs: Tabs) {
    let canvas = picture(tabs.columns, 1) { canvas, rect in Self.bar(1).draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [tabs.expected])
    #expect(canvas.styleText() == [tabs.styles])
  }

  @Test(arguments: [40, 30, 22, 16, 8]) func `which tab is shown moves none of them`(_ columns: Int) {
    let rect = Rect(column: 0, row: 0, columns: columns, rows: 1)
    let places = (0..<3).map { selected in
      (0..<columns).map { Self.bar(selected).tab(at: Point(column: $0, row: 0), in: rect) }
    }
    #expect(Set(places).count == 1)
    #expect(Set(places[0]).isSuperset(of: [0, 1, 2]))
    guard columns > 8 else { return }
    let texts = (0..<3).map { selected in
      picture(columns, 1) { canvas, rect in Self.bar(selected).draw(on: &canvas, in: rect) }.text()[0].prefix(
        6)
    }
    #expect(Set(texts).count == 1)
  }

  @Test func `paragraphs wrap at words and keep their styles`() {
    let block = TextBlock(
      [["Money is ", TextSpan("never", .bad), " added across currencies."], "", "next"], indent: 2)
    #expect(block.rows(width: 14).count == 5)
    let canvas = picture(14, 7) { canvas, rect in block.draw(on: &canvas, in: rect) }
    #expect(
      canvas.text()
        == ["Money is never", "  added across", "  currencies.", "", "next", "", ""])
    #expect(canvas.styleText()[0] == "..... .. bbbbb")
  }

  struct Wrap: CustomTestStringConvertible {
    let text: String
    let width: Int
    let expected: [String]
    var testDescription: String { "\(text) in \(width)" }
  }

  @Test(arguments: [
    Wrap(text: "aa bb cc", width: 5, expected: ["aa bb", "cc"]),
    Wrap(text: "aa bb cc", width: 4, expected: ["aa", "bb", "cc"]),
    Wrap(text: "abcdefgh", width: 3, expected: ["abc", "def", "gh"]),
    Wrap(text: "x abcdefgh", width: 4, expected: ["x", "abcd", "efgh"]),
    Wrap(text: "漢字漢字", width: 5, expected: ["漢字", "漢字"]),
    Wrap(text: "  two in", width: 20, expected: ["  two in"]),
    Wrap(text: "a  b", width: 4, expected: ["a  b"]),
    Wrap(text: "end ", width: 3, expected: ["end", ""]),
    Wrap(text: "", width: 3, expected: [""]),
    Wrap(text: "any", width: 0, expected: []),
  ])
  func `a paragraph wraps`(_ wrap: Wrap) {
    #expect(TextBlock([StyledText(wrap.text)]).rows(width: wrap.width).map(\.text) == wrap.expected)
  }

  @Test func `a block is cut where the room ends`() {
    let block = TextBlock((1...9).map { StyledText("row \($0)") })
    let canvas = picture(6, 2) { canvas, rect in block.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == ["row 1", "row 2"])
  }
}
