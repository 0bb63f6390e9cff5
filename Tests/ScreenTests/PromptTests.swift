import Screen
import Testing

@Suite struct PromptTests {
  struct Editing: CustomTestStringConvertible {
    let testDescription: String
    let keys: [Key]
    let text: String
    let cursor: Int

    init(_ name: String, _ keys: [Key], _ text: String, cursor: Int) {
      testDescription = name
      self.keys = keys
      self.text = text
      self.cursor = cursor
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

  struct Pasting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let becomes: String

    init(_ name: String, _ text: String, _ becomes: String) {
      (testDescription, self.text, self.becomes) = (name, text, becomes)
    }
  }

  @Test(arguments: [
    Pasting("an id", "user-001291", "one user-001291 two"),
    Pasting("an id with its line's end", "  user-001291\r\n", "one user-001291 two"),
    Pasting("several lines", "a\nb\tc\r\rd", "one a b c d two"),
    Pasting("commands of a terminal", "a\u{1B}[31mb\u{7}", "one a\u{FFFD}[31mb\u{FFFD} two"),
    Pasting("a text turned round", "a\u{202E}b", "one a\u{FFFD}b two"),
    Pasting("nothing", "\r\n", "one  two"),
    Pasting(
      "more than it holds", String(repeating: "x", count: 5000),
      "one \(String(repeating: "x", count: 1016)) two"),
  ])
  func `takes what is pasted`(_ pasting: Pasting) {
    var prompt = Prompt(label: "/", text: "one  two")
    for _ in 0..<4 { _ = prompt.press(.left) }
    prompt.paste(pasting.text)
    #expect(prompt.text == pasting.becomes)
  }

  @Test func `keys are answered`() {
    var prompt = Prompt(label: "/")
    #expect(prompt.press(.character("a")) == .edited)
    #expect(prompt.press(.left) == .moved)
    #expect(prompt.press(.enter) == .submitted)
    #expect(prompt.press(.escape) == .cancelled)
    #expect(prompt.press(.function(1)) == .ignored)
  }

  struct View: CustomTestStringConvertible {
    let text: String
    let keys: [Key]
    let columns: Int
    let expected: String
    let cursor: Int
    var testDescription: String { "\(text) in \(columns), cursor at \(cursor)" }
  }

  @Test(arguments: [
    View(text: "abc", keys: [], columns: 10, expected: "/abc", cursor: 4),
    View(text: "abc", keys: [.home], columns: 10, expected: "/abc", cursor: 1),
    View(text: "abcdefgh", keys: [], columns: 6, expected: "/…fgh", cursor: 5),
    View(text: "abcdefgh", keys: [.home], columns: 6, expected: "/abcd…", cursor: 1),
    View(text: "漢字", keys: [.left], columns: 10, expected: "/漢字", cursor: 3),
    View(text: "abc", keys: [], columns: 1, expected: "…", cursor: 0),
  ])
  func `the cursor is always in sight`(_ view: View) {
    var prompt = Prompt(label: "/", text: view.text)
    for key in view.keys { _ = prompt.press(key) }
    let canvas = picture(view.columns, 1) { canvas, rect in prompt.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [view.expected])
    #expect(canvas.cursor == Point(column: view.cursor, row: 0))
  }
}
