import Screen
import Subscriptions

extension FigureRows {
  /// Returns the chains of the rows that a filter matches in the dashboard's list.
  ///
  /// - Parameter products: Known products, which determine how ids are shortened.
  package func chains(
    matching text: String, panel: Panel, figure: String?, environment: EnvironmentScope,
    products: Set<ProductID> = [], at now: Instant
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    let block = block(
      panel: panel, figure: figure, environment: environment, everyColumn: true,
      in: DisplayFormatter(products: products, at: now))
    return try block.listing?.chains(matching: text) ?? []
  }
}

extension Panel {
  /// Whether each row of the panel's main list belongs to a chain.
  package var listsSubscriptions: Bool { [.billingRetry, .upgrades, .events].contains(self) }
}

extension Report {
  private func list(in formatter: DisplayFormatter) -> Listing? {
    PanelContent(report: self, formatter: formatter).blocks.first { $0.span == .main }?.listing
  }

  /// Returns the chains of the rows that a filter matches in the panel's main list.
  package func chains(
    matching filter: String, products: Set<ProductID> = []
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    try list(in: DisplayFormatter(products: products, at: asOfMs))?.chains(matching: filter) ?? []
  }

  /// Number of all rows of the main list; `nil` if the report has all of them.
  package var unlistedTotal: Int? { list(in: DisplayFormatter(products: [], at: asOfMs))?.total }
}

extension DisplayFormatter {
  fileprivate init(products: Set<ProductID>, at now: Instant) {
    self.init(glyphs: .unicode, products: ProductNames(), now: now)
    self.products.learn(products)
  }
}

extension Listing {
  fileprivate func chains(matching text: String) throws(Filter.Problem) -> [OriginalTransactionID] {
    let filter = try filter(text).finished()
    return matching(filter).compactMap { place in
      guard case .chain(let id)? = self[row: rows[place].id]?.drillDown else { return nil }
      return id
    }
  }
}
