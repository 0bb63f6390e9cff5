import Subscriptions

/// Target that Enter opens for a row or a figure.
enum DrillDown: Hashable, Sendable {
  case chain(OriginalTransactionID)
  /// All fields of a transaction of the current chain.
  case transaction(TransactionID)
  case product(ProductID)
  /// The panel narrowed to a product, storefront or offer. Opening it closes the list of choices.
  case only(Narrowing)
  case receipt(ReceiptID)
  case receipts(ReceiptQuestion)
  /// One of the chains found, by index.
  case found(Int)
  case rows(Breakdown)
  /// The panel in a comparison. Opening it closes the list of comparisons.
  case comparison(Comparison)
  case sides(String)
  /// The rows of an alert's figure, by index of the alert.
  case alert(Int)
  case run(Command)
  /// A box of the overview, to show or hide it; `nil` restores the standard arrangement.
  case box(OverviewBox?)
  case filter(String)
  /// Causes of a figure's difference from Apple's reports, and its days.
  case reconciled(ReconciledFigure, CurrencyCode?)
  case tab(Tab)
}

/// Figures behind one element of the screen. Enter opens the rows of one figure, Tab those of the next.
struct Breakdown: Hashable, Sendable {
  /// Paths of the figures in the panel's JSON; at least one.
  let figures: [String]
  /// Index of the figure that opens first: the first with a count above 0.
  let first: Int
  /// Panel of the figures; `nil` for the current panel.
  let panel: Panel?

  init(_ figure: String, of panel: Panel? = nil) {
    self.init([(figure, 1)], of: panel)
  }

  init(_ figures: [(String, Int)], of panel: Panel? = nil) {
    self.panel = panel
    self.figures = figures.map(\.0)
    first = figures.firstIndex { $0.1 > 0 } ?? 0
  }
}
