import Screen
import Subscriptions

extension FigureRows {
  /// The subscriptions of the rows that a filter matches, as the dashboard's list of them would show.
  ///
  /// - Parameters:
  ///   - report: the panel, whose own list's columns the filter may name as well; nil knows those of the rows alone.
  ///   - products: those that there are, by which ids are shown.
  package func chains(
    matching text: String, panel: Panel, figure: String?, environment: EnvironmentScope,
    report: Report? = nil, products: Set<ProductID> = []
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    let wording = Wording(products: products)
    let block = block(panel: panel, figure: figure, environment: environment, everyColumn: true, in: wording)
    guard let listing = block.listing else { return [] }
    guard let own = report?.list(in: wording) else { return try listing.chains(matching: text) }
    let others = listing.fields.filter { !own.fields.contains($0) }
    let filter = try Filter(text, fields: own.fields + others).finished()
    let (aboutOwn, aboutRows) = filter.split(by: Set(own.fields))
    let listed = own.figures(of: panel, matching: aboutOwn)
    let groups = Set(listed.keys.map(\.group))
    // What the panel's list has nothing of passes what is turned round.
    let passesUnlisted = aboutOwn.matches([], fields: [])
    func passes(_ row: FigureRow) -> Bool {
      if aboutOwn.isEmpty { return true }
      let figures = row.figures.map { FigureOfProduct($0, row.productID) }
      return figures.lazy.compactMap { listed[$0] }.first
        ?? (passesUnlisted && !figures.contains { groups.contains($0.group) })
    }
    return zip(rows, listing.rows).compactMap { row, drawn in
      passes(row) && listing.matches(drawn, aboutRows) ? row.originalTransactionID : nil
    }
  }
}

/// A figure that there is one of for each product.
private struct FigureOfProduct: Hashable {
  let name: String
  let product: ProductID?

  init(_ name: String, _ product: ProductID?) { (self.name, self.product) = (name, product) }

  var group: Substring { name.prefix { $0 != "." } }
}

extension Panel {
  /// Whether the dashboard lists subscriptions in it, and not only behind its figures.
  package var listsSubscriptions: Bool { [.billingRetry, .upgrades, .events].contains(self) }
}

extension Report {
  /// The panel's own list, which `/` filters in the dashboard.
  fileprivate func list(in wording: Wording) -> Listing? {
    panelBlocks(in: wording).first { $0.span == .main }?.listing
  }

  /// The subscriptions of the rows of it that a filter matches.
  ///
  /// - Parameter products: those that there are, by which ids are shown.
  package func chains(
    matching filter: String, products: Set<ProductID> = []
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    try list(in: Wording(products: products))?.chains(matching: filter) ?? []
  }

  /// How many rows the panel's own list has in all, where the report holds only some of them.
  package var unlistedTotal: Int? { list(in: Wording(products: []))?.total }
}

extension Wording {
  /// As a dashboard that has seen all of these products has it.
  fileprivate init(products: Set<ProductID>) {
    self.init(glyphs: .unicode, products: ProductNames())
    self.products.learn(products)
  }
}

extension Listing {
  fileprivate func chains(matching text: String) throws(Filter.Problem) -> [OriginalTransactionID] {
    let filter = try filter(text).finished()
    return rows.compactMap { row in
      guard case .chain(let id)? = openings[row.id], matches(row, filter) else { return nil }
      return id
    }
  }

  /// The figures that its rows open first, and whether a filter matches the row.
  fileprivate func figures(of panel: Panel, matching filter: Filter) -> [FigureOfProduct: Bool] {
    var found: [FigureOfProduct: Bool] = [:]
    for row in rows {
      guard case .rows(let breakdown)? = openings[row.id], let figure = breakdown.figures.first,
        let path = FigurePath(figure, of: panel)
      else { continue }
      found[FigureOfProduct(path.name, path.product)] = matches(row, filter)
    }
    return found
  }
}
