import Subscriptions

/// Everything that a key can make the dashboard do.
public enum Command: Hashable, Sendable {
  case show(Tab)
  case nextPanel
  case previousPanel
  case move(Movement)
  /// To what stands beside it, or to another panel where nothing does.
  case moveAside(Side)
  /// The next or the last of the figures that one row or bar stands for.
  case nextFigure
  case previousFigure
  case open
  case back
  /// Back, and at the top out of the program.
  case leave
  case quit
  case find
  case sweepDue
  case sweepAll
  case sweepDead
  /// Has the receipts of the chain shown swept.
  case sweepChain
  /// Has the receipts of the marked rows swept, or else of all that the list shows.
  case sweepList
  /// Marks the row that stands out, or takes its mark away.
  case mark
  /// Takes every mark of the list away.
  case unmark
  case pauseOrResume
  case stopSweep
  case filter
  case nextMatch
  case previousMatch
  case sortRight
  case sortLeft
  case reverseSort
  /// Has a command typed.
  case palette
  case copy
  case copyRow
  /// A few plain lines of the chain shown.
  case copyTicket
  case export
  case reload
  case nextWindow
  case nextEnvironment
  /// Tells the parts of what shows apart by something else.
  case nextSplit
  /// Tells weeks or months apart.
  case nextStretch
  case nextZone
  case pickProduct
  /// Cohorts in numbers, or in shares again.
  case numbers
  /// Cohorts by subscribers, or by what they bring.
  case nextMeasure
  /// Shows what is known of the chain field by field, then as programs read it.
  case json
  /// To the view that one was at before, and on again.
  case earlierView
  case laterView
  /// Nothing is read anew until it is given again.
  case freeze
  /// What has been said so far.
  case messages
  case toggleMouse
  case nextTheme
  case help
  /// Chooses what the panel is compared with.
  case compare
  /// Shows the configuration's alerts.
  case alerts
  /// Runs a program of somebody's own.
  case own(OwnCommand)
  case suspend
  case redraw
  // With what the palette was given.
  case findID(String)
  case compareWith(Comparison)
  /// The rows of a figure, by its path.
  case figure(Panel, String)
  case filterBy(String)
  /// By a column or what its name begins with; empty takes the list as it comes.
  case sortBy(String, isDescending: Bool)
  /// A column of the list.
  case hide(String)
  /// Nil brings every column back.
  case unhide(String?)
  /// Nil is all that is known.
  case window(days: Int?)
  case environment(EnvironmentScope)
  /// Nil shows every product.
  case product(ProductID?)
  case storefront(StorefrontScope)
  /// Of cohorts.
  case offer(OfferScope)
  case exportTo(String)
  case theme(String)
  case zone(String)

  public enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  public enum Side: Hashable, Sendable {
    case left, right
  }

  /// Whether a line follows that is typed.
  var opensPrompt: Bool { [.find, .filter, .palette, .export].contains(self) }

  /// Stripped under `--readonly`: it writes to the store, or has Apple asked.
  public var changesSomething: Bool {
    switch self {
    case .sweepDue, .sweepAll, .sweepDead, .sweepChain, .sweepList, .pauseOrResume, .stopSweep: true
    default: false
    }
  }
}

/// Which screen keys go to.
public enum KeyContext: Hashable, Sendable, CaseIterable {
  case panel, cohorts, movement, sweep, rows, compared, chains, receipts, chain, evidence, json, products,
    help, messages, tooSmall
}

extension Command {
  /// What the palette calls it.
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
