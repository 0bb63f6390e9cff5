import Glibc
import Screen
import Terminal
import Testing

/// Runs ncurses on a pseudoterminal, one test at a time, since ncurses has process-wide state.
@Suite(.serialized) struct TerminalTests {
  let far: Pseudoterminal

  init() throws { far = try Pseudoterminal() }

  func options(
    _ type: String? = "xterm-256color", theme: Theme = .terminal, mouse: Bool = false, ascii: Bool = false,
    refusesColour: Bool = false, locale: String = "C.UTF-8"
  ) -> TerminalOptions {
    TerminalOptions(
      theme: theme, mouse: mouse, ascii: ascii,
      environment: TerminalEnvironment(type: type, refusesColour: refusesColour, locale: locale),
      input: far.near, output: far.near)
  }

  func firstFrame(_ options: TerminalOptions, _ draw: (inout Canvas) -> Void) throws -> String {
    let terminal = try Terminal.open(options)
    defer { terminal.close() }
    var canvas = Canvas(size: terminal.size, glyphs: terminal.glyphs)
    draw(&canvas)
    _ = far.output()
    terminal.show(canvas)
    return far.output()
  }

  func events(_ terminal: Terminal, atLeast count: Int = 1) -> [TerminalEvent] {
    let end = ContinuousClock.now + .seconds(120)
    var events: [TerminalEvent] = []
    while events.count < count, .now < end { events += terminal.nextEvents(timeoutMilliseconds: 100) }
    return events
  }

  @Test func `opening takes the terminal and closing gives it back as it was`() throws {
    let before = far.modes()
    let terminal = try Terminal.open(options(mouse: true))
    terminal.show(Canvas(size: terminal.size))
    let opened = far.output()
    #expect(opened.contains("\u{1B}[?1049h"))
    #expect(opened.contains("\u{1B}[?1000h") || opened.contains("1000h"))
    #expect(far.modes() != before)
    terminal.close()
    let closed = far.output()
    #expect(closed.contains("\u{1B}[?1049l"))
    #expect(closed.contains("\u{1B}[?25h") || closed.contains("\u{1B}[?12l"))
    #expect(closed.contains("1000l"))
    #expect(far.modes() == before)
    terminal.close()
    #expect(far.output().isEmpty)
  }

  @Test func `only one is open at a time, and it can be opened again`() throws {
    let first = try Terminal.open(options())
    #expect(throws: TerminalError.alreadyOpen) { _ = try Terminal.open(options()) }
    first.close()
    let second = try Terminal.open(options())
    #expect(second.size == Size(columns: 80, rows: 24))
    second.close()
  }

  @Test func `letting go of it closes it`() throws {
    let before = far.modes()
    do { _ = try Terminal.open(options()) }
    #expect(far.modes() == before)
  }

  @Test func `refuses what is no terminal`() throws {
    var toNothing = options()
    let null = open("/dev/null", O_RDWR)
    defer { close(null) }
    toNothing.input = null
    #expect(throws: TerminalError.notATerminal(.input)) { _ = try Terminal.open(toNothing) }
    toNothing = options()
    toNothing.output = null
    #expect(throws: TerminalError.notATerminal(.output)) { _ = try Terminal.open(toNothing) }
  }

  @Test func `a synchronized frame stands in brackets, and an unchanged one writes none`() throws {
    var settings = options()
    settings.synchronized = true
    let terminal = try Terminal.open(settings)
    defer { terminal.close() }
    var canvas = Canvas(size: terminal.size, glyphs: terminal.glyphs)
    canvas.put("shown", column: 0, row: 0)
    _ = far.output()
    terminal.show(canvas)
    let frame = far.output()
    #expect(frame.hasPrefix("\u{1B}[?2026h") && frame.hasSuffix("\u{1B}[?2026l") && frame.contains("shown"))
    terminal.show(canvas)
    #expect(far.output().isEmpty)
  }

  @Test func `an unchanged frame writes nothing and a changed cell little`() throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    var canvas = Canvas(size: terminal.size, glyphs: terminal.glyphs)
    for row in 0..<24 { canvas.put("row \(row) of a full screen", column: 0, row: row, .accent) }
    terminal.show(canvas)
    #expect(far.output().contains("row 23"))
    terminal.show(canvas)
    #expect(far.output().isEmpty)
    canvas.put("X", column: 79, row: 23)
    terminal.show(canvas)
    let change = far.output()
    #expect(change.contains("X"))
    #expect(change.utf8.count < 60)
    terminal.redraw()
    terminal.show(canvas)
    #expect(far.output().contains("row 0 of a full screen"))
  }

  @Test(
    arguments: [
      ("xterm-256color", .many, "\u{1B}[32m"),
      ("tmux-256color", .many, "\u{1B}[32m"),
      ("xterm", .eight, "\u{1B}[32m"),
      ("linux", .eight, "\u{1B}[32m"),
      ("vt100", .none, nil),
      ("xterm-mono", .none, nil),
    ] as [(String, ColourDepth, String?)])
  func `every kind of terminal shows the frame in its colours`(
    _ type: String, _ depth: ColourDepth, _ colour: String?
  ) throws {
    let terminal = try Terminal.open(options(type))
    #expect(terminal.colourDepth == depth)
    terminal.close()
    let frame = try firstFrame(options(type)) { canvas in
      canvas.put("good", column: 0, row: 0, .good)
      canvas.put("chosen", column: 0, row: 1, .selection)
    }
    #expect(frame.contains("good") && frame.contains("chosen"))
    #expect(frame.contains("[7m") || frame.contains("\u{1B}[0;10;7m") || frame.contains(";7m"))
    if let colour = colour {
      #expect(frame.contains(colour))
    } else {
      #expect(!frame.contains("[3"))
    }
  }

  @Test func `NO_COLOR leaves bold and reverse`() throws {
    let frame = try firstFrame(options(refusesColour: true)) { canvas in
      canvas.put("bad", column: 0, row: 0, .bad)
      canvas.put("chosen", column: 0, row: 1, .selection)
    }
    #expect(!frame.contains("[3"))
    #expect(frame.contains("[0;1m") && frame.contains("[0;7m"))
  }

  @Test func `every role of every theme is drawn, within the pairs there are`() throws {
    for theme in Theme.all {
      let frame = try firstFrame(options(theme: theme)) { canvas in
        for (row, role) in Role.allCases.enumerated() {
          canvas.put("\(role)", column: 0, row: row, Style(role))
        }
      }
      for role in Role.allCases { #expect(frame.contains("\(role)")) }
    }
    let dark = try firstFrame(options(theme: .dark)) { $0.put("x", column: 0, row: 0, .good) }
    #expect(dark.contains("38;5;114"))
  }

  @Test func `wide and combining characters reach the terminal`() throws {
    let frame = try firstFrame(options()) { canvas in
      canvas.put("漢字 cafe\u{301} 👍 █▏…", column: 0, row: 0)
      canvas.put("right", column: 74, row: 23)
      canvas.put("字", column: 78, row: 22)
    }
    #expect(frame.contains("漢字"))
    #expect(frame.unicodeScalars.contains("\u{301}"))
    #expect(frame.contains("👍"))
    #expect(frame.contains("█▏…"))
    #expect(frame.contains("字"))
  }

  @Test func `without UTF-8 everything is ASCII`() throws {
    for options in [options(locale: "C"), options(ascii: true)] {
      let terminal = try Terminal.open(options)
      #expect(terminal.glyphs == .ascii)
      terminal.close()
      let frame = try firstFrame(options) { canvas in
        canvas.frame(canvas.bounds)
        canvas.put("漢字 é", column: 2, row: 2)
      }
      #expect(frame.utf8.allSatisfy { $0 < 0x80 })
      #expect(frame.contains("?? ?"))
    }
  }

  struct Press: CustomTestStringConvertible {
    let testDescription: String
    let typed: String
    let keys: [Key]

    init(_ name: String, _ typed: String, _ keys: Key...) {
      (testDescription, self.typed, self.keys) = (name, typed, keys)
    }
  }

  @Test(arguments: [
    Press("letters", "aZ?", .character("a"), .character("Z"), .character("?")),
    Press("beyond ASCII", "é中👍", .character("é"), .character("中"), .character("👍")),
    Press("return, tab, backspace", "\r\n\t\u{7F}\u{8}", .enter, .enter, .tab, .backspace, .backspace),
    Press("control", "\u{1}\u{12}\u{18}", .control("a"), .control("r"), .control("x")),
    Press(
      "flow control is not taken", "\u{13}\u{11}\u{16}\u{F}", .control("s"), .control("q"), .control("v"),
      .control("o")),
    Press("arrows of the keypad", "\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", .up, .down, .right, .left),
    Press("arrows without it", "\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", .up, .down, .right, .left),
    Press(
      "home and end", "\u{1B}OH\u{1B}[H\u{1B}[1~\u{1B}OF\u{1B}[F\u{1B}[4~", .home, .home, .home, .end, .end,
      .end),
    Press("pages", "\u{1B}[5~\u{1B}[6~", .pageUp, .pageDown),
    Press("insert and delete", "\u{1B}[2~\u{1B}[3~", .insert, .delete),
    Press("back tab", "\u{1B}[Z", .backTab),
    Press(
      "arrows with Ctrl", "\u{1B}[1;5A\u{1B}[1;5B\u{1B}[1;5C\u{1B}[1;5D\u{1B}Oa", .controlUp, .controlDown,
      .controlRight, .controlLeft, .controlUp),
    Press(
      "function keys", "\u{1B}OP\u{1B}[12~\u{1B}[15~\u{1B}[24~", .function(1), .function(2), .function(5),
      .function(12)),
    Press("escape alone", "\u{1B}", .escape),
    Press("escape and a letter", "\u{1B}q", .escape, .character("q")),
    Press("escape twice", "\u{1B}\u{1B}", .escape, .escape),
    Press("an unknown sequence", "\u{1B}[99;7Xq", .unknown, .character("q")),
    Press("an unknown keypad letter", "\u{1B}Ozq", .unknown, .character("q")),
  ])
  func `keys are reported`(_ press: Press) throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    far.type(press.typed)
    #expect(events(terminal, atLeast: press.keys.count) == press.keys.map { .input(.key($0)) })
  }

  @Test(
    arguments: [
      (["\u{1B}]11;rgb:ffff/ffff/dddd\u{7}q"], true), (["\u{1B}]11;rgb:1e/1e/2e\u{1B}\\q"], false),
      (["\u{1B}]11;rgb:ff", "ff/ffff/ffff\u{7}q"], true), (["\u{1B}]q"], nil),
    ] as [([String], Bool?)])
  func `the background is asked for, and its answer is no key`(_ parts: [String], _ isLight: Bool?) throws {
    var options = options()
    options.asksBackground = true
    let terminal = try Terminal.open(options)
    defer { terminal.close() }
    #expect(far.output().contains("\u{1B}]11;?\u{1B}\\"))
    var events: [TerminalEvent] = []
    for part in parts {
      far.type(part)
      events += terminal.nextEvents(timeoutMilliseconds: 200)
    }
    #expect(events == (isLight.map { [.background(isLight: $0)] } ?? []) + [.input(.key(.character("q")))])
  }

  @Test func `a first Ctrl-C that was read leaves the second to the program`() throws {
    let before = signal(SIGINT, SIG_DFL)
    defer { signal(SIGINT, before) }
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    for _ in 1...3 {
      kill(getpid(), SIGINT)
      #expect(events(terminal) == [.terminate(signal: SIGINT)])
    }
  }

  @Test func `the mouse is reported while it is on`() throws {
    let terminal = try Terminal.open(options(mouse: true))
    defer { terminal.close() }
    far.type("\u{1B}[<0;12;5M\u{1B}[<0;12;5m\u{1B}[<64;1;1M\u{1B}[<65;229;24M\u{1B}[<2;3;4M")
    let reports = events(terminal, atLeast: 4)
    #expect(
      reports == [
        .input(.mouse(Mouse(.left, at: Point(column: 11, row: 4)))),
        .input(.mouse(Mouse(.wheelUp, at: Point(column: 0, row: 0)))),
        .input(.mouse(Mouse(.wheelDown, at: Point(column: 228, row: 23)))),
        .input(.mouse(Mouse(.right, at: Point(column: 2, row: 3)))),
      ])
    _ = far.output()
    terminal.setMouse(false)
    #expect(far.output().contains("1000l"))
    terminal.setMouse(true)
    #expect(far.output().contains("1000h"))
  }

  @Test func `mail wakes the loop, and time passes without events`() throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(terminal.nextEvents(timeoutMilliseconds: 0, wakeDescriptor: ends[0]) == [])
    _ = write(ends[1], [UInt8(1)], 1)
    #expect(terminal.nextEvents(timeoutMilliseconds: 120_000, wakeDescriptor: ends[0]) == [.woken])
    far.type("q")
    let both = terminal.nextEvents(timeoutMilliseconds: 120_000, wakeDescriptor: ends[0])
    #expect(both == [.input(.key(.character("q"))), .woken])
  }

  @Test func `a closed window is a hangup`() throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    far.closeFarEnd()
    #expect(events(terminal).contains(.hangup))
  }

  @Test func `the cursor shows where a prompt wants it`() throws {
    let terminal = try Terminal.open(options())
    defer { terminal.close() }
    var canvas = Canvas(size: terminal.size, glyphs: terminal.glyphs)
    terminal.show(canvas)
    _ = far.output()
    Prompt(label: "/", text: "ab").draw(on: &canvas, in: Rect(column: 0, row: 23, columns: 80, rows: 1))
    terminal.show(canvas)
    let shown = far.output()
    #expect(shown.contains("ab"))
    #expect(shown.contains("\u{1B}[?25h") || shown.contains("\u{1B}[?12l"))
    terminal.show(Canvas(size: terminal.size))
    #expect(far.output().contains("\u{1B}[?25l"))
  }
}

extension TerminalTests {

  /// Needs the terminfo entries of these types; *ncurses-term* contains all of them.
  @Test(arguments: [
    ("xterm-256color", true, "\u{1B}[38:2::126:199:123m"),
    ("xterm-direct", false, "\u{1B}[38:2::126:199:123m"),
    ("xterm-256color", false, "\u{1B}[38;5;114m"),
    ("tmux-256color", true, "\u{1B}[38;5;114m"),
    ("screen", false, "\u{1B}[32m"), ("linux", false, "\u{1B}[32m"),
  ])
  func `a theme's colours are as exact as the terminal`(
    _ type: String, _ colorterm: Bool, _ sequence: String
  ) throws {
    var options = options(type, theme: .dark)
    options.environment.showsEveryColour = colorterm
    let frame = try firstFrame(options) { $0.put("good", column: 0, row: 0, .good) }
    #expect(frame.contains("good"))
    #expect(frame.contains(sequence), "\(frame.debugDescription.suffix(400))")
  }
}
