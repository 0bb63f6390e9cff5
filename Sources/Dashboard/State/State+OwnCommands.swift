import Screen
import Subscriptions

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

  /// Shows the last line of output, which is the most informative. The others go to the messages.
  mutating func ran(_ name: String, _ lines: [String], _ failure: String?) {
    let level: Toast.Level = failure == nil ? .good : .bad
    let words = lines.map(\.harmless).filter { !$0.isEmpty }
    for line in words.dropLast() { note("\(name): \(line)", level) }
    let last = words.last.map { ": \($0)" } ?? ""
    say("\(name)\(failure.map { " \($0)" } ?? (last.isEmpty ? " is done" : ""))\(last)", level)
  }

  /// Ids of the selected row, or of the subscription on the screen.
  private var idsHere: [OwnCommand.Placeholder: String] {
    if case .chain(let view)? = layers.last?.content { return ids(of: view.chain) }
    var ids: [OwnCommand.Placeholder: String] = [:]
    switch opening {
    case .chain(let id)?: ids[.originalTransactionID] = id.rawValue
    case .receipt(let id)?: ids[.receiptID] = "\(id)"
    case .product(let id)?: ids[.productID] = id.rawValue
    case .only(let narrowing)?: ids[.productID] = narrowing.product?.rawValue
    case .found(let index)?:
      guard case .chains(let view)? = layers.last?.content, view.chains.indices.contains(index) else { break }
      ids = self.ids(of: view.chains[index])
    case .receipts?, .rows?, .run?, .comparison?, .sides?, .alert?, nil: break
    }
    let shown: [OwnCommand.Placeholder: String?] = [
      .appUserID: cell("app_user"), .receiptID: cell("receipt"), .productID: productHere,
      .originalTransactionID: cell("subscription")?.split(separator: " ").first.map(String.init),
    ]
    for (placeholder, text) in shown where ids[placeholder] == nil { ids[placeholder] = text }
    if ids[.productID] == nil { ids[.productID] = product?.rawValue }
    return ids
  }

  private func ids(of chain: ChainReport) -> [OwnCommand.Placeholder: String] {
    var ids: [OwnCommand.Placeholder: String] = [
      .originalTransactionID: chain.originalTransactionId.rawValue
    ]
    ids[.appUserID] = chain.appUserIds.first?.rawValue
    ids[.receiptID] = chain.receipts.first.map { "\($0.id)" }
    ids[.productID] = (chain.lines.first?.productId ?? chain.oneTime.first?.productId)?.rawValue
    return ids
  }

  /// Product of the selected row. For a product change it is the earlier product, as in the JSON's `product_id`.
  private var productHere: String? {
    guard let text = cell("product") ?? cell("from") else { return nil }
    let name = text.firstRange(of: " \(glyphs.right) ").map { String(text[..<$0.lowerBound]) } ?? text
    // The total of a split.
    let isWhole = panel == .movement && name == "All"
    return isWhole ? nil : products.id(ProductID(name)).rawValue
  }

  /// Text of a column of the selected row, drawn or not; `nil` if it is empty.
  private func cell(_ field: String) -> String? {
    guard cursor?.spot == nil, let id = cursor?.selected, let listing = page?.wholeListing,
      let column = listing.fieldNames.firstIndex(of: field),
      let row = listing.rows.first(where: { $0.id == id }), row.cells.indices.contains(column)
    else { return nil }
    let text = row.cells[column].text
    return text.isEmpty || text == glyphs.dash ? nil : text
  }
}
