import Subscriptions

/// An action of the dashboard, run by a key or from the palette.
public enum Command: Hashable, Sendable {
  case show(Tab)
  case nextPanel
  case previousPanel
  case move(Movement)
  /// Selects the next cell of a heat map, or else the next block, or else the next panel.
  case moveAside(Side)
  case nextFigure
  case previousFigure
  case open
  case back
  /// Goes back, or quits from the top level.
  case leave
  case quit
  case find
  case sweepDue
  case sweepAll
  case sweepDead
  case sweepChain
  /// Sweeps the receipts of the marked rows, or of all listed rows if none is marked.
  case sweepList
  case mark
  case unmark
  case pauseOrResume
  case stopSweep
  case filter
  case nextMatch
  case previousMatch
  case sortRight
  case sortLeft
  case reverseSort
  case palette
  case copy
  case copyRow
  /// Copies plain text about the current chain for a support ticket.
  case copyTicket
  case export
  case reload
  case nextWindow
  case nextEnvironment
  case nextSplit
  /// Splits the movement by week, by month, or not at all.
  case nextStretch
  case nextZone
  case pickProduct
  /// Switches cohorts between numbers and shares.
  case numbers
  /// Switches cohorts between subscribers and MRR.
  case nextMeasure
  /// Shows the fields of the current chain, then its JSON.
  case json
  case earlierView
  case laterView
  /// Stops updates until it is run again.
  case freeze
  case messages
  case toggleMouse
  case nextTheme
  case help
  case compare
  case alerts
  case own(OwnCommand)
  case suspend
  case redraw
  // Commands with an argument, from the palette.
  case findID(String)
  case compareWith(Comparison)
  case figure(Panel, String)
  case filterBy(String)
  /// Sorts by the column with this name or prefix. An empty name restores the list's own order.
  case sortBy(String, isDescending: Bool)
  case hide(String)
  /// `nil` shows all columns.
  case unhide(String?)
  /// `nil` is the whole history.
  case window(days: Int?)
  case environment(EnvironmentScope)
  /// `nil` is every product.
  case product(ProductID?)
  case storefront(StorefrontScope)
  case offer(OfferScope)
  case exportTo(String)
  case theme(String)
  case zone(String)

  /// Direction and distance of a move.
  public enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  public enum Side: Hashable, Sendable {
    case left, right
  }

  var opensPrompt: Bool { [.find, .filter, .palette, .export].contains(self) }

  /// Whether `--readonly` disables the command, because it writes to the store or causes requests to Apple.
  public var changesSomething: Bool {
    switch self {
    case .sweepDue, .sweepAll, .sweepDead, .sweepChain, .sweepList, .pauseOrResume, .stopSweep: true
    default: false
    }
  }
}

/// Screen that receives keys.
public enum KeyContext: Hashable, Sendable, CaseIterable {
  case panel, cohorts, movement, sweep, rows, compared, chains, receipts, chain, evidence, json, products,
    help, messages, tooSmall
}

extension Command {
  /// Name in the palette and in the configuration.
  public var name: String {
    switch self {
    case .show(let tab): tab.title.lowercased().replacing(" ", with: "-")
    case .nextPanel: "next-panel"
    case .previousPanel: "previous-panel"
    case .move(let movement): movement.name
    case .moveAside(.left): "left"
    case .moveAside(.right): "right"
    case .nextFigure: "next-figure"
    case .previousFigure: "previous-figure"
    case .open: "open"
    case .back: "back"
    case .leave: "leave"
    case .quit: "quit"
    case .find, .findID: "find"
    case .figure: "figure"
    case .sweepDue: "sweep-due"
    case .sweepAll: "sweep-all"
    case .sweepDead: "sweep-dead"
    case .sweepChain: "ask-apple"
    case .sweepList: "sweep-list"
    case .mark: "mark"
    case .unmark: "unmark"
    case .pauseOrResume: "pause"
    case .stopSweep: "stop-sweep"
    case .filter, .filterBy: "filter"
    case .nextMatch: "next-match"
    case .previousMatch: "previous-match"
    case .sortRight: "sort-right"
    case .sortLeft: "sort-left"
    case .reverseSort: "reverse-sort"
    case .sortBy: "sort"
    case .hide: "hide"
    case .unhide: "unhide"
    case .palette: "palette"
    case .copy: "copy"
    case .copyRow: "copy-row"
    case .copyTicket: "copy-ticket"
    case .export, .exportTo: "export"
    case .reload: "reload"
    case .nextWindow: "next-window"
    case .window: "window"
    case .nextEnvironment: "next-environment"
    case .environment: "environment"
    case .nextSplit: "split"
    case .nextStretch: "stretch"
    case .nextZone: "next-zone"
    case .zone: "zone"
    case .pickProduct: "products"
    case .numbers: "numbers"
    case .nextMeasure: "measure"
    case .json: "json"
    case .product: "product"
    case .storefront: "storefront"
    case .offer: "offer"
    case .earlierView: "earlier-view"
    case .laterView: "later-view"
    case .freeze: "freeze"
    case .messages: "messages"
    case .toggleMouse: "mouse"
    case .nextTheme: "next-theme"
    case .theme: "theme"
    case .help: "keys"
    case .compare, .compareWith: "compare"
    case .alerts: "alerts"
    case .own(let command): command.name
    case .suspend: "suspend"
    case .redraw: "redraw"
    }
  }
}

extension Command.Movement {
  var name: String {
    switch self {
    case .up: "up"
    case .down: "down"
    case .pageUp: "page-up"
    case .pageDown: "page-down"
    case .halfPageUp: "half-page-up"
    case .halfPageDown: "half-page-down"
    case .first: "first"
    case .last: "last"
    }
  }
}
