import Screen
import Subscriptions

extension State {
  mutating func mark() -> [Effect] {
    guard cursor?.spot == nil, let drillDown, drillDown.isSweepable else {
      return say("Only subscriptions and receipts can be marked.")
    }
    if cursor?.marked.remove(drillDown) == nil { cursor?.marked.insert(drillDown) }
    move(.down)
    return []
  }

  mutating func unmark() -> [Effect] {
    let isMarked = cursor?.marked.isEmpty == false
    cursor?.marked = []
    return say(isMarked ? "All marks removed." : "No row is marked.")
  }

  /// Asks whether to sweep the marked rows.
  ///
  /// If none is marked, the whole list is read first, and the question covers all rows that match the filter.
  mutating func sweepList() -> [Effect] {
    guard let page, let listing = page.listing else { return say("There is no list to sweep here.") }
    let marked = cursor?.marked ?? []
    guard marked.isEmpty else {
      return askSweep(Array(marked), of: CountText.of(marked.count, "marked row"))
    }
    guard listing.rows.contains(where: { listing[row: $0.id]?.drillDown?.isSweepable == true }) else {
      return say(
        listing.rows.isEmpty
          ? "The list is empty." : "These rows are not subscriptions; Enter on a row lists its subscriptions."
      )
    }
    awaitedList = listName.map { ($0, nil) }
    let effects = readFurther()
    if isReadingWhole { say("Reading the whole list\(glyphs.ellipsis)") }
    return effects
  }

  /// Asks for confirmation to sweep the list, after as many of its rows as possible have been read.
  mutating func askSweepOfList() -> [Effect] {
    guard let page, let listing = page.listing else { return [] }
    let shown = CountText.of(listing.rows.count, "row")
    if case .receipts(let view)? = top, arrangement.filter.isEmpty {
      return askSweep(.answering(view.lines.question, of: view.name), of: "all of “\(view.name)”")
    }
    let read = page.wholeListing?.rows.count ?? 0
    let remark = page.wholeListing?.total.map {
      "Only the first \(CountText.of(read)) of \(CountText.of($0)) rows were read."
    }
    return askSweep(
      listing.rows.compactMap { listing[row: $0.id]?.drillDown },
      of: arrangement.filter.isEmpty ? "the whole list of \(shown)" : "the \(shown) matching the filter",
      remark: remark ?? "")
  }

  private mutating func askSweep(_ rows: [DrillDown], of subject: String, remark: String = "") -> [Effect] {
    var chains: [OriginalTransactionID] = []
    var receipts: [ReceiptID] = []
    for row in rows {
      switch row {
      case .chain(let id): chains.append(id)
      case .receipt(let id): receipts.append(id)
      case .found(let index): chains += foundChains.dropFirst(index).prefix(1).map(\.originalTransactionId)
      default: continue
      }
    }
    var seen: Set<OriginalTransactionID> = []
    chains = chains.filter { seen.insert($0).inserted }
    let name = sweptName
    return askSweep(
      receipts.isEmpty ? .chains(chains, of: name) : .receipts(receipts, of: name), of: subject,
      remark: remark)
  }

  /// Name of the list for the record of its sweep.
  private var sweptName: String {
    let filter = arrangement.filter.withoutSecrets.harmless
    let name: String =
      switch top {
      case .rows(let view)?: "\(view.subject.panel.rawValue) \(view.subject.figure)"
      case .receipts(let view)?: view.name
      default: listName ?? ""
      }
    return filter.isEmpty ? name : "\(name) /\(filter)"
  }
}

extension DrillDown {
  var isSweepable: Bool {
    switch self {
    case .chain, .receipt, .found: true
    default: false
    }
  }
}

extension State {
  mutating func run(_ command: OwnCommand) -> [Effect] {
    do throws(CommandError) {
      let arguments = try command.arguments(idsHere)
      say("Running \(command.name)\(glyphs.ellipsis)")
      return [.run(name: command.name, arguments)]
    } catch {
      return say("\(command.name) did not run: \(error.sentence).", .warn)
    }
  }

  /// Shows the last line of a program's output, and adds the other lines to the messages.
  mutating func ran(_ name: String, _ lines: [String], _ failure: String?) {
    let level: Toast.Level = failure == nil ? .good : .bad
    let words = lines.map(\.harmless).filter { !$0.isEmpty }
    for line in words.dropLast() { note("\(name): \(line)", level) }
    let last = words.last.map { ": \($0)" } ?? ""
    say("\(name)\(failure.map { " \($0)" } ?? (last.isEmpty ? " finished" : ""))\(last)", level)
  }

  private var idsHere: [OwnCommand.Placeholder: String] {
    if let shownChain { return ids(of: shownChain) }
    var ids: [OwnCommand.Placeholder: String] = [:]
    switch drillDown {
    case .chain(let id)?: ids[.originalTransactionID] = id.rawValue
    case .receipt(let id)?: ids[.receiptID] = "\(id)"
    case .product(let id)?: ids[.productID] = id.rawValue
    case .only(let narrowing)?: ids[.productID] = narrowing.product?.rawValue
    case .found(let index)?: ids = foundChains.dropFirst(index).first.map(ids(of:)) ?? [:]
    default: break
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

  /// Product of the selected row; for a change of product, the earlier product, as in the JSON.
  private var productHere: String? {
    guard let text = cell("product") ?? cell("from") else { return nil }
    let name = text.firstRange(of: " \(glyphs.right) ").map { String(text[..<$0.lowerBound]) } ?? text
    // The row `All` is the total of a split, not a product.
    let isWhole = panel == .movement && name == "All"
    return isWhole ? nil : products.id(ProductID(name)).rawValue
  }

  /// Text of the selected row in a column, hidden or not; `nil` if it is missing, empty or a dash.
  private func cell(_ field: String) -> String? {
    guard cursor?.spot == nil, let id = cursor?.selected, let listing = page?.wholeListing,
      let column = listing.fieldNames.firstIndex(of: field),
      let row = listing.rows.first(where: { $0.id == id }), row.cells.indices.contains(column)
    else { return nil }
    let text = row.cells[column].text
    return text.isEmpty || text == glyphs.dash ? nil : text
  }
}
