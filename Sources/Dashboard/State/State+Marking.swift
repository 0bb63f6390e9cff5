import Screen
import Subscriptions

extension State {
  /// Marks or unmarks the selected row. The space bar is not used, because it scrolls by a page.
  mutating func mark() {
    guard cursor?.spot == nil, let drillDown, drillDown.isSweepable else {
      say("Only subscriptions and receipts can be marked.")
      return
    }
    if cursor?.marked.remove(drillDown) == nil { cursor?.marked.insert(drillDown) }
    move(.down)
  }

  mutating func unmark() {
    guard cursor?.marked.isEmpty == false else { return say("No row is marked.") }
    cursor?.marked = []
    say("No row is marked any more.")
  }

  /// Sweeps the marked rows, or else all visible rows. An incomplete list is read completely first.
  mutating func sweepList() -> [Effect] {
    guard let page, let listing = page.listing else {
      say("There is no list to sweep here.")
      return []
    }
    let marked = cursor?.marked ?? []
    guard marked.isEmpty else {
      return askSweep(Array(marked), of: CountText.of(marked.count, "marked row"))
    }
    guard listing.rows.contains(where: { listing[row: $0.id]?.drillDown?.isSweepable == true }) else {
      say(
        listing.rows.isEmpty
          ? "The list is empty." : "These rows are not subscriptions; Enter on one opens those it counts.")
      return []
    }
    awaitedSweep = listScreen
    let effects = readFurther()
    guard isReadingWhole else {
      awaitedSweep = nil
      return effects + askSweepOfList()
    }
    say("Reading the list to its end\(glyphs.ellipsis)")
    return effects
  }

  /// Asks for confirmation after the list has been read completely.
  mutating func sweepWhenRead() -> [Effect] {
    guard let awaited = awaitedSweep, !isReadingWhole || listScreen != awaited else { return [] }
    awaitedSweep = nil
    guard listScreen == awaited else {
      say("Nothing was swept: another list is shown by now.", .warn)
      return []
    }
    return askSweepOfList()
  }

  private mutating func askSweepOfList() -> [Effect] {
    guard let page, let listing = page.listing else { return [] }
    let shown = CountText.of(listing.rows.count, "row")
    let whole = page.wholeListing?.total ?? listing.rows.count
    let isPart = whole > (page.wholeListing?.rows.count ?? 0)
    if case .receipts(let view)? = layers.last?.content, arrangement.filter.isEmpty {
      return askSweep(
        .answering(view.question, of: view.name), of: "all of “\(view.name)”")
    }
    return askSweep(
      listing.rows.compactMap { listing[row: $0.id]?.drillDown },
      of: arrangement.filter.isEmpty ? "the list of \(shown)" : "the \(shown) that the filter matches",
      remark: isPart
        ? "Only the first \(CountText.of(page.wholeListing?.rows.count ?? 0)) of \(CountText.of(whole)) rows were read."
        : "")
  }

  private mutating func askSweep(_ openings: [DrillDown], of subject: String, remark: String = "") -> [Effect]
  {
    var chains: [OriginalTransactionID] = []
    var receipts: [ReceiptID] = []
    for drillDown in openings {
      switch drillDown {
      case .chain(let id): chains.append(id)
      case .receipt(let id): receipts.append(id)
      case .found(let index):
        guard case .chains(let view)? = layers.last?.content, view.chains.indices.contains(index) else {
          continue
        }
        chains.append(view.chains[index].originalTransactionId)
      case .product, .only, .receipts, .rows, .run, .comparison, .sides, .alert: continue
      }
    }
    let name = listName
    let request: SweepRequest =
      receipts.isEmpty ? .chains(chains.uniqueInOrder, of: name) : .receipts(receipts, of: name)
    return askSweep(request, of: subject, remark: remark)
  }

  private var listName: String {
    let filter = arrangement.filter.withoutSecrets.harmless
    let name: String =
      switch layers.last?.content {
      case .rows(let view)?: "\(view.subject.panel.rawValue) \(view.subject.figure)"
      case .receipts(let view)?: view.name
      default: listScreen?.name ?? ""
      }
    return filter.isEmpty ? name : "\(name) /\(filter)"
  }
}

extension DrillDown {
  var isSweepable: Bool {
    switch self {
    case .chain, .receipt, .found: true
    case .product, .only, .receipts, .rows, .run, .comparison, .sides, .alert: false
    }
  }
}

extension Array where Element: Hashable {
  fileprivate var uniqueInOrder: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

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
    switch drillDown {
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

  /// Product of the selected row. For a product change it is the earlier product, as in the JSON's
  /// `product_id`.
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
