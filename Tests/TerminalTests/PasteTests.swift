import Glibc
import Screen
import Terminal
import Testing

extension TerminalTests {
  @Test func `asks for pastes in brackets, and takes it back on every way out`() throws {
    let terminal = try Terminal.open(options())
    #expect(far.output().contains("\u{1B}[?2004h"))
    terminal.close()
    #expect(far.output().contains("\u{1B}[?2004l"))
  }

  struct Pasting: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Chunks as they are written at the far end.
    let parts: [String]
    let events: [InputEvent]

    init(_ name: String, _ parts: String..., events: InputEvent...) {
      (testDescription, self.parts, self.events) = (name, parts, events)
    }
  }

  @Test(arguments: [
    Pasting("an id", "\u{1B}[200~user-001291\u{1B}[201~", events: .paste("user-001291")),
    Pasting(
      "keys before and after", "a\u{1B}[200~qq\u{1B}[201~b",
      events: .key(.character("a")), .paste("qq"), .key(.character("b"))),
    Pasting("two", "\u{1B}[200~1\u{1B}[201~\u{1B}[200~2\u{1B}[201~", events: .paste("1"), .paste("2")),
    Pasting("in two reads", "\u{1B}[200~on", "e\u{1B}[201~", events: .paste("one")),
    Pasting(
      "other scripts", "\u{1B}[200~Gr\u{FC}\u{DF}e \u{6771}\u{1B}[201~",
      events: .paste("Gr\u{FC}\u{DF}e \u{6771}")),
    Pasting("what looks like keys", "\u{1B}[200~a\u{1B}[Ab\r\u{1B}[201~", events: .paste("ab\r")),
    Pasting(
      "without an end, and Escape", "\u{1B}[200~abc", "\u{1B}", "q", events: .paste("abc"),
      .key(.character("q"))),
    Pasting("an end alone", "\u{1B}[201~", events: .key(.unknown)),
  ])
  func `distinguishes pasted text from keys`(_ pasting: Pasting) throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    var heard: [TerminalEvent] = []
    for part in pasting.parts {
      far.type(part)
      // Reads between parts, so that they arrive in separate reads.
      heard += terminal.nextEvents(timeoutMilliseconds: 0)
    }
    heard += events(terminal, atLeast: pasting.events.count - heard.count)
    #expect(heard == pasting.events.map(TerminalEvent.input))
  }
}
