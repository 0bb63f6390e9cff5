import CTerminal
import Glibc
import Screen

/// The terminal, through ncursesw: shows canvases, and tells keys, the mouse, sizes and signals.
///
/// For the main thread only: ncurses keeps one state for the process, and one terminal can be open at a
/// time. While it is open, standard error is kept aside and replayed when the terminal is given back, so that
/// neither a library's message nor a crash report tears the screen; a crash gives the terminal back first.
public final class Terminal {
  /// What canvases for this terminal are drawn with: ASCII unless the locale is UTF-8, with shades where it has no colours.
  public let glyphs: GlyphSet
  /// How many colours the theme has to do with; none under `NO_COLOR`.
  public let colourDepth: ColourDepth
  private(set) var theme: Theme
  var looks: [Style: CellLook] = [:]
  private var shown: Canvas?
  private let output: Int32
  private let isSynchronized: Bool
  private var isOpen = true
  /// Readable input without a key in it, in a row: a terminal at its end answers so for ever.
  var emptyReads = 0
  /// What has come of a paste so far; nil while nothing is being pasted.
  var pasted: PastedText?

  private init(_ options: TerminalOptions) {
    let isUnicode = terminal_is_utf8() && !options.ascii
    colourDepth = ColourDepth(colours: terminal_colours())
    let all: GlyphSet = isUnicode ? .unicode : .ascii
    glyphs = colourDepth == .none ? all.withoutColours : all
    theme = colourDepth == .none ? .mono : options.theme
    output = options.output
    isSynchronized = options.synchronized
    terminal_set_mouse(options.mouse)
  }

  deinit { close() }

  /// Takes the terminal over, which `close` gives back.
  public static func open(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) -> Terminal {
    let type = try type(of: options)
    var result = Int32(bitPattern: TERMINAL_TYPE_UNKNOWN.rawValue)
    for type in options.environment.types where UInt32(bitPattern: result) == TERMINAL_TYPE_UNKNOWN.rawValue {
      result = open(type, options)
    }
    switch UInt32(result) {
    case TERMINAL_OPENED.rawValue: return Terminal(options)
    case TERMINAL_ALREADY_OPEN.rawValue: throw .alreadyOpen
    case TERMINAL_TYPE_UNKNOWN.rawValue: throw .termUnknown(type)
    case TERMINAL_TYPE_INCAPABLE.rawValue: throw .termIncapable(type)
    default: throw .outOfResources
    }
  }

  /// Refuses what is no terminal, or of a kind that terminfo does not know or that nothing can be drawn on, and touches nothing.
  /// Not while one is open.
  public static func check(_ options: TerminalOptions) throws(TerminalError) {
    let type = try type(of: options)
    guard TerminalType.colours(of: type) != nil else { throw .termUnknown(type) }
    guard TerminalType.movesCursor(type) else { throw .termIncapable(type) }
  }

  private static func type(of options: TerminalOptions) throws(TerminalError) -> String {
    guard isatty(options.input) == 1 else { throw .notATerminal(.input) }
    guard isatty(options.output) == 1 else { throw .notATerminal(.output) }
    guard let type = options.environment.type, !type.isEmpty else { throw .termUnset }
    return type
  }

  /// - Returns: one of `TERMINAL_OPENED` and its like.
  private static func open(_ type: String, _ options: TerminalOptions) -> Int32 {
    type.withCString { type in
      options.environment.locale.withCString { locale in
        var settings = terminal_settings(
          input: options.input, output: options.output, type: type, locale: locale,
          escape_delay: options.environment.escapeDelay,
          use_colours: !options.environment.refusesColour)
        return terminal_open(&settings)
      }
    }
  }

  public var size: Size { Size(columns: Int(terminal_columns()), rows: Int(terminal_rows())) }

  /// Shows a canvas; one that equals what is shown sends nothing, nor does one in the background.
  public func show(_ canvas: Canvas) {
    guard isOpen, !terminal_is_away(), canvas != shown else { return }
    if isSynchronized { send("\u{1B}[?2026h") }
    defer { if isSynchronized { send("\u{1B}[?2026l") } }
    for row in canvas.changedRows(since: shown) { put(canvas, row: row) }
    if let cursor = canvas.cursor {
      terminal_show_cursor(Int32(cursor.column), Int32(cursor.row))
    } else {
      terminal_hide_cursor()
    }
    terminal_flush()
    shown = canvas
  }

  /// Sends everything at the next `show`, for when something else has written on the terminal (Ctrl-L).
  public func redraw() {
    terminal_forget_screen()
    shown = nil
  }

  /// Sends a sequence that draws nothing, past what is drawn.
  public func send(_ sequence: String) {
    guard isOpen, !terminal_is_away() else { return }
    var rest = Array(sequence.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Switches the mouse reports on or off.
  public func setMouse(_ on: Bool) {
    guard isOpen else { return }
    terminal_set_mouse(on)
    terminal_flush()
  }

  /// Draws everything in another theme from the next `show` on; where there are no colours, nothing changes.
  public func setTheme(_ theme: Theme) {
    guard colourDepth != .none else { return }
    self.theme = theme
    looks = [:]
    shown = nil
  }

  /// Stops the program as Ctrl-Z does, the terminal given back; returns when it is continued.
  public func suspend() {
    guard isOpen else { return }
    pasted = nil
    terminal_suspend()
    shown = nil
  }

  /// Gives the terminal back as it was; a second time does nothing.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    terminal_close()
  }
}
