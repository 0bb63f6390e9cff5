import Screen
import Subscriptions

/// One command and the keys that give it.
public struct Binding: Hashable, Sendable {
  public enum Section: String, Hashable, Sendable, CaseIterable {
    case panels = "Panels"
    case moving = "Moving"
    case opening = "Open and find"
    case arranging = "Sort, filter, take"
    case sweeping = "Sweep"
    case viewing = "View"
    case program = "Program"
  }

  public let command: Command
  public internal(set) var keys: [Key]
  public let section: Section
  /// What it does, for help.
  public let title: String
  /// The word in the line of keys at the foot; nil keeps it out of there.
  public let hint: String?
  /// Where it works.
  public let contexts: Set<KeyContext>
  /// Where the word stands at the foot.
  let hinted: Set<KeyContext>

  init(
    _ command: Command, _ keys: [Key], _ section: Section, _ title: String, hint: String? = nil,
    in contexts: Set<KeyContext> = Binding.everywhere, hintedIn hinted: Set<KeyContext>? = nil
  ) {
    self.command = command
    self.keys = keys
    self.section = section
    self.title = title
    self.hint = hint
    self.contexts = contexts
    self.hinted = hinted ?? contexts
  }

  static let everywhere: Set<KeyContext> = [.panel, .sweep, .rows, .chains, .chain, .json, .products, .help]
  static let always = Set(KeyContext.allCases)
  static let data: Set<KeyContext> = [.panel, .sweep, .rows, .chains, .chain]
  static let lists: Set<KeyContext> = [.panel, .sweep, .rows, .chains, .products, .help]
  static let tabs: Set<KeyContext> = [.panel, .sweep]
}

/// The one list of keys: it gives commands to keys, and their words to the hint line and the help.
public struct KeyMap: Sendable {
  /// In the order of help.
  public internal(set) var bindings: [Binding]

  public static let standard = KeyMap(
    bindings: panels + moving + opening + arranging + sweeping + viewing + program)

  /// The bindings that are there, in the order of help.
  public func bindings(readOnly: Bool) -> [Binding] {
    bindings.filter { !(readOnly && $0.command.changesSomething) }
  }

  /// What a key means on a screen; nil where it means nothing.
  public func command(for key: Key, in context: KeyContext, readOnly: Bool) -> Command? {
    bindings(readOnly: readOnly).first { $0.contexts.contains(context) && $0.keys.contains(key) }?.command
  }

  private static let panels: [Binding] =
    zip(1..., Tab.all).map { number, tab in
      Binding(
        .show(tab), [.character(Character("\(number)"))], .panels, tab.title,
        in: Binding.data)
    } + [
      Binding(.nextPanel, [.tab], .panels, "next panel", hint: "panel", in: Binding.tabs),
      Binding(.previousPanel, [.backTab], .panels, "panel before", in: Binding.tabs),
    ]

  private static let moving: [Binding] = [
    Binding(.move(.down), [.down, .character("j")], .moving, "down, from the figures into the list"),
    Binding(.move(.up), [.up, .character("k")], .moving, "up, from the list into the figures"),
    Binding(
      .moveAside(.right), [.right, .character("l")], .moving, "to what stands right, else the next panel",
      in: Binding.tabs),
    Binding(
      .moveAside(.left), [.left, .character("h")], .moving, "to what stands left, else the panel before",
      in: Binding.tabs),
    Binding(.move(.pageDown), [.pageDown, .character(" ")], .moving, "page down"),
    Binding(.move(.pageUp), [.pageUp], .moving, "page up"),
    Binding(.move(.halfPageDown), [.control("d")], .moving, "half a page down"),
    Binding(.move(.halfPageUp), [.control("u")], .moving, "half a page up"),
    Binding(.move(.first), [.home, .character("g")], .moving, "to the first row, then to the first figure"),
    Binding(.move(.last), [.end, .character("G")], .moving, "to the last row"),
  ]

  private static let opening: [Binding] = [
    Binding(
      .open, [.enter], .opening, "opens a figure's rows, a chain, or one product alone",
      hint: "open", in: Binding.lists),
    Binding(
      .nextFigure, [.tab, .right, .character("l")], .opening,
      "rows of the next figure, where there are several",
      hint: "figure", in: [.rows]),
    Binding(
      .previousFigure, [.backTab, .left, .character("h")], .opening, "rows of the figure before", in: [.rows]),
    Binding(.find, [.character("f")], .opening, "finds chains by any id", hint: "find", in: Binding.data),
    Binding(.back, [.escape], .opening, "every row again, then back; at the top every product again"),
    Binding(
      .palette, [.character(":")], .opening, "a command by its name", in: Binding.data),
  ]

  private static let arranging: [Binding] = [
    Binding(
      .filter, [.character("/")], .arranging, "filters the list: product:gold days>10 !trial", hint: "filter",
      in: Binding.lists, hintedIn: [.panel, .rows, .chains]),
    Binding(.nextMatch, [.character("n")], .arranging, "next row that the filter matches", in: Binding.lists),
    Binding(
      .previousMatch, [.character("N")], .arranging, "row before that it matches", in: Binding.lists),
    Binding(.sortRight, [.character(">")], .arranging, "sorts by the column right", in: Binding.lists),
    Binding(.sortLeft, [.character("<")], .arranging, "sorts by the column left", in: Binding.lists),
    Binding(.reverseSort, [.character("r")], .arranging, "turns the order round", in: Binding.lists),
    Binding(
      .copy, [.character("y")], .arranging, "copies the id, or the JSON", hint: "copy",
      in: Binding.data.union([.json, .products]), hintedIn: [.json]),
    Binding(.copyRow, [.character("Y")], .arranging, "copies the row", in: Binding.lists),
    Binding(.export, [.control("s")], .arranging, "writes the list as it shows", in: Binding.lists),
  ]

  private static let sweeping: [Binding] = [
    Binding(
      .sweepDue, [.character("s")], .sweeping, "sweeps the receipts that are due", hint: "sweep",
      in: Binding.data),
    Binding(
      .sweepAll, [.character("S")], .sweeping, "sweeps every receipt", hint: "all", in: Binding.data,
      hintedIn: [.sweep]),
    Binding(
      .sweepDead, [.character("D")], .sweeping, "sweeps the dead receipts, which are given another chance",
      hint: "dead", in: [.sweep]),
    Binding(
      .sweepChain, [.character("v")], .sweeping, "asks Apple about the chain's receipts now",
      hint: "ask Apple", in: [.chain]),
    Binding(
      .pauseOrResume, [.character("p")], .sweeping, "pauses the sweep, or has it go on", hint: "pause",
      in: Binding.data, hintedIn: [.sweep]),
    Binding(.stopSweep, [.character("x")], .sweeping, "stops the sweep", hint: "stop", in: Binding.data),
  ]

  private static let viewing: [Binding] = [
    Binding(
      .nextWindow, [.character("w")], .viewing, "window of 7, 28, 90 or 365 days, or all", hint: "days",
      in: [.panel, .rows]),
    Binding(
      .nextEnvironment, [.character("e")], .viewing, "production, sandbox or all", hint: "env",
      in: [.panel, .rows]),
    Binding(
      .pickProduct, [.character("P")], .viewing, "one product alone, or every one",
      in: [.panel, .rows]),
    Binding(.nextZone, [.character("z")], .viewing, "times in the next time zone", in: Binding.data),
    Binding(
      .json, [.character("J")], .opening, "the chain as JSON, as `subtop chain` prints it", hint: "JSON",
      in: [.chain]),
    Binding(
      .reload, [.character("R"), .control("r"), .function(5)], .viewing, "reads the store anew",
      in: Binding.data),
    Binding(
      .toggleMouse, [.character("m")], .viewing, "hears the mouse or leaves it to the terminal",
      in: Binding.everywhere),
    Binding(.nextTheme, [.character("T")], .viewing, "the next theme", in: Binding.everywhere),
    Binding(.redraw, [.control("l")], .viewing, "draws the screen anew", in: Binding.always),
  ]

  private static let program: [Binding] = [
    Binding(
      .leave, [.character("q")], .program, "back, and quits at the top", hint: "quit", in: Binding.always),
    Binding(.quit, [.control("c"), .function(10)], .program, "quits", in: Binding.always),
    Binding(.suspend, [.control("z")], .program, "to the shell until fg", in: Binding.always),
    Binding(
      .help, [.character("?"), .function(1)], .program, "these keys", hint: "keys", in: Binding.everywhere),
  ]
}
