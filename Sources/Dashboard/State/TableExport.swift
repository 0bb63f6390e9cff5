import Screen
import Subscriptions

/// The visible list with its columns, rows and explanatory notes, for export.
public struct TableExport: Hashable, Sendable {
  /// Explanatory note, such as the window or the filter.
  public struct Note: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public let notes: [Note]
  public let columns: [String]
  /// Number of rows of the store that the list lacks.
  public let missing: Int
  /// Computed on access, because there may be many rows.
  public var rows: [[String]] {
    listed.map { row in kept.map { row.cells.indices.contains($0) ? row.cells[$0].text : "" } }
  }

  public var listedCount: Int { listed.count }
  let listed: [TableRow]
  let kept: [Int]
}

extension State {
  package var tableExport: TableExport? {
    guard let page, let listing = page.listing,
      let title = page.blocks.first(where: { $0.listing == listing })
    else { return nil }
    let kept = listing.fieldNames.indices.filter { !listing.fieldNames[$0].isEmpty }
    var notes: [(String, String)] = [("list", title.title.text)]
    if let definition = listScreen?.definition { notes.append(("definition", definition)) }
    notes += [("as_of", formatter.moment(shownAt)), ("time_zone", zone.name)]
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
      missing: page.wholeListing.flatMap { whole in whole.total.map { $0 - whole.rows.count } } ?? 0,
      listed: listing.rows, kept: kept)
  }

  var shownAt: Instant {
    let report = panel.flatMap { panels[$0]?.report.asOfMs }
    return layers.last?.at ?? report ?? (tab == .sweep ? sweepView.queue?.asOfMs : nil) ?? asOf
  }
}

extension ListScreen {
  var definition: String? {
    switch self {
    case .panel(.overview), .panel(.active):
      "a product: subscriptions with a paid period that runs, trials, those in grace, and what the paid ones bring in a month"
    case .panel(.billingRetry): "a subscription whose renewal Apple still tries to bill, without access"
    case .panel(.churn): "paid periods of one length that came due in the window, and what became of them"
    case .panel(.refunds): "a product: transactions that Apple cancelled in the window, upgrades left out"
    case .panel(.upgrades):
      "a period that was replaced at once in the window, and the credit for its rest"
    case .panel(.events): "something that happened to a subscription in the window"
    case .panel(.movement): nil
    case .panel(.cohorts):
      "those who first paid in a month (UTC), and how many of them were paid for so many calendar months later"
    case .panel(.recovery):
      "a product: paid subscriptions that entered billing retry in the window, and what became of them by its end"
    case .panel(.offers):
      "periods of one kind, offer and product that started below the standard price in the window, and what became of them"
    case .rows: "a subscription or a transaction that is counted in the figure"
    case .receipts: "a receipt, or a customer, that the sweeps' panel counts"
    case .sweep: "a sweep: what it asked about and how it ended"
    case .compared: "a figure on both sides of a comparison"
    case .alerts: "an alert of the configuration, and what became of it"
    case .evidence: "a field of what is known of one subscription history"
    case .chains, .products, .keys, .messages, .comparisons: nil
    }
  }
}
