import Screen
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
  case export
  case reload
  case nextWindow
  case nextEnvironment
  case nextZone
  case pickProduct
  /// Shows the chain as programs read it.
  case json
  case toggleMouse
  case nextTheme
  case help
  case suspend
  case redraw
  // With what the palette was given.
  case findID(String)
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
  case exportTo(String)
  case theme(String)
  case zone(String)

  public enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  public enum Side: Hashable, Sendable {
    case left, right
  }

  /// Stripped under `--readonly`: it writes to the store, or has Apple asked.
  public var changesSomething: Bool {
    switch self {
    case .sweepDue, .sweepAll, .sweepDead, .sweepChain, .pauseOrResume, .stopSweep: true
    default: false
    }
  }
}

/// Which screen keys go to.
public enum KeyContext: Hashable, Sendable, CaseIterable {
  case panel, sweep, rows, chains, chain, json, products, help, tooSmall
}
