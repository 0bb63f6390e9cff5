import Subscriptions

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
