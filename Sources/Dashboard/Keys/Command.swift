import Subscriptions

/// Action of the dashboard, run by a key or from the palette.
public enum Command: Hashable, Sendable {
  case show(Tab)
  case nextPanel, previousPanel
  case move(Movement)
  /// Moves to a side: in a heat map to the next cell, elsewhere to the next block, or else to the next panel.
  case moveAside(Side)
  /// Selects the nearest block on a side, from any row of the current block.
  case goToBox(Side)
  case nextFigure, previousFigure
  case open, back
  /// Goes back one level, or from a tab to the first tab; on the first tab, quits if it is given twice.
  case leave
  case find, palette, alerts, compare
  case earlierView, laterView
  case filter, nextMatch, previousMatch
  case sortRight, sortLeft, reverseSort
  case copy, copyRow, copyTicket, export
  case sweepDue, sweepAll, sweepDead, sweepChain
  /// Sweeps the receipts of the marked rows, or of all listed rows if none is marked.
  case sweepList
  case mark, unmark
  case pauseOrResume, stopSweep
  case nextWindow, nextEnvironment, nextZone, nextTheme
  case pickProduct
  /// Splits the movement panel: `nextSplit` by the next attribute, `nextStretch` by week or month.
  case nextSplit, nextStretch
  /// `numbers` switches the cohorts panel between numbers and shares, `nextMeasure` to its next measure.
  case numbers, nextMeasure
  case boxes, moveBox(Side), hideBox
  /// Shows the fields of the current chain; if they are shown already, its JSON.
  case json
  /// Shows how to get Apple's reports.
  case howTo
  case reload, freeze, messages, toggleMouse
  case help, quit, suspend, redraw
  case own(OwnCommand)
  // Commands with an argument, from the palette.
  case findID(String)
  /// Shows the offers panel for the whole history, filtered by an offer.
  case findOffer(String)
  case compareWith(Comparison)
  case figure(Panel, String)
  case receipts(ReceiptQuestion)
  case filterBy(String)
  /// Sorts by the column with this name or prefix; an empty name restores the list's own order.
  case sortBy(String, isDescending: Bool)
  case hide(String)
  /// Shows a hidden column again; `nil` shows all hidden columns.
  case unhide(String?)
  case window(WindowChoice)
  case environment(EnvironmentScope)
  /// Narrows the figures to a product; `nil` for all products.
  case product(ProductID?)
  case storefront(StorefrontScope)
  case offer(OfferScope)
  case exportTo(String)
  case theme(String)
  case zone(String)

  public enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  }

  public enum Side: String, Hashable, Sendable, CaseIterable {
    case left, right, up, down
  }

  /// Whether `--readonly` disables the command, because it writes to the store or causes requests to Apple.
  public var changesSomething: Bool {
    [.sweepDue, .sweepAll, .sweepDead, .sweepChain, .sweepList, .pauseOrResume, .stopSweep].contains(self)
  }

  var opensPrompt: Bool { [.find, .filter, .palette, .export].contains(self) }
}

/// Kind of screen, which decides what a key does.
public enum KeyContext: Hashable, Sendable, CaseIterable {
  case panel, cohorts, movement, reconcile, sweep, rows, compared, chains, receipts, chain, evidence, json,
    products,
    help, messages, tooSmall
}
