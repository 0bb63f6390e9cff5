import Screen
import Subscriptions

/// Copies to the clipboard and exports to files. Copied text is cleaned, because a line break or an escape
/// sequence from outside would be a command when pasted into a shell.
extension State {
  /// Copies the id of the selected element, or else its first cell.
  mutating func copy() -> [Effect] {
    guard let text = idHere else {
      say("There is nothing to copy here.")
      return []
    }
    if case .json? = layers.last?.content {
      say("Copied the JSON.", .good)
      return [.copy(text.replacingCommands { $0 == "\n" ? "\n" : "\u{FFFD}" })]
    }
    say("Copied \(text).", .good)
    return [.copy(text.harmless)]
  }

  /// Copies the selected row, with tabs between cells.
  mutating func copyRow() -> [Effect] {
    guard let listing = page?.listing, let id = cursor?.selected, cursor?.spot == nil,
      let row = listing.rows.first(where: { $0.id == id })
    else {
      say("There is no row to copy here.")
      return []
    }
    say("Copied the row.", .good)
    let cells = zip(listing.fieldNames, row.cells).filter { !$0.0.isEmpty }.map(\.1.text.harmless)
    return [.copy(cells.joined(separator: "\t"))]
  }

  mutating func copyTicket() -> [Effect] {
    guard case .chain(let view)? = layers.last?.content else { return [] }
    let text = view.chain.ticket(in: wording)
    say("Copied \(CountText.of(text.split(separator: "\n").count, "line")) for a ticket.", .good)
    return [.copy(text)]
  }

  private var idHere: String? {
    switch layers.last?.content {
    case .chain(let view)?: return view.chain.originalTransactionId.rawValue
    case .evidence?:
      return page?.listing?.rows.first { $0.id == cursor?.selected }?.cells.dropFirst(2).first?.text
    case .json(let view)?: return view.text
    default: break
    }
    switch opening {
    case .chain(let id)?: return id.rawValue
    case .product(let id)?: return id.rawValue
    case .receipt(let id)?: return id.description
    case .only?: return cursor?.selected
    case .found, .rows, .receipts, .run, .comparison, .sides, .alert, nil: break
    }
    guard cursor?.spot == nil, let id = cursor?.selected else { return nil }
    return page?.listing?.rows.first { $0.id == id }?.cells.first?.text
  }

  mutating func beginExport() {
    guard tableExport != nil else {
      say("There is no list to write here.")
      return
    }
    let name: String =
      switch listScreen {
      case .panel(let panel)?: panel.rawValue
      case .rows(let panel)?: "\(panel.rawValue)-rows"
      case .sweep?: "sweeps"
      case .receipts?: "receipts"
      case .keys?: "keys"
      case .messages?: "messages"
      case .products?: "products"
      case .compared(let panel)?: "\(panel.rawValue)-compared"
      case .alerts?: "alerts"
      case .comparisons?: "comparisons"
      case .evidence?: "history"
      case .chains?, nil: "found"
      }
    ask("write to: ", for: .export, text: "subtop-\(name)-\(wording.date(shownAt)).csv")
  }

  mutating func export(to path: String) -> [Effect] {
    guard let tableExport else {
      say("There is no list to write here.")
      return []
    }
    guard let listScreen, page?.wholeListing?.total != nil || pending.arranging != nil else {
      return [.export(tableExport, to: path)]
    }
    awaitedExport = (listScreen, path)
    return []
  }

  mutating func exportWhenRead() -> [Effect] {
    guard let awaited = awaitedExport else { return [] }
    let isComing = isReadingWhole || pending.arranging != nil
    if listScreen == awaited.list, isComing { return [] }
    awaitedExport = nil
    guard pending.unreadable != awaited.list else {
      say("Nothing was written: not all of the list could be read.", .bad)
      return []
    }
    guard listScreen == awaited.list, let tableExport else {
      say("Nothing was written: another list is shown by now.", .warn)
      return []
    }
    return [.export(tableExport, to: awaited.path)]
  }
}
