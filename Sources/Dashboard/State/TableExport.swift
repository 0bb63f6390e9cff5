import Screen
import Subscriptions

/// Data that an export of a list writes: the cells, or the values that the rows show.
public enum ListRecords: Hashable, Sendable {
  case cells
  case rows([FigureRow])
  case unpaid([UnpaidEntry])
  case upgrades([UpgradeEntry])
  case events([LineEvent])
  case receipts([ReceiptLine])
  case reconciled([ReconciledLine])
  case compared([ComparedReports.Figure])
  /// List of a report by its path in the JSON, exported as in the report's CSV.
  case figures(Report, String)

  fileprivate func picked(_ places: [Int]) -> ListRecords {
    func picked<Value>(_ all: [Value]) -> [Value] { places.map { all[$0] } }
    switch self {
    case .cells: return .cells
    case .rows(let all): return .rows(picked(all))
    case .unpaid(let all): return .unpaid(picked(all))
    case .upgrades(let all): return .upgrades(picked(all))
    case .events(let all): return .events(picked(all))
    case .receipts(let all): return .receipts(picked(all))
    case .reconciled(let all): return .reconciled(picked(all))
    case .compared(let all): return .compared(picked(all))
    case .figures(var report, let list):
      report.data[parts: list] = picked(report.data[parts: list])
      return .figures(report, list)
    }
  }
}

/// Visible list with its columns, rows and explanatory notes, for export.
public struct TableExport: Hashable, Sendable {
  public struct Note: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public let notes: [Note]
  /// Whether the notes of a CSV file are written to a second file.
  public internal(set) var hasMeta = false
  public let columns: [String]
  /// Number of rows that the store has but the list lacks.
  public let missing: Int
  let listed: [TableRow]
  let kept: [Int]
  public let records: ListRecords

  public var count: Int { listed.count }
  /// Cells; plain numbers lack grouping, missing values are empty; computed on each access to save memory.
  public var rows: [[String]] {
    listed.map { row in kept.map { row.cells.indices.contains($0) ? Self.value(row.cells[$0].text) : "" } }
  }

  private static func value(_ text: String) -> String {
    if CellValue(text).isMissing { return "" }
    return text.allSatisfy { $0.isASCII && ($0.isNumber || "-.,".contains($0)) }
      ? text.replacing(",", with: "") : text
  }
}

extension State {
  package var tableExport: TableExport? {
    guard let page, let listing = page.listing,
      let title = page.blocks.first(where: { $0.listing == listing })
    else { return nil }
    let kept = listing.fieldNames.indices.filter { !listing.fieldNames[$0].isEmpty }
    var notes: [(String, String)] = [("list", title.title.text)]
    if let definition = listName.flatMap(Self.definition) { notes.append(("definition", definition)) }
    notes += [("as_of", formatter.moment(shownAt)), ("time_zone", zone.name)]
    if tab != .sweep {
      notes += [("window", windowText), ("environment", environment.rawValue)]
      if let product { notes.append(("product", product.rawValue)) }
    }
    if !arrangement.filter.isEmpty { notes.append(("filter", arrangement.filter)) }
    if let sort = arrangement.sort {
      notes.append(("sort", sort.field + (sort.isDescending ? " desc" : "")))
    }
    let marked = cursor?.marked ?? []
    let listed = listing.rows.filter { row in
      marked.isEmpty || (listing[row: row.id]?.drillDown).map(marked.contains) ?? false
    }
    if !marked.isEmpty { notes.append(("marked", "\(listed.count) of \(listing.rows.count)")) }
    notes.append(("rows", "\(listing.rows.count) of \(listing.rows.count + listing.hidden)"))
    if let total = page.wholeListing?.total { notes.append(("rows_in_the_store", "\(total)")) }
    return TableExport(
      notes: notes.map { TableExport.Note(name: $0.0, value: $0.1) },
      columns: kept.map { listing.fieldNames[$0] },
      missing: page.wholeListing.flatMap { whole in whole.total.map { $0 - whole.rows.count } } ?? 0,
      listed: listed, kept: kept,
      records: listing.records.picked(listed.compactMap { listing[row: $0.id]?.place }))
  }

  var shownAt: Instant {
    if let at = layers.last?.at { return at }
    guard let panel else { return (tab == .sweep ? sweepView.queue?.asOfMs : nil) ?? asOfSweeps }
    return panels[panel]?.report.asOfMs ?? asOf
  }

  private static func definition(of list: String) -> String? {
    definitions[list] ?? list.split(separator: " ").last.flatMap { definitions[String($0)] }
  }

  private static let product =
    "a product: active paid subscriptions, trials, subscriptions in grace, and the MRR of the paid ones"
  private static let definitions = [
    "overview": product, "active": product,
    "billing-retry": "a subscription in billing retry: without access, while Apple retries the renewal",
    "churn": "paid periods of one length that came due in the window, and their outcomes",
    "refunds": "a product: transactions that Apple cancelled in the window, excluding upgrades",
    "upgrades":
      "a period that an immediate plan change replaced in the window, and the credit for its unused time",
    "events": "an event of a subscription in the window",
    "cohorts":
      "subscriptions first paid in a month (UTC), and how many were still paid N calendar months later",
    "recovery":
      "a product: paid subscriptions that entered billing retry in the window, and their state at its end",
    "offers":
      "periods of one kind, offer and product that started below the standard price in the window, and their outcomes",
    "rows": "a subscription or transaction counted in the figure",
    "receipts": "a receipt or customer counted on the Sweep tab",
    "sweep": "a sweep: what it checked and how it ended",
    "compared": "a figure on both sides of a comparison",
    "alerts": "a configured alert and its state",
    "evidence": "a known field of one subscription history",
  ]
}
