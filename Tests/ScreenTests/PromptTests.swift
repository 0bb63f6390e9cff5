import Screen
import Testing

@Suite struct PromptTests {
  struct Editing: CustomTestStringConvertible {
    let testDescription: String
    let keys: [Key]
    let text: String
    let cursor: Int

    init(_ name: String, _ keys: [Key], _ text: String, cursor: Int) {
      (testDescription, self.keys, self.text, self.cursor) = (name, keys, text, cursor)
    }
  }

  /// Pasting a whole file by mistake must be limited, since every key processes the line again.
  @Test(arguments: ["A", "é", "\u{301}", "\u{1F600}", "\u{202E}"] as [Character])
  func takesALineAndNoFile(_ character: Character) {
    var prompt = Prompt(label: "/", text: "")
    for _ in 0..<5000 { _ = prompt.press(.character(character)) }
    let text = prompt.text
    #expect(text.utf8.count <= Prompt.limit && text.utf8.count > Prompt.limit - 8)
    #expect(prompt.press(.character("x")) != .edited || text.utf8.count < Prompt.limit)
    let full = prompt.text.utf8.count
    #expect(prompt.press(.backspace) == .edited && prompt.text.utf8.count < full)
  }

  @Test(arguments: [
    Editing("typing at the end", [.character("!")], "one two!", cursor: 8),
    Editing("typing in the middle", [.left, .left, .left, .character("x")], "one xtwo", cursor: 5),
    Editing("backspace", [.backspace, .backspace], "one t", cursor: 5),
    Editing("delete at the start", [.home, .delete, .control("d")], "e two", cursor: 0),
    Editing("delete at the end does nothing", [.delete], "one two", cursor: 7),
    Editing("backspace at the start does nothing", [.control("a"), .backspace], "one two", cursor: 0),
    Editing("word", [.control("w"), .control("w")], "", cursor: 0),
    Editing("to the start", [.left, .control("u")], "o", cursor: 0),
    Editing("to the end", [.home, .right, .control("f"), .control("k")], "on", cursor: 2),
    Editing("there and back", [.home, .end, .control("b"), .control("e")], "one two", cursor: 7),
    Editing(
      "a mark joins the letter before", [.character("e"), .character("\u{301}")], "one twoe\u{301}", cursor: 8
    ),
    Editing("a function key", [.function(5), .up, .unknown, .control("x")], "one two", cursor: 7),
  ])
  func `edits`(_ editing: Editing) {
    var prompt = Prompt(label: "/", text: "one two")
    for key in editing.keys { _ = prompt.press(key) }
    #expect(prompt.text == editing.text)
    #expect(prompt.cursor == editing.cursor)
  }

  @Test(arguments: [
    ("an id", "user-001291", "one user-001291 two"),
    ("an id with its line's end", "  user-001291\r\n", "one user-001291 two"),
    ("several lines", "a\nb\tc\r\rd", "one a b c d two"),
    ("commands of a terminal", "a\u{1B}[31mb\u{7}", "one a\u{FFFD}[31mb\u{FFFD} two"),
    ("a text turned round", "a\u{202E}b", "one a\u{FFFD}b two"),
    ("nothing", "\r\n", "one  two"),
    (
      "more than it holds", String(repeating: "x", count: 5000),
      "one \(String(repeating: "x", count: 1016)) two"
    ),
  ])
  func `takes what is pasted`(_ name: String, _ pasted: String, _ becomes: String) {
    var prompt = Prompt(label: "/", text: "one  two")
    for _ in 0..<4 { _ = prompt.press(.left) }
    prompt.paste(pasted)
    #expect(prompt.text == becomes)
  }

  @Test func `keys are answered`() {
    var prompt = Prompt(label: "/")
    #expect(prompt.press(.character("a")) == .edited)
    #expect(prompt.press(.left) == .moved)
    #expect(prompt.press(.enter) == .submitted)
    #expect(prompt.press(.escape) == .cancelled)
    #expect(prompt.press(.function(1)) == .ignored)
  }

  @Test(
    arguments: [
      ("abc", [], 10, "/abc", 4),
      ("abc", [.home], 10, "/abc", 1),
      ("abcdefgh", [], 6, "/…fgh", 5),
      ("abcdefgh", [.home], 6, "/abcd…", 1),
      ("漢字", [.left], 10, "/漢字", 3),
      ("abc", [], 1, "…", 0),
    ] as [(String, [Key], Int, String, Int)])
  func `the cursor is always in sight`(
    _ text: String, _ keys: [Key], _ columns: Int, _ expected: String, _ cursor: Int
  ) {
    var prompt = Prompt(label: "/", text: text)
    for key in keys { _ = prompt.press(key) }
    let canvas = picture(columns, 1) { canvas, rect in prompt.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [expected])
    #expect(canvas.cursor == Point(column: cursor, row: 0))
  }
}
