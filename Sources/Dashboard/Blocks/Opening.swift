import Subscriptions

/// What Enter on a row or on a figure leads to.
enum Opening: Hashable, Sendable {
  case chain(OriginalTransactionID)
  /// The panel of this product alone.
  case product(ProductID)
  /// What is chosen alone, or everything; closes what it stands on.
  case only(Narrowing)
  /// The chains that a receipt holds.
  case receipt(ReceiptID)
  /// The receipts that are counted there.
  case receipts(ReceiptQuestion)
  /// One of the chains that were found, by its place among them.
  case found(Int)
  /// The lines and transactions that figures are made of.
  case rows(Breakdown)
  /// The panel beside something else; closes what it stands on.
  case comparison(Comparison)
  /// The lines and transactions of a figure on either side of a comparison.
  case sides(String)
  /// The rows of an alert's figure, by its place among the alerts.
  case alert(Int)
  /// Does what a key does.
  case run(Command)
}

/// The figures that one place on the screen stands for; each opens into its rows.
struct Breakdown: Hashable, Sendable {
  /// Their paths in the JSON of the panel that they stand on, at least one.
  let figures: [String]
  /// The one that opens first: the first that counts something.
  let first: Int
  /// Whose figures they are; nil is the panel that they stand on.
  let panel: Panel?

  init(_ figure: String, of panel: Panel? = nil) {
    self.init([(figure, 1)], of: panel)
  }

  /// - Parameter figures: with how many rows each counts.
  init(_ figures: [(String, Int)], of panel: Panel? = nil) {
    self.panel = panel
    self.figures = figures.map(\.0)
    first = figures.firstIndex { $0.1 > 0 } ?? 0
  }
}
