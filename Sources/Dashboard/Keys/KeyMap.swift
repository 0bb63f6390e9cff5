import Screen

/// Command with its name in the palette and in the configuration, and its keys.
public struct Binding: Hashable, Sendable {
  public enum Section: String, Hashable, Sendable, CaseIterable {
    case panels = "Panels"
    case moving = "Moving"
    case opening = "Open and find"
    case arranging = "Sort, filter, take"
    case sweeping = "Sweep"
    case viewing = "View"
    case program = "Program"
    case own = "Your own"
  }

  public let command: Command
  public let name: String
  public internal(set) var keys: [Key]
  public internal(set) var section: Section
  public let title: String
  /// Word for the hint line at the bottom; `nil` leaves the command out of that line.
  public let hint: String?
  public let contexts: Set<KeyContext>
  let hinted: Set<KeyContext>

  /// Creates a binding from the names of its keys, separated by spaces.
  init(
    _ command: Command, _ name: String, _ keys: String, _ title: String, _ hint: String? = nil,
    in contexts: Set<KeyContext> = .everywhere, hinted: Set<KeyContext>? = nil, of section: Section = .own
  ) {
    (self.command, self.name, self.section, self.title, self.hint) = (command, name, section, title, hint)
    self.keys = keys.split(separator: " ").compactMap { Key(named: String($0)) }
    self.contexts = contexts.withPanelsOfTheirOwn
    self.hinted = (hinted ?? contexts).withPanelsOfTheirOwn
  }
}

extension Set<KeyContext> {
  static let always = Set(KeyContext.allCases)
  static let everywhere = always.subtracting([.cohorts, .movement, .tooSmall])
  static let data: Self = [.panel, .reconcile, .sweep, .rows, .compared, .chains, .receipts, .chain]
  /// Screens that `earlierView` and `laterView` step through.
  static let places = data.union([.evidence, .json])
  static let lists = everywhere.subtracting([.chain, .json])
  static let tabs: Self = [.panel, .reconcile, .sweep]
  /// Screens whose rows can be subscriptions or receipts.
  static let markable: Self = [.panel, .rows, .chains, .receipts]

  /// Copy that also contains the panels with special keys if the set contains `panel`.
  fileprivate var withPanelsOfTheirOwn: Self { contains(.panel) ? union([.cohorts, .movement]) : self }
}

extension [Binding] {
  fileprivate func of(_ section: Binding.Section) -> [Binding] {
    map { binding in
      var binding = binding
      if binding.section == .own { binding.section = section }
      return binding
    }
  }
}

/// All key bindings, which input, hint line, help and palette use.
public struct KeyMap: Sendable {
  public internal(set) var bindings: [Binding]

  public static let standard = KeyMap(
    bindings: panels + moving + opening + arranging + sweeping + viewing + program)

  public func bindings(readOnly: Bool) -> [Binding] {
    bindings.filter { !(readOnly && $0.command.changesSomething) }
  }

  public func command(for key: Key, in context: KeyContext, readOnly: Bool) -> Command? {
    bindings(readOnly: readOnly).first { $0.contexts.contains(context) && $0.keys.contains(key) }?.command
  }

  func opensPrompt(_ key: Key) -> Bool {
    bindings.contains { $0.command.opensPrompt && $0.keys.contains(key) }
  }

  private static let panels =
    Tab.all.map { tab in
      let name = tab.title.lowercased().replacing(" ", with: "-")
      return Binding(.show(tab), name, "\(tab.key)", tab.title, in: .data)
    }.of(.panels)
    + [
      Binding(.nextPanel, "next-panel", "Tab", "next panel", "panel", in: .tabs),
      Binding(.previousPanel, "previous-panel", "S-Tab", "previous panel", in: .tabs),
    ].of(.panels)

  private static let moving =
    [
      Binding(.move(.down), "down", "Down j", "down, from the figures into the list"),
      Binding(.move(.up), "up", "Up k", "up, from the list into the figures"),
      Binding(.moveAside(.right), "right", "Right l", "to the next block or panel", in: .tabs),
      Binding(.moveAside(.left), "left", "Left h", "to the previous block or panel", in: .tabs),
      Binding(.move(.pageDown), "page-down", "PgDn Space", "page down"),
      Binding(.move(.pageUp), "page-up", "PgUp", "page up"),
      Binding(.move(.halfPageDown), "half-page-down", "^D", "half a page down"),
      Binding(.move(.halfPageUp), "half-page-up", "^U", "half a page up"),
      Binding(.move(.first), "first", "Home g", "to the first row, then to the first figure"),
      Binding(.move(.last), "last", "End G", "to the last row"),
    ].of(.moving)
    + Command.Side.allCases.map {
      Binding(.goToBox($0), "to-box-\($0)", "^\($0)", "to the next box \($0), from anywhere", in: .tabs)
    }.of(.moving)

  private static let opening = [
    Binding(
      .open, "open", "Enter", "opens a figure's rows, a history, a product", "open",
      in: .lists.union([.chain])),
    Binding(
      .numbers, "numbers", "a", "cohorts as numbers or as shares", "numbers", in: [.cohorts], of: .viewing),
    Binding(
      .nextMeasure, "measure", "b", "cohorts of subscribers, MRR, each currency", "measure", in: [.cohorts],
      of: .viewing),
    Binding(
      .nextFigure, "next-figure", "Tab Right l", "rows of the next figure", "figure",
      in: [.rows]),
    Binding(.previousFigure, "previous-figure", "S-Tab Left h", "rows of the previous figure", in: [.rows]),
    Binding(.find, "find", "f", "finds an id, figure or product by substring", "find", in: .data),
    Binding(.alerts, "alerts", "A", "the configured alerts", in: .data),
    Binding(.back, "back", "Esc", "clears a filter or a product, or goes back"),
    Binding(.earlierView, "earlier-view", "[", "previous screen, with current figures", in: .places),
    Binding(.laterView, "later-view", "]", "next screen, after going back", in: .places),
    Binding(.palette, "palette", ":", "runs a command by its name", in: .data),
  ].of(.opening)

  private static let arranging = [
    Binding(
      .filter, "filter", "/", "filters rows: product:gold days>10 !trial", "filter",
      in: .lists.union([.chain]), hinted: .lists),
    Binding(.nextMatch, "next-match", "n", "next row that the filter matches", in: .lists),
    Binding(.previousMatch, "previous-match", "N", "previous row that the filter matches", in: .lists),
    Binding(.sortRight, "sort-right", ">", "sorts by the next column to the right", in: .lists),
    Binding(.sortLeft, "sort-left", "<", "sorts by the next column to the left", in: .lists),
    Binding(.reverseSort, "reverse-sort", "r", "reverses the order", in: .lists),
    Binding(
      .copy, "copy", "y", "copies the id, or the JSON", "copy",
      in: .data.union([.evidence, .json, .products]), hinted: [.evidence, .json]),
    Binding(.copyRow, "copy-row", "Y", "copies the row", in: .lists),
    Binding(.copyTicket, "copy-ticket", "Y", "copies plain text for a ticket", "ticket", in: [.chain]),
    Binding(.export, "export", "^S", "exports the data of the list to a file", in: .lists.union([.chain])),
  ].of(.arranging)

  private static let sweeping = [
    Binding(.sweepDue, "sweep-due", "s", "sweeps the receipts that are due", "sweep", in: .data),
    Binding(
      .sweepAll, "sweep-all", "S", "sweeps every receipt, after confirmation", "all", in: .data,
      hinted: [.sweep]),
    Binding(
      .sweepList, "sweep-list", "L", "sweeps the marked rows, or the whole list", "sweep list", in: .markable),
    Binding(
      .mark, "mark", "t", "marks or unmarks the row", "mark", in: .markable),
    Binding(.unmark, "unmark", "u", "removes all marks in the list", in: .markable),
    Binding(
      .sweepDead, "sweep-dead", "D", "sweeps the given-up receipts again", "given up", in: [.sweep]),
    Binding(
      .sweepChain, "ask-apple", "v", "checks it with Apple now, before any sweep", "check",
      in: [.rows, .chain, .chains]),
    Binding(
      .pauseOrResume, "pause", "p", "pauses the sweep, or resumes it", "pause", in: .data, hinted: [.sweep]),
    Binding(.stopSweep, "stop-sweep", "x", "stops the sweep", "stop", in: .data),
  ].of(.sweeping)

  private static let viewing = [
    Binding(
      .nextWindow, "next-window", "w", "changes the window: days, all or a month", "days",
      in: [.panel, .reconcile, .rows, .compared]),
    Binding(
      .nextEnvironment, "next-environment", "e", "environment: production, sandbox or both", "env",
      in: [.panel, .rows, .compared], hinted: [.panel, .rows]),
    Binding(.pickProduct, "products", "P", "only one product, storefront or offer", in: [.panel, .rows]),
    Binding(.nextSplit, "split", "b", "movement by product, store, kind, currency", "split", in: [.movement]),
    Binding(
      .nextStretch, "stretch", "i", "movement by week, by month or in total", "weeks", in: [.movement]),
    Binding(.howTo, "apple-reports", "i", "how to get Apple's reports", "reports", in: [.reconcile]),
    Binding(.boxes, "boxes", "B", "shows, hides or moves the overview's boxes", "boxes", in: [.panel]),
    Binding(.moveBox(.left), "box-up", "{", "moves the overview's box up", in: [.panel, .products]),
    Binding(.moveBox(.right), "box-down", "}", "moves the overview's box down", in: [.panel, .products]),
    Binding(.hideBox, "hide-box", "-", "hides the overview's box", in: [.panel, .products]),
    Binding(
      .compare, "compare", "=", "compares windows, products and more", "compare", in: [.panel, .compared],
      hinted: [.panel]),
    Binding(.nextZone, "next-zone", "z", "shows times in the next time zone", in: .data),
    Binding(
      .json, "json", "J", "all known fields; again: JSON", "fields", in: [.chain, .chains, .evidence],
      of: .opening),
    Binding(.reload, "reload", "R ^R F5", "refreshes the figures from the store", in: .data),
    Binding(.freeze, "freeze", "F", "freezes the figures; again: resumes", in: .data),
    Binding(.messages, "messages", "M", "the messages shown so far", in: .data),
    Binding(.toggleMouse, "mouse", "m", "turns the mouse on or off"),
    Binding(.nextTheme, "next-theme", "T", "next colour theme"),
    Binding(.redraw, "redraw", "^L", "redraws the screen", in: .always),
  ].of(.viewing)

  private static let program = [
    Binding(.leave, "leave", "q", "goes back; on tab 1, press twice to quit", "quit", in: .always),
    Binding(.quit, "quit", "^C F10", "quits; press Ctrl+C twice", in: .always),
    Binding(.suspend, "suspend", "^Z", "suspends to the shell; fg returns", in: .always),
    Binding(.help, "keys", "? F1", "shows all keys", "keys"),
  ].of(.program)
}

extension KeyMap {
  /// Returns a key map with bindings for the programs `own` from the user's configuration.
  ///
  /// Keys of these programs are removed from all other commands on the same screens.
  public func adding(_ own: [OwnCommand]) throws(CommandError) -> KeyMap {
    var map = self
    var wishes: [Key: String] = [:]
    for command in own {
      guard !map.bindings.contains(where: { $0.name == command.name }) else {
        throw CommandError("the command \(command.name) exists already; choose another name")
      }
      let title = "runs \(command.words.joined(separator: " "))"
      map.bindings.append(
        Binding(.own(command), command.name, "", title, in: .markable.union([.chain])))
      // If several programs share a key, the last one gets it.
      if let key = command.key { wishes[key] = command.name }
    }
    return try map.rebinding(
      Dictionary(wishes.map { ($0.value, [$0.key]) }, uniquingKeysWith: { $1 }))
  }

  /// Returns a key map in which each command in `wishes` has exactly the given keys.
  ///
  /// Other commands on the same screens lose these keys. A command without any key is in the palette only.
  public func rebinding(_ wishes: [String: [Key]]) throws(CommandError) -> KeyMap {
    var map = self
    for (name, keys) in wishes.sorted(by: { $0.key < $1.key }) {
      let places = bindings.indices.filter { bindings[$0].name == name }
      guard !places.isEmpty else {
        throw CommandError(
          "there is no command \(name); the list of keys (`?`) shows the names in its last column")
      }
      let contexts = places.reduce(into: Set<KeyContext>()) { $0.formUnion(bindings[$1].contexts) }
      for index in map.bindings.indices where !places.contains(index) {
        guard wishes[map.bindings[index].name] == nil,
          !map.bindings[index].contexts.isDisjoint(with: contexts)
        else { continue }
        map.bindings[index].keys.removeAll { keys.contains($0) }
      }
      for index in places { map.bindings[index].keys = keys }
    }
    if let bare = map.bindings.first(where: { [.quit, .help].contains($0.command) && $0.keys.isEmpty }) {
      throw CommandError("the command \(bare.name) must have a key; give it one in the configuration")
    }
    return map
  }
}
