import Screen
import Subscriptions

/// Copies to the clipboard and exports to files.
///
/// Control characters in copied ids and cells are replaced, because a pasted line break could run a command.
extension State {
  /// Copies the id of the selected element, the value of a field, the whole JSON, or else the first cell.
  mutating func copy() -> [Effect] {
    guard let text = idHere else { return say("There is nothing to copy here.") }
    if case .json? = top {
      return [.copy(text.replacingCommands { $0 == "\n" ? "\n" : "\u{FFFD}" }, what: "the JSON")]
    }
    return [.copy(text.harmless, what: text)]
  }

  mutating func copyRow() -> [Effect] {
    guard let listing = page?.listing, let id = cursor?.selected, cursor?.spot == nil,
      let row = listing.rows.first(where: { $0.id == id })
    else { return say("There is no row to copy here.") }
    let cells = zip(listing.fieldNames, row.cells).filter { !$0.0.isEmpty }.map(\.1.text.harmless)
    return [.copy(cells.joined(separator: "\t"), what: "the row")]
  }

  mutating func copyTicket() -> [Effect] {
    guard let shownChain else { return [] }
    let text = shownChain.ticket(in: formatter)
    return [.copy(text, what: "\(CountText.of(text.split(separator: "\n").count, "line")) for a ticket")]
  }

  private var idHere: String? {
    switch top {
    case .chain(let chain, _)?: return chain.originalTransactionId.rawValue
    case .evidence?:
      return page?.listing?.rows.first { $0.id == cursor?.selected }?.cells.dropFirst(2).first?.text
    case .json(let text, _)?: return text
    default: break
    }
    switch drillDown {
    case .chain(let id)?: return id.rawValue
    case .product(let id)?: return id.rawValue
    case .receipt(let id)?: return id.description
    case .only?: return cursor?.selected
    default: break
    }
    guard cursor?.spot == nil, let id = cursor?.selected else { return nil }
    return page?.listing?.rows.first { $0.id == id }?.cells.first?.text
  }

  mutating func beginExport() -> [Effect] {
    guard page?.listing != nil else { return say("There is no list to export here.") }
    var name = listName ?? "list"
    if case .rows(let view)? = top { name = "\(view.subject.panel.rawValue)-\(view.subject.figure)" }
    let words = name.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }.joined(separator: "-")
    let time = formatter.minute(shownAt).replacing(" ", with: "T").replacing(":", with: "")
    let path = "subtop-\(words)-\(time)"
    let paths = (1...).lazy.map { $0 == 1 ? "\(path).csv" : "\(path)-\($0).csv" }
    ask("export to: ", for: .export, text: paths.first { !exported.contains($0) } ?? "")
    return []
  }

  mutating func export(to path: String) -> [Effect] {
    guard let listName, page?.listing != nil else { return say("There is no list to export here.") }
    awaitedList = (listName, path)
    say("Exporting\(glyphs.ellipsis)")
    return []
  }
}

extension State {
  /// Minimum milliseconds between automatic refreshes, longer if the last query took long.
  var calm: Int64 {
    tab == .sweep && layers.isEmpty ? max(2000, 5 * sweepView.readingTime) : max(1000, 5 * pending.lastTook)
  }
  /// Milliseconds after which the header shows that a query is pending.
  static let patience: Int64 = 300

  func question(of panel: Panel, for list: String) -> Question {
    var question = Question(
      panel: panel, at: asOf, environment: environment, products: product.map { [$0] } ?? [],
      limit: limit(of: list))
    let narrowing = narrowing.supported(by: panel)
    (question.storefronts, question.offers) = (narrowing.storefront, narrowing.offer)
    if panel == .movement, list == panel.rawValue { question.split = movementSplit }
    return asked(question)
  }

  var isAsking: Bool { pending.oldest != nil }

  /// Whether the header shows that a query is pending, because it is slow or was caused by a key.
  var isSlow: Bool {
    pending.oldest.map { pending.isAwaited || uptime >= $0 + State.patience } ?? false
  }

  /// Changes the query and refreshes; the header shows the pending query at once, not after `patience`.
  mutating func refreshAtOnce(_ change: (inout State) -> Void = { _ in }) -> [Effect] {
    change(&self)
    let effects = refresh()
    pending.isAwaited = true
    return effects
  }

  mutating func reload() -> [Effect] {
    refresh() + askStatus(at: asOfSweeps) + askAlerts() + (tab == .reconcile ? [] : askReconciliation())
  }

  mutating func refresh() -> [Effect] {
    pending.isOutdated = false
    if !isAsking { pending.isAwaited = false }
    pending.unreadable = nil
    (pending.lastAsked, pending.lastAskedAt) = (uptime, now)
    switch top {
    case .rows(let view)?: return askRows(view.subject, .refresh)
    case .chain(let chain, _)?: return find(.id(chain.originalTransactionId.rawValue), .refresh)
    case .chains(let query, _)?: return find(query, .refresh)
    case .receipts(let view)?: return isStill(view) ? [] : askReceipts(view.lines.question, .refresh)
    // Fields and JSON stay at the instant of the chain from which they were opened.
    case .evidence?, .json?: return []
    case .compared(let view)?: return compare(view.comparison, .refresh)
    case .reconciled?: return askReconciliation()
    case .products?, .help?, .messages?, .comparisons?, .alerts?, .boxes?, .howTo?, nil:
      switch tab {
      case .panel(let panel): return load(panel)
      case .sweep where sweepView.isStill:
        pending.failure = nil
        return []
      case .sweep: return askQueue()
      case .reconcile: return askReconciliation()
      }
    }
  }

  mutating func load(_ panel: Panel) -> [Effect] {
    let question = question(of: panel, for: panel.rawValue)
    return [.load(question, serial: pending.ask(.panel, .panel(question), at: uptime))]
  }

  mutating func askRows(_ subject: RowsView.Subject, _ purpose: PendingRequests.Purpose) -> [Effect] {
    // Another figure starts with its newest rows.
    if purpose == .open { reaches[subject.panel.rowList] = nil }
    // A day's bar filters its own forecast only.
    if purpose == .open, DueHorizon.of(subject.figure) != nil {
      arrangements[subject.panel.rowList]?.filter = ""
    }
    var question = question(of: subject.panel, for: subject.panel.rowList)
    if subject.sides.indices.contains(subject.index) {
      let limit = question.limit
      question = subject.sides[subject.index].question
      question.limit = limit
    }
    let view = RowsView(subject: subject, question: question)
    let serial = pending.ask(.rows, .rows(view), purpose, at: uptime)
    return [.loadRows(question, figure: subject.figure, serial: serial)]
  }

  mutating func find(_ query: ChainQuery, _ purpose: PendingRequests.Purpose) -> [Effect] {
    let serial = pending.ask(.chains, .chains(query, at: asOf), purpose, at: uptime)
    switch query {
    case .id(let id): return [.find(id: id, at: asOf, serial: serial)]
    case .receipt(let id): return [.findReceipt(id, at: asOf, serial: serial)]
    }
  }

  private mutating func askQueue() -> [Effect] {
    guard origin == nil else { return [] }
    return [.loadQueue(at: asOfSweeps, serial: pending.ask(.queue, at: uptime))]
  }

  mutating func askStatus(at instant: Instant) -> [Effect] {
    [.loadStatus(at: instant, serial: pending.ask(.status))]
  }

  mutating func storeChanged() -> [Effect] {
    pending.isOutdated = true
    return refreshIfDue()
  }

  /// Refreshes if the store has changed (at most once in `calm` milliseconds) or the interval has passed.
  mutating func refreshIfDue() -> [Effect] {
    guard !isAsking, !isFrozen else { return [] }
    let age = uptime - pending.lastAsked
    if pending.isOutdated, age >= calm { return sweep.isActive ? refresh() : reload() }
    if let pace = refreshSchedule.refresh, fixedAt == nil, age >= pace { return reload() }
    return []
  }
}
