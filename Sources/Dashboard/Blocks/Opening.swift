import Subscriptions

/// What Enter on a row or on a figure leads to.
enum Opening: Hashable, Sendable {
  case chain(OriginalTransactionID)
  /// The panel of this product alone.
  case product(ProductID)
  /// One product alone, or every one; closes what it stands on.
  case only(ProductID?)
  /// The chains that a receipt holds.
  case receipt(ReceiptID)
  /// One of the chains that were found, by its place among them.
  case found(Int)
  /// The lines and transactions that figures are made of.
  case rows(Breakdown)
  /// Does what a key does.
  case run(Command)
}

/// The figures that one place on the screen stands for; each opens into its rows.
struct Breakdown: Hashable, Sendable {
  /// Their paths in the JSON of the panel that they stand on, at least one.
  let figures: [String]
  /// The one that opens first: the first that counts something.
  let first: Int

  init(_ figure: String) {
    self.init([(figure, 1)])
  }

  /// - Parameter figures: with how many rows each counts.
  init(_ figures: [(String, Int)]) {
    self.figures = figures.map(\.0)
    first = figures.firstIndex { $0.1 > 0 } ?? 0
  }
}
