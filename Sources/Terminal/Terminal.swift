import CTerminal
import Glibc
import Screen

/// Terminal, accessed through ncursesw: shows canvases, and reports keys, the mouse, resizes and signals.
///
/// Use it only on the main thread, and open only one at a time, because ncurses has one state per process.
/// Standard error is buffered meanwhile, unless redirected. If the process crashes, the terminal is restored.
public final class Terminal {
  /// Glyphs for this terminal: ASCII on request or if the locale is not UTF-8; without colours, shades are
  /// drawn as characters.
  public let glyphs: GlyphSet
  /// Colours available to the theme; `none` if `NO_COLOR` is set and not empty.
  public let colourDepth: ColourDepth
  private(set) var theme: Theme
  var looks: [Style: CellLook] = [:]
  private var shown: Canvas?
  private let output: Int32
  private let isSynchronized: Bool
  private var isOpen = true
  /// Consecutive reads that returned no key although input was ready; more than 100 mean a lost terminal.
  var emptyReads = 0
  var pasted: [Unicode.Scalar]?

  private init(_ options: TerminalOptions) {
    let isUnicode = terminal_is_utf8() && !options.ascii
    colourDepth = ColourDepth(colours: terminal_colours())
    let all: GlyphSet = isUnicode ? .unicode : .ascii
    glyphs = colourDepth == .none ? all.withoutColours : all
    theme = colourDepth == .none ? .mono : options.theme
    output = options.output
    isSynchronized = options.synchronized
    terminal_set_mouse(options.mouse)
    if options.asksBackground { terminal_ask_background() }
  }

  deinit { close() }

  /// Takes over the terminal until `close()` is called.
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

  /// Throws an error unless input and output are a terminal of a known type that can move its cursor.
  ///
  /// Must not be called while a terminal is open.
  public static func check(_ options: TerminalOptions) throws(TerminalError) {
    let type = try type(of: options)
    guard terminal_type_colours(type) >= 0 else { throw .termUnknown(type) }
    guard terminal_type_moves_cursor(type) else { throw .termIncapable(type) }
  }

  private static func type(of options: TerminalOptions) throws(TerminalError) -> String {
    guard isatty(options.input) == 1 else { throw .notATerminal(.input) }
    guard isatty(options.output) == 1 else { throw .notATerminal(.output) }
    guard let type = options.environment.type, !type.isEmpty else { throw .termUnset }
    return type
  }

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

  /// Shows a canvas if it has changed and the process is in the foreground.
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

  /// Makes the next `show` send the whole screen, because other programs may have changed it (Ctrl-L).
  public func redraw() {
    terminal_forget_screen()
    shown = nil
  }

  /// Sends a control sequence directly to the terminal; the sequence must not draw anything.
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

  public func setMouse(_ on: Bool) {
    guard isOpen else { return }
    terminal_set_mouse(on)
    terminal_flush()
  }

  /// Uses another theme from the next `show` on; has no effect if the terminal has no colours.
  public func setTheme(_ theme: Theme) {
    guard colourDepth != .none else { return }
    self.theme = theme
    looks = [:]
    shown = nil
  }

  /// Restores the terminal and stops the process, as Ctrl-Z does, until the process is continued.
  public func suspend() {
    guard isOpen else { return }
    pasted = nil
    terminal_suspend()
    shown = nil
  }

  public func close() {
    guard isOpen else { return }
    isOpen = false
    terminal_close()
  }

  func put(_ canvas: Canvas, row: Int) {
    let cells = canvas.cells(inRow: row).map(encoded)
    cells.withUnsafeBufferPointer { terminal_put_row(Int32(row), $0.baseAddress, Int32($0.count)) }
  }

  private func encoded(_ cell: Cell) -> terminal_cell {
    let look = look(of: cell.style)
    var encoded = terminal_cell()
    encoded.width = UInt8(cell.width)
    encoded.attributes = look.attributes
    encoded.pair = look.pair
    withUnsafeMutableBytes(of: &encoded.scalars) { bytes in
      let scalars = bytes.bindMemory(to: UInt32.self)
      for scalar in cell.text.unicodeScalars.prefix(scalars.count) {
        scalars[Int(encoded.scalar_count)] = scalar.value
        encoded.scalar_count += 1
      }
    }
    return encoded
  }

  private func look(of style: Style) -> CellLook {
    if let known = looks[style] { return known }
    let themed = theme[style.role].drawn(at: colourDepth)
    let ground = themed.paint.map { $0.ground.number(at: colourDepth) } ?? -1
    let pair = themed.foreground.map { terminal_colour_pair($0.number(at: colourDepth), ground) } ?? 0
    let look = CellLook(
      pair: Int16(pair), attributes: Self.bits(style.attributes.union(themed.attributes), themed))
    looks[style] = look
    return look
  }

  private static func bits(_ attributes: Attributes, _ look: Look) -> UInt8 {
    var bits: UInt32 = look.isDim ? TERMINAL_DIM.rawValue : 0
    if attributes.contains(.bold) { bits |= TERMINAL_BOLD.rawValue }
    if attributes.contains(.reverse) { bits |= TERMINAL_REVERSE.rawValue }
    if attributes.contains(.underline) { bits |= TERMINAL_UNDERLINE.rawValue }
    return UInt8(bits)
  }

  static func event(_ raw: terminal_key) -> InputEvent {
    let kind = UInt32(bitPattern: raw.kind)
    if let action = mouseActions[kind] {
      return .mouse(Mouse(action, at: Point(column: Int(raw.column), row: Int(raw.row))))
    }
    switch kind {
    case TERMINAL_KEY_CHARACTER.rawValue: return .key(character(raw.value))
    case TERMINAL_KEY_FUNCTION.rawValue: return .key(.function(Int(raw.value)))
    default: return .key(keys[kind] ?? .unknown)
    }
  }

  private static let keys: [UInt32: Key] = [
    TERMINAL_KEY_UP.rawValue: .up, TERMINAL_KEY_DOWN.rawValue: .down, TERMINAL_KEY_LEFT.rawValue: .left,
    TERMINAL_KEY_RIGHT.rawValue: .right, TERMINAL_KEY_HOME.rawValue: .home, TERMINAL_KEY_END.rawValue: .end,
    TERMINAL_KEY_PAGE_UP.rawValue: .pageUp, TERMINAL_KEY_PAGE_DOWN.rawValue: .pageDown,
    TERMINAL_KEY_ENTER.rawValue: .enter, TERMINAL_KEY_BACK_TAB.rawValue: .backTab,
    TERMINAL_KEY_BACKSPACE.rawValue: .backspace, TERMINAL_KEY_DELETE.rawValue: .delete,
    TERMINAL_KEY_INSERT.rawValue: .insert, TERMINAL_KEY_CONTROL_UP.rawValue: .controlUp,
    TERMINAL_KEY_CONTROL_DOWN.rawValue: .controlDown, TERMINAL_KEY_CONTROL_LEFT.rawValue: .controlLeft,
    TERMINAL_KEY_CONTROL_RIGHT.rawValue: .controlRight,
  ]

  private static let mouseActions: [UInt32: Mouse.Action] = [
    TERMINAL_MOUSE_LEFT.rawValue: .left, TERMINAL_MOUSE_MIDDLE.rawValue: .middle,
    TERMINAL_MOUSE_RIGHT.rawValue: .right, TERMINAL_MOUSE_WHEEL_UP.rawValue: .wheelUp,
    TERMINAL_MOUSE_WHEEL_DOWN.rawValue: .wheelDown,
  ]

  private static func character(_ value: UInt32) -> Key {
    switch value {
    case 8, 127: .backspace
    case 9: .tab
    case 10, 13: .enter
    case 27: .escape
    case 1...26: .control(Character(Unicode.Scalar(UInt8(value + 0x60))))
    case 0..<32, 128..<160: .unknown
    default: Unicode.Scalar(value).map { .character(Character($0)) } ?? .unknown
    }
  }
}
