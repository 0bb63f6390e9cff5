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
    let text = view.chain.ticket(in: formatter)
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
    switch drillDown {
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
    let name = listScreen?.name.replacing(" ", with: "-") ?? "list"
    ask("write to: ", for: .export, text: "subtop-\(name)-\(formatter.date(shownAt)).csv")
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

extension State {
  /// Minimum milliseconds between automatic refreshes. Depends on the duration of the last query, so that a
  /// large store is queried less often.
  var calm: Int64 {
    tab == .sweep && layers.isEmpty ? max(2000, 5 * sweepView.readingTime) : max(1000, 5 * pending.lastTook)
  }
  /// Milliseconds after which a pending query is reported.
  static let patience: Int64 = 300

  func question(of panel: Panel, for listScreen: ListScreen) -> Question {
    var question = Question(
      panel: panel, at: asOf, windowDays: windowDays, environment: environment,
      products: product.map { [$0] } ?? [], limit: limit(of: listScreen))
    let narrowing = narrowing.told(by: panel)
    (question.storefronts, question.offers) = (narrowing.storefront, narrowing.offer)
    if panel == .movement, listScreen == .panel(.movement) { question.split = movementSplit }
    return question
  }

  var isAsking: Bool { pending.oldest != nil }

  /// Whether a query is pending that should be reported.
  var isSlow: Bool {
    pending.oldest.map { pending.isAwaited || uptime >= $0 + State.patience } ?? false
  }

  /// Refreshes after a change of the query and reports the progress at once.
  mutating func refreshAtOnce() -> [Effect] {
    let effects = refresh()
    pending.isAwaited = true
    return effects
  }

  mutating func reload() -> [Effect] { refresh() + askStatus(at: asOfSweeps) + askAlerts() }

  /// Queries the current screen again: the top layer, or the panel.
  mutating func refresh() -> [Effect] {
    pending.isOutdated = false
    if !isAsking { pending.isAwaited = false }
    pending.unreadable = nil
    pending.lastAsked = uptime
    switch layers.last?.content {
    case .rows(let view)?: return askRows(view.subject, .refresh)
    case .chain(let view)?: return find(.id(view.chain.originalTransactionId.rawValue), .refresh)
    case .chains(let view)?: return find(view.query, .refresh)
    case .receipts(let view)? where isStill(view): return []
    case .receipts(let view)?: return askReceipts(view.question, .refresh)
    // Evidence and JSON belong to the instant of their chain.
    case .evidence?, .json?: return []
    case .compared(let view)?: return compare(view.comparison, .refresh)
    case .products?, .help?, .messages?, .comparisons?, .alerts?, nil:
      switch tab {
      case .panel(let panel): return load(panel)
      case .sweep where sweepView.isStill:
        pending.failure = nil
        return []
      case .sweep: return askQueue()
      }
    }
  }

  private mutating func load(_ panel: Panel) -> [Effect] {
    let question = question(of: panel, for: .panel(panel))
    let serial = pending.nextSerial()
    pending.load = PendingRequests.Load(serial: serial, question: question, asked: uptime)
    return [.load(question, serial: serial)]
  }

  mutating func askRows(_ subject: RowsView.Subject, _ purpose: PendingRequests.Find.Purpose) -> [Effect] {
    // Another figure starts with its newest rows.
    if purpose == .open { reaches[.rows(subject.panel)] = nil }
    var question = question(of: subject.panel, for: .rows(subject.panel))
    if subject.sides.indices.contains(subject.index) {
      let limit = question.limit
      question = subject.sides[subject.index].question
      question.limit = limit
    }
    let serial = pending.nextSerial()
    pending.rows = PendingRequests.Rows(
      serial: serial, subject: subject, question: question, purpose: purpose, asked: uptime)
    return [.loadRows(question, figure: subject.figure, serial: serial)]
  }

  mutating func find(_ query: ChainQuery, _ purpose: PendingRequests.Find.Purpose) -> [Effect] {
    let serial = pending.nextSerial()
    pending.find = PendingRequests.Find(
      serial: serial, query: query, at: asOf, purpose: purpose, asked: uptime)
    switch query {
    case .id(let id): return [.find(id: id, at: asOf, serial: serial)]
    case .receipt(let id): return [.findReceipt(id, at: asOf, serial: serial)]
    }
  }

  private mutating func askQueue() -> [Effect] {
    let serial = pending.nextSerial()
    pending.queue = PendingRequests.Queue(serial: serial, asked: uptime)
    return [.loadQueue(at: asOfSweeps, serial: serial)]
  }

  mutating func askStatus(at instant: Instant) -> [Effect] {
    [.loadStatus(at: instant, serial: pending.ask(.status))]
  }

  mutating func storeChanged() -> [Effect] {
    pending.isOutdated = true
    return refreshIfDue()
  }

  /// Refreshes if the store has changed or the interval has passed, at most once per `calm` and not while a
  /// query is pending.
  mutating func refreshIfDue() -> [Effect] {
    guard !isAsking, !isFrozen else { return [] }
    let age = uptime - pending.lastAsked
    if pending.isOutdated, age >= calm {
      return sweep.isActive ? refresh() : reload()
    }
    if let pace = refreshSchedule.refresh, fixedAt == nil, age >= pace { return reload() }
    return []
  }
}
