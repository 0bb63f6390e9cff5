import Screen
import Subscriptions

/// A list as it shows, to be taken elsewhere: what it is of, its columns and its rows.
public struct TableExport: Hashable, Sendable {
  /// What somebody has to know to read it, as names and values.
  public struct Note: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public let notes: [Note]
  public let columns: [String]
  public let rows: [[String]]
}

extension State {
  /// The list shown, with what it depends on in its head; nil where there is none.
  package var tableExport: TableExport? {
    guard let page, let listing = page.listing,
      let title = page.blocks.first(where: { $0.listing == listing })
    else { return nil }
    let kept = listing.fieldNames.indices.filter { !listing.fieldNames[$0].isEmpty }
    var notes: [(String, String)] = [("list", title.title.text)]
    if let definition = listScreen?.definition { notes.append(("definition", definition)) }
    notes += [("as_of", wording.moment(shownAt)), ("time_zone", zone.name)]
    if tab != .sweep {
      notes += [("window", windowText), ("environment", environment.rawValue)]
      if let product { notes.append(("product", product.rawValue)) }
    }
    if !arrangement.filter.isEmpty { notes.append(("filter", arrangement.filter)) }
    if let sort = arrangement.sort {
      notes.append(("sort", sort.field + (sort.isDescending ? " desc" : "")))
    }
    notes.append(("rows", "\(listing.rows.count) of \(listing.rows.count + listing.hidden)"))
    if let total = page.wholeListing?.total { notes.append(("rows_in_the_store", "\(total)")) }
    return TableExport(
      notes: notes.map { TableExport.Note(name: $0.0, value: $0.1) },
      columns: kept.map { listing.fieldNames[$0] },
      rows: listing.rows.map { row in
        kept.map { row.cells.indices.contains($0) ? row.cells[$0].text : "" }
      })
  }

  /// The instant that what is shown is of.
  var shownAt: Instant {
    let report = panel.flatMap { panels[$0]?.report.asOfMs }
    return layers.last?.at ?? report ?? (tab == .sweep ? sweepView.queue?.asOfMs : nil) ?? asOf
  }
}

extension ListScreen {
  /// What a row of the list is, in a sentence.
  var definition: String? {
    switch self {
    case .panel(.overview), .panel(.active):
      "a product: lines with a paid period that runs, trials, lines in grace, and what the paid ones bring in a month"
    case .panel(.billingRetry): "a line whose renewal Apple still tries to bill, without access"
    case .panel(.churn): "paid periods of one length that came due in the window, and what became of them"
    case .panel(.refunds): "a product: transactions that Apple cancelled in the window, upgrades left out"
    case .panel(.upgrades):
      "a period that was replaced at once in the window, and what Apple gave back for its rest"
    case .panel(.events): "something that happened to a line in the window"
    case .panel(.movement): nil
    case .rows: "a line or a transaction that is counted in the figure"
    case .sweep: "a sweep: what it asked about and how it ended"
    case .chains, .products, .keys: nil
    }
  }
}
