import Screen
import Subscriptions

/// Taking what is shown elsewhere: to the clipboard, or into a file.
extension State {
  /// The id of what stands out, or else its first cell.
  mutating func copy() -> [Effect] {
    guard let text = idHere else {
      say("There is nothing to copy here.")
      return []
    }
    say("Copied \(text).", .good)
    return [.copy(text)]
  }

  /// The row that stands out, its cells parted by tabs.
  mutating func copyRow() -> [Effect] {
    guard let listing = page?.listing, let id = place?.selected, place?.spot == nil,
      let row = listing.rows.first(where: { $0.id == id })
    else {
      say("There is no row to copy here.")
      return []
    }
    say("Copied the row.", .good)
    let cells = zip(listing.fieldNames, row.cells).filter { !$0.0.isEmpty }.map(\.1.text)
    return [.copy(cells.joined(separator: "\t"))]
  }

  private var idHere: String? {
    if case .chain(let view)? = layers.last { return view.chain.originalTransactionId.rawValue }
    switch opening {
    case .chain(let id)?: return id.rawValue
    case .product(let id)?: return id.rawValue
    case .receipt(let id)?: return id.description
    case .found, .rows, .run, nil: break
    }
    guard place?.spot == nil, let id = place?.selected else { return nil }
    return page?.listing?.rows.first { $0.id == id }?.cells.first?.text
  }

  mutating func beginExport() {
    guard tableExport != nil else {
      say("There is no list to write here.")
      return
    }
    let name: String =
      switch screenful {
      case .panel(let panel)?: panel.rawValue
      case .rows(let panel)?: "\(panel.rawValue)-rows"
      case .sweep?: "sweeps"
      case .keys?: "keys"
      case .chains?, nil: "chains"
      }
    ask("write to: ", for: .export, text: "subtop-\(name)-\(shownAt.dateText).csv")
  }

  mutating func export(to path: String) -> [Effect] {
    guard let tableExport else {
      say("There is no list to write here.")
      return []
    }
    return [.export(tableExport, to: path)]
  }
}
