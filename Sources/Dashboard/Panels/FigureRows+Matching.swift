import Screen
import Subscriptions

extension FigureRows {
  /// The subscriptions of the rows that a filter matches, as the dashboard's list of them would show.
  package func chains(
    matching filter: String, panel: Panel, figure: String?, environment: EnvironmentScope
  ) throws(Filter.Problem) -> [OriginalTransactionID] {
    let wording = Wording(glyphs: .unicode)
    let block = block(panel: panel, figure: figure, environment: environment, everyColumn: true, in: wording)
    return try block.listing?.chains(matching: filter) ?? []
  }
}

extension Panel {
  /// Whether the dashboard lists subscriptions in it, and not only behind its figures.
  package var listsSubscriptions: Bool { [.billingRetry, .upgrades, .events].contains(self) }
}

extension Report {
  /// The panel's own list, which `/` filters in the dashboard.
  private var list: Listing? {
    panelBlocks(in: Wording(glyphs: .unicode)).first { $0.span == .main }?.listing
  }

  /// The subscriptions of the rows of it that a filter matches.
  package func chains(matching filter: String) throws(Filter.Problem) -> [OriginalTransactionID] {
    try list?.chains(matching: filter) ?? []
  }

  /// How many rows the panel's own list has in all, where the report holds only some of them.
  package var unlistedTotal: Int? { list?.total }
}

extension Listing {
  fileprivate func chains(matching text: String) throws(Filter.Problem) -> [OriginalTransactionID] {
    let filter = try filter(text)
    return rows.compactMap { row in
      guard case .chain(let id)? = openings[row.id], filter.matches(row.cells.map(\.text), fields: fieldNames)
      else { return nil }
      return id
    }
  }
}
