import Screen

/// A command and its keys.
public struct Binding: Hashable, Sendable {
  /// Section of the help that lists the command.
  public enum Section: String, Hashable, Sendable, CaseIterable {
    case panels = "Panels"
    case moving = "Moving"
    case drillDown = "Open and find"
    case arranging = "Sort, filter, take"
    case sweeping = "Sweep"
    case viewing = "View"
    case program = "Program"
    case own = "Your own"
  }

  public let command: Command
  public internal(set) var keys: [Key]
  public let section: Section
  public let title: String
  /// Word for the hint line at the bottom; `nil` leaves it out.
  public let hint: String?
  public let contexts: Set<KeyContext>
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
    self.contexts = contexts.withPanelsOfTheirOwn
    self.hinted = (hinted ?? contexts).withPanelsOfTheirOwn
  }

  static let everywhere: Set<KeyContext> = [
    .panel, .sweep, .rows, .compared, .chains, .receipts, .chain, .evidence, .json, .products, .help,
    .messages,
  ]
  static let always = Set(KeyContext.allCases)
  static let data: Set<KeyContext> = [.panel, .sweep, .rows, .compared, .chains, .receipts, .chain]
  /// Screens that the history of views contains.
  static let places = data.union([.evidence, .json])
  static let lists: Set<KeyContext> = [
    .panel, .sweep, .rows, .compared, .chains, .receipts, .evidence, .products, .help, .messages,
  ]
  static let tabs: Set<KeyContext> = [.panel, .sweep]
  /// Screens whose rows are subscriptions or receipts.
  static let markable: Set<KeyContext> = [.panel, .rows, .chains, .receipts]
}

extension Set<KeyContext> {
  /// Panels with keys of their own also have the keys of every panel.
  fileprivate var withPanelsOfTheirOwn: Set<KeyContext> {
    contains(.panel) ? union([.cohorts, .movement]) : self
  }
}

/// All key bindings. Input, hint line, help and palette use this list.
public struct KeyMap: Sendable {
  public internal(set) var bindings: [Binding]

  public static let standard = KeyMap(
    bindings: panels + moving + drillDown + arranging + sweeping + viewing + program)

  public func bindings(readOnly: Bool) -> [Binding] {
    bindings.filter { !(readOnly && $0.command.changesSomething) }
  }

  public func command(for key: Key, in context: KeyContext, readOnly: Bool) -> Command? {
    bindings(readOnly: readOnly).first { $0.contexts.contains(context) && $0.keys.contains(key) }?.command
  }

  func opensPrompt(_ key: Key) -> Bool {
    bindings.contains { $0.command.opensPrompt && $0.keys.contains(key) }
  }

  private static let panels: [Binding] =
    Tab.all.map { tab in
      Binding(.show(tab), [.character(tab.key)], .panels, tab.title, in: Binding.data)
    } + [
      Binding(.nextPanel, [.tab], .panels, "next panel", hint: "panel", in: Binding.tabs),
      Binding(.previousPanel, [.backTab], .panels, "previous panel", in: Binding.tabs),
    ]

  private static let moving: [Binding] = [
    Binding(.move(.down), [.down, .character("j")], .moving, "down, from the figures into the list"),
    Binding(.move(.up), [.up, .character("k")], .moving, "up, from the list into the figures"),
    Binding(
      .moveAside(.right), [.right, .character("l")], .moving,
      "to the next block, or the next panel",
      in: Binding.tabs),
    Binding(
      .moveAside(.left), [.left, .character("h")], .moving,
      "to the block before, or the panel before",
      in: Binding.tabs),
    Binding(.move(.pageDown), [.pageDown, .character(" ")], .moving, "page down"),
    Binding(.move(.pageUp), [.pageUp], .moving, "page up"),
    Binding(.move(.halfPageDown), [.control("d")], .moving, "half a page down"),
    Binding(.move(.halfPageUp), [.control("u")], .moving, "half a page up"),
    Binding(.move(.first), [.home, .character("g")], .moving, "to the first row, then to the first figure"),
    Binding(.move(.last), [.end, .character("G")], .moving, "to the last row"),
  ]

  private static let drillDown: [Binding] = [
    Binding(
      .open, [.enter], .drillDown, "opens a figure's rows, a history, a product",
      hint: "open", in: Binding.lists),
    Binding(
      .numbers, [.character("a")], .viewing, "cohorts in numbers or in shares", hint: "numbers",
      in: [.cohorts]),
    Binding(
      .nextMeasure, [.character("b")], .viewing, "cohorts of subscribers, MRR, each currency",
      hint: "measure", in: [.cohorts]),
    Binding(
      .nextFigure, [.tab, .right, .character("l")], .drillDown,
      "rows of the next figure, if there are more",
      hint: "figure", in: [.rows]),
    Binding(
      .previousFigure, [.backTab, .left, .character("h")], .drillDown, "rows of the previous figure",
      in: [.rows]),
    Binding(
      .find, [.character("f")], .drillDown, "finds by a part of any id, figure, product", hint: "find",
      in: Binding.data),
    Binding(
      .alerts, [.character("A")], .drillDown, "the alerts of the configuration", in: Binding.data),
    Binding(.back, [.escape], .drillDown, "clears a filter or a product, or goes back"),
    Binding(
      .earlierView, [.character("[")], .drillDown, "the screen before, with figures of now",
      in: Binding.places),
    Binding(
      .laterView, [.character("]")], .drillDown, "the screen that you went back from",
      in: Binding.places),
    Binding(
      .palette, [.character(":")], .drillDown, "runs a command by its name", in: Binding.data),
  ]

  private static let arranging: [Binding] = [
    Binding(
      .filter, [.character("/")], .arranging, "filters rows: product:gold days>10 !trial", hint: "filter",
      in: Binding.lists.union([.chain]), hintedIn: [.panel, .rows, .chains, .evidence]),
    Binding(.nextMatch, [.character("n")], .arranging, "next row that the filter matches", in: Binding.lists),
    Binding(
      .previousMatch, [.character("N")], .arranging, "previous row that the filter matches", in: Binding.lists
    ),
    Binding(
      .sortRight, [.character(">")], .arranging, "sorts by the next column to the right", in: Binding.lists),
    Binding(
      .sortLeft, [.character("<")], .arranging, "sorts by the next column to the left", in: Binding.lists),
    Binding(.reverseSort, [.character("r")], .arranging, "reverses the order", in: Binding.lists),
    Binding(
      .copy, [.character("y")], .arranging, "copies the id, or the JSON", hint: "copy",
      in: Binding.data.union([.evidence, .json, .products]), hintedIn: [.evidence, .json]),
    Binding(.copyRow, [.character("Y")], .arranging, "copies the row", in: Binding.lists),
    Binding(
      .copyTicket, [.character("Y")], .arranging, "copies five plain lines for a ticket", hint: "ticket",
      in: [.chain]),
    Binding(
      .export, [.control("s")], .arranging, "writes the list, as it shows, to a file",
      in: Binding.lists.union([.chain])),
  ]

  private static let sweeping: [Binding] = [
    Binding(
      .sweepDue, [.character("s")], .sweeping, "sweeps the receipts that are due", hint: "sweep",
      in: Binding.data),
    Binding(
      .sweepAll, [.character("S")], .sweeping, "sweeps every receipt, once you confirm", hint: "all",
      in: Binding.data, hintedIn: [.sweep]),
    Binding(
      .sweepList, [.character("L")], .sweeping, "sweeps the marked rows, or else the list",
      hint: "sweep list", in: Binding.markable, hintedIn: [.receipts]),
    Binding(
      .mark, [.character("t")], .sweeping, "marks the row, or removes its mark", hint: "mark",
      in: Binding.markable, hintedIn: [.receipts]),
    Binding(.unmark, [.character("u")], .sweeping, "removes every mark of the list", in: Binding.markable),
    Binding(
      .sweepDead, [.character("D")], .sweeping, "sweeps again receipts that were given up",
      hint: "given up", in: [.sweep]),
    Binding(
      .sweepChain, [.character("v")], .sweeping,
      "asks Apple about it now, ahead of any sweep",
      hint: "ask Apple", in: [.chain]),
    Binding(
      .pauseOrResume, [.character("p")], .sweeping, "pauses the sweep, or resumes it", hint: "pause",
      in: Binding.data, hintedIn: [.sweep]),
    Binding(.stopSweep, [.character("x")], .sweeping, "stops the sweep", hint: "stop", in: Binding.data),
  ]

  private static let viewing: [Binding] = [
    Binding(
      .nextWindow, [.character("w")], .viewing, "figures of 7, 28, 90 or 365 days, or all",
      hint: "days",
      in: [.panel, .rows, .compared]),
    Binding(
      .nextEnvironment, [.character("e")], .viewing, "figures of production, sandbox or both", hint: "env",
      in: [.panel, .rows, .compared], hintedIn: [.panel, .rows]),
    Binding(
      .pickProduct, [.character("P")], .viewing, "one product, storefront or offer, or all",
      in: [.panel, .rows]),
    Binding(
      .nextSplit, [.character("b")], .viewing,
      "movement by product, store, kind, currency", hint: "split", in: [.movement]),
    Binding(
      .nextStretch, [.character("i")], .viewing, "movement by week, by month, or as a whole",
      hint: "weeks", in: [.movement]),
    Binding(.nextZone, [.character("z")], .viewing, "shows times in the next time zone", in: Binding.data),
    Binding(
      .json, [.character("J")], .drillDown,
      "every known field; again: JSON", hint: "fields",
      in: [.chain, .evidence]),
    Binding(
      .reload, [.character("R"), .control("r"), .function(5)], .viewing,
      "reads the store again, for figures of now",
      in: Binding.data),
    Binding(
      .freeze, [.character("F")], .viewing,
      "freezes the figures; again: goes on",
      in: Binding.data),
    Binding(
      .messages, [.character("M")], .viewing, "the messages shown so far", in: Binding.data),
    Binding(
      .toggleMouse, [.character("m")], .viewing, "uses the mouse or leaves it to the terminal",
      in: Binding.everywhere),
    Binding(.nextTheme, [.character("T")], .viewing, "the next theme of colours", in: Binding.everywhere),
    Binding(.redraw, [.control("l")], .viewing, "redraws the screen", in: Binding.always),
  ]

  private static let program: [Binding] = [
    Binding(
      .leave, [.character("q")], .program, "goes back; at the top, quits", hint: "quit", in: Binding.always),
    Binding(.quit, [.control("c"), .function(10)], .program, "quits", in: Binding.always),
    Binding(.suspend, [.control("z")], .program, "suspends to the shell; fg comes back", in: Binding.always),
    Binding(
      .compare, [.character("=")], .viewing,
      "compares windows, products and more",
      hint: "compare", in: [.panel, .compared], hintedIn: [.panel]),
    Binding(
      .help, [.character("?"), .function(1)], .program, "these keys", hint: "keys", in: Binding.everywhere),
  ]
}

extension KeyMap {
  /// Returns a key map with programs from the configuration. Their keys are removed from other commands on
  /// the same screens.
  public func adding(_ own: [OwnCommand]) throws(Problem) -> KeyMap {
    var map = self
    // If several programs share a key, the last one gets it.
    let last = Dictionary(
      own.compactMap { command in command.key.map { ($0, command.name) } }, uniquingKeysWith: { $1 })
    let added = own.map { command in
      Binding(
        .own(command), command.key.map { last[$0] == command.name ? [$0] : [] } ?? [], .own,
        "runs \(command.words.joined(separator: " "))", in: Binding.markable.union([.chain]))
    }
    var names = Set(bindings.map(\.command.name))
    for binding in added {
      guard names.insert(binding.command.name).inserted else { throw .taken(binding.command.name) }
    }
    let contexts = added.first?.contexts ?? []
    for index in map.bindings.indices where !map.bindings[index].contexts.isDisjoint(with: contexts) {
      map.bindings[index].keys.removeAll { last[$0] != nil }
    }
    map.bindings += added
    return try map.withNeededKeys()
  }
}

extension KeyMap {
  /// Returns the hints for the bottom line of a screen.
  ///
  /// - Parameters:
  ///   - isTop: Whether `q` quits.
  ///   - isPaused: Whether a sweep is paused.
  ///   - useless: Commands that have no effect now, left out.
  func hints(
    in context: KeyContext, readOnly: Bool, isTop: Bool, isPaused: Bool, without useless: Set<Command>
  ) -> [KeyHint] {
    bindings(readOnly: readOnly).compactMap { binding in
      guard binding.hinted.contains(context), !useless.contains(binding.command),
        let key = binding.keys.first,
        let hint = binding.hint
      else { return nil }
      switch binding.command {
      case .leave where !isTop: return KeyHint(key.name, "back")
      case .json where context == .evidence: return KeyHint(key.name, "JSON")
      case .pauseOrResume where isPaused: return KeyHint(key.name, "resume")
      default: return KeyHint(key.name, hint)
      }
    }
  }
}

extension KeyMap {
  /// Error in the key bindings of the configuration.
  public enum Problem: Error, Hashable {
    case unknownCommand(String)
    /// `quit` and `help` must keep a key.
    case needed(String)
    /// A program from the configuration has the name of another command.
    case taken(String)

    public var sentence: String {
      switch self {
      case .unknownCommand(let name):
        "there is no command \(name); the list of keys (`?`) names them in its last column"
      case .needed(let name): "\(name) needs a key"
      case .taken(let name): "there is a command \(name) already; give yours another name"
      }
    }
  }

  /// Returns a key map with the given keys.
  ///
  /// A command in `wishes` has exactly these keys. They are removed from other commands on the same screens.
  /// A command without keys is available in the palette only.
  public func rebinding(_ wishes: [String: [Key]]) throws(Problem) -> KeyMap {
    var map = self
    for (name, keys) in wishes.sorted(by: { $0.key < $1.key }) {
      let places = bindings.indices.filter { bindings[$0].command.name == name }
      guard !places.isEmpty else { throw .unknownCommand(name) }
      let contexts = places.reduce(into: Set<KeyContext>()) { $0.formUnion(bindings[$1].contexts) }
      for index in map.bindings.indices where !places.contains(index) {
        guard wishes[map.bindings[index].command.name] == nil,
          !map.bindings[index].contexts.isDisjoint(with: contexts)
        else { continue }
        map.bindings[index].keys.removeAll { keys.contains($0) }
      }
      for index in places { map.bindings[index].keys = keys }
    }
    return try map.withNeededKeys()
  }

  func withNeededKeys() throws(Problem) -> KeyMap {
    if let bare = bindings.first(where: { [.quit, .help].contains($0.command) && $0.keys.isEmpty }) {
      throw .needed(bare.command.name)
    }
    return self
  }
}
