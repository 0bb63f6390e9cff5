import Screen
import Subscriptions

/// Programs of somebody's own, run with the ids of what stands out.
extension State {
  mutating func run(_ command: OwnCommand) -> [Effect] {
    do throws(OwnCommand.Problem) {
      let arguments = try command.arguments(idsHere)
      say("Running \(command.name)\(glyphs.ellipsis)")
      return [.run(name: command.name, arguments)]
    } catch {
      say("\(command.name) did not run: \(error.sentence).", .warn)
      return []
    }
  }

  /// Its last line says the most; the others are among the messages.
  mutating func ran(_ name: String, _ lines: [String], _ failure: String?) {
    let level: Toast.Level = failure == nil ? .good : .bad
    let words = lines.map(\.harmless).filter { !$0.isEmpty }
    for line in words.dropLast() { note("\(name): \(line)", level) }
    let last = words.last.map { ": \($0)" } ?? ""
    say("\(name)\(failure.map { " \($0)" } ?? (last.isEmpty ? " is done" : ""))\(last)", level)
  }

  /// What is known of the row that stands out, or of the subscription that shows.
  private var idsHere: [OwnCommand.Placeholder: String] {
    var ids: [OwnCommand.Placeholder: String] = [:]
    ids[.productID] = product?.rawValue
    if case .chain(let view)? = layers.last?.content {
      ids[.originalTransactionID] = view.chain.originalTransactionId.rawValue
      ids[.appUserID] = view.chain.appUserIds.first?.rawValue
      ids[.receiptID] = view.chain.receipts.first.map { "\($0.id)" }
      return ids
    }
    switch opening {
    case .chain(let id)?: ids[.originalTransactionID] = id.rawValue
    case .receipt(let id)?: ids[.receiptID] = "\(id)"
    case .product(let id)?: ids[.productID] = id.rawValue
    case .only(let narrowing)?: ids[.productID] = narrowing.product?.rawValue
    case .found(let index)?:
      guard case .chains(let view)? = layers.last?.content, view.chains.indices.contains(index) else { break }
      ids[.originalTransactionID] = view.chains[index].originalTransactionId.rawValue
      ids[.appUserID] = view.chains[index].appUserIds.first?.rawValue
    case .receipts?, .rows?, .run?, .comparison?, .sides?, .alert?, nil: break
    }
    if ids[.appUserID] == nil { ids[.appUserID] = cell("app_user") }
    if ids[.originalTransactionID] == nil {
      ids[.originalTransactionID] = cell("subscription")?.split(separator: " ").first.map(String.init)
    }
    return ids
  }

  /// What stands in a column of the row that stands out; nil where nothing does.
  private func cell(_ field: String) -> String? {
    guard cursor?.spot == nil, let id = cursor?.selected, let listing = page?.listing,
      let column = listing.fieldNames.firstIndex(of: field),
      let row = listing.rows.first(where: { $0.id == id }), row.cells.indices.contains(column)
    else { return nil }
    let text = row.cells[column].text
    return text.isEmpty || text == glyphs.dash ? nil : text
  }
}
