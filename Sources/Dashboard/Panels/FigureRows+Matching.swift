import Screen
import Subscriptions

extension FigureRows {
  /// Returns the chains of the rows that a filter matches, as in the dashboard's list.
  ///
  /// - Parameters:
  ///   - report: Report of the panel. The filter may also name columns of its main list; `nil` allows only
  ///     columns of the rows.
  ///   - products: Known products, which determine how ids are shortened.
  package func chains(
    matching text: String, panel: Panel, figure: String?, environment: EnvironmentScope,
    report: Report? = nil, products: Set<ProductID> = []
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    let formatter = DisplayFormatter(products: products)
    let block = block(
      panel: panel, figure: figure, environment: environment, everyColumn: true, in: formatter)
    guard let listing = block.listing else { return [] }
    guard let own = report?.list(in: formatter) else { return try listing.chains(matching: text) }
    let others = listing.fields.filter { !own.fields.contains($0) }
    let filter = try Filter(text, fields: own.fields + others).finished()
    let (aboutOwn, aboutRows) = filter.split(by: Set(own.fields))
    let listed = own.figures(of: panel, matching: aboutOwn)
    let groups = Set(listed.keys.map(\.group))
    // Rows that the panel's list lacks match a negated term.
    let passesUnlisted = aboutOwn.matches([], fields: [])
    func passes(_ row: FigureRow) -> Bool {
      if aboutOwn.isEmpty { return true }
      let figures = row.figures.map { FigureOfProduct($0, row.productID) }
      return figures.lazy.compactMap { listed[$0] }.first
        ?? (passesUnlisted && !figures.contains { groups.contains($0.group) })
    }
    let matching = Set(listing.matching(aboutRows).map { listing.rows[$0].id })
    return zip(rows, listing.rows).compactMap { row, drawn in
      passes(row) && matching.contains(drawn.id) ? row.originalTransactionID : nil
    }
  }
}

private struct FigureOfProduct: Hashable {
  let name: String
  let product: ProductID?

  init(_ name: String, _ product: ProductID?) { (self.name, self.product) = (name, product) }

  var group: Substring { name.prefix { $0 != "." } }
}

extension Panel {
  /// Whether the panel's main list consists of subscriptions.
  package var listsSubscriptions: Bool { [.billingRetry, .upgrades, .events].contains(self) }
}

extension Report {
  fileprivate func list(in formatter: DisplayFormatter) -> Listing? {
    panelBlocks(in: formatter).first { $0.span == .main }?.listing
  }

  /// Returns the chains of the main list's rows that a filter matches.
  ///
  /// - Parameter products: Known products, which determine how ids are shortened.
  package func chains(
    matching filter: String, products: Set<ProductID> = []
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    try list(in: DisplayFormatter(products: products))?.chains(matching: filter) ?? []
  }

  /// Number of all rows of the main list, if the report has only some of them; else `nil`.
  package var unlistedTotal: Int? { list(in: DisplayFormatter(products: []))?.total }
}

extension DisplayFormatter {
  fileprivate init(products: Set<ProductID>) {
    self.init(glyphs: .unicode, products: ProductNames())
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

  /// Returns the first figure that each row opens, and whether the filter matches the row.
  fileprivate func figures(of panel: Panel, matching filter: Filter) -> [FigureOfProduct: Bool] {
    var found: [FigureOfProduct: Bool] = [:]
    let matching = Set(matching(filter))
    for (place, row) in rows.enumerated() {
      guard case .rows(let breakdown)? = self[row: row.id]?.drillDown, let figure = breakdown.figures.first,
        let path = FigurePath(figure, of: panel)
      else { continue }
      found[FigureOfProduct(path.name, path.product)] = matching.contains(place)
    }
    return found
  }
}
