import Screen
import TestSupport
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

  @Test(arguments: [
    (40, "s sweep  Enter chain  / find  ? keys"),
    (36, "s sweep  Enter chain  / find  ? keys"),
    (35, "s sweep  / find  ? keys"),
    (16, "/ find  ? keys"),
    (8, "? keys"),
    (3, "? …"),
  ])
  func `hints are left out whole, the last two at the end`(_ columns: Int, _ expected: String) {
    let line = KeyHints([
      KeyHint("s", "sweep"), KeyHint("Enter", "chain"), KeyHint("/", "find"), KeyHint("?", "keys"),
    ])
    let canvas = picture(columns, 1) { canvas, rect in line.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [expected])
  }

  private static func bar(_ selected: Int) -> TabBar {
    TabBar(
      [("1", "Overview", "Over"), ("2", "Active", "Act"), ("E", "Events", "Event")].map {
        TabBar.Tab(key: $0, title: $1, shortTitle: $2)
      }, selected: selected)
  }

  @Test(arguments: [
    (40, " 1 Overview 2 Active E Events", "kkddddddddd" + "ssssssssss" + "kddddddd"),
    (18, " 1Over 2Act Event", "kkdddd" + "ssssss" + "kdddd"),
    (14, " 1 2 E  Active", "kksssk" + " :::::::"),
  ])
  func `tabs shorten, and lose their titles, before one is left out`(
    _ columns: Int, _ expected: String, _ styles: String
  ) {
    let canvas = picture(columns, 1) { canvas, rect in Self.bar(1).draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [expected])
    #expect(canvas.styleText() == [styles])
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

  @Test(
    arguments: [
      ("aa bb cc", 5, ["aa bb", "cc"]),
      ("aa bb cc", 4, ["aa", "bb", "cc"]),
      ("abcdefgh", 3, ["abc", "def", "gh"]),
      ("x abcdefgh", 4, ["x", "abcd", "efgh"]),
      ("漢字漢字", 5, ["漢字", "漢字"]),
      ("  two in", 20, ["  two in"]),
      ("a  b", 4, ["a  b"]),
      ("end ", 3, ["end", ""]),
      ("", 3, [""]),
      ("any", 0, []),
    ] as [(String, Int, [String])])
  func `a paragraph wraps`(_ text: String, _ width: Int, _ expected: [String]) {
    #expect(TextBlock([StyledText(text)]).rows(width: width).map(\.text) == expected)
  }

  @Test func `a block is cut where the room ends`() {
    let block = TextBlock((1...9).map { StyledText("row \($0)") })
    let canvas = picture(6, 2) { canvas, rect in block.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == ["row 1", "row 2"])
  }
}
