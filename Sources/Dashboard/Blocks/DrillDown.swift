import Subscriptions

/// Target that Enter opens for a row or a figure.
enum DrillDown: Hashable, Sendable {
  case chain(OriginalTransactionID)
  case transaction(TransactionID)
  case product(ProductID)
  /// Current panel, with the figures restricted to a product, storefront or offer.
  case only(Narrowing)
  case receipt(ReceiptID)
  case receipts(ReceiptQuestion)
  /// A chain of the search results, by its index.
  case found(Int)
  case rows(Breakdown)
  case comparison(Comparison)
  case sides(String)
  /// The rows of an alert's figure, by the alert's index.
  case alert(Int)
  case run(Command)
  /// Shows or hides a box of the overview; `nil` restores the standard order with all boxes shown.
  case box(OverviewBox?)
  case filter(String)
  /// Causes of a figure's difference from Apple's reports, and its values by day.
  case reconciled(ReconciledFigure, CurrencyCode?)
  case tab(Tab)
}

/// Figures behind an element of the screen; Enter opens the rows of `first`, Tab then those of the next.
struct Breakdown: Hashable, Sendable {
  /// Paths of the figures in the panel's JSON; at least one.
  let figures: [String]
  /// Index of the figure whose rows open first: the first figure with a count above 0, or else 0.
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
