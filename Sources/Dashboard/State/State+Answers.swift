import Screen
import Subscriptions

extension State {
  mutating func show(_ status: StoreStatus, serial: Int) {
    guard pending.take(.status, serial) != nil else { return }
    let days = window.days
    self.status = status
    if window.days != days { pending.isOutdated = true }
  }

  mutating func show(_ queue: QueueReport, serial: Int) {
    guard let asked = pending.take(.queue, serial) else { return }
    sweepView.readingTime = uptime - asked.asked
    if tab == .sweep { pending.failure = nil }
    (sweepView.queue, sweepView.readAt) = (queue, now)
    (sweepView.isDrawn, sweepView.isStill) = (false, isFrozen)
  }

  mutating func fail(_ reason: String, serial: Int) {
    guard let (kind, request) = pending.drop(serial: serial) else { return }
    if request.isOfWhole { pending.unreadable = listName }
    if kind == .panel || kind == .queue || kind == .reconciliation && tab == .reconcile {
      pending.failure = reason
    }
    if kind == .sweep { confirmation = nil }
    say(reason, .bad)
  }

  // MARK: Panels and the rows behind a figure

  mutating func show(_ report: Report, serial: Int) -> [Effect] {
    guard pending.awaited(.panel, serial) != nil else { return [] }
    pending.failure = nil
    products.learn(report.products)
    pending[.panel]?.report = report
    let source = ListWork.Source.report(report, formatter, panelOptions)
    return prepare(source, of: report.report.rawValue, report.listedRows, serial)
  }

  mutating func show(_ rows: FigureRows, serial: Int) -> [Effect] {
    guard case .rows(let view)? = pending.awaited(.rows, serial)?.subject else { return [] }
    products.learn(rows.rows.map(\.productID))
    pending[.rows]?.read = rows.rows.count
    // The panel's report has the number of uses behind an offer's balance, if it answered the same query.
    let shown = panels[view.subject.panel].flatMap { $0.question.isOfTheSame(as: view.question) ? $0 : nil }
    let source = ListWork.Source.rows(
      rows, view.subject, view.question.environment, shown?.report.uses(behind: view.subject.figure),
      altered(formatter) { $0.now = view.question.at })
    return prepare(source, of: view.subject.panel.rowList, rows.rows.count, serial)
  }

  private mutating func prepare(
    _ source: ListWork.Source, of list: String, _ count: Int, _ serial: Int
  ) -> [Effect] {
    pending.isAwaited = false
    let work = ListWork(source: source, arrangement: arrangement(of: list))
    return count > ListWork.atOnce
      ? [.arrange(work, serial: serial)] : take(work.done(), serial: serial)
  }

  /// Shows an arranged list, and arranges it again if the user has changed the arrangement since.
  mutating func take(_ page: Page, serial: Int) -> [Effect] {
    if let asked = pending.take(.panel, serial), case .panel(let question) = asked.subject,
      let report = asked.report
    {
      pending.lastTook = uptime - asked.asked
      show(page, of: report, question)
      keepReach(of: question.panel.rawValue, question)
      return rearrange(question.panel.rawValue)
    }
    if let asked = pending.take(.rows, serial), case .rows(let view) = asked.subject {
      pending.lastTook = uptime - asked.asked
      show(page, view, asked.purpose)
      keepReach(of: view.subject.panel.rowList, view.question)
      return rearrange(view.subject.panel.rowList)
    }
    if case .list(let name, let isAtFirst)? = pending.take(.arranging, serial)?.subject, name == listName {
      show(page, isAtFirst: isAtFirst)
    }
    return []
  }

  private mutating func show(_ page: Page, of report: Report, _ question: Question) {
    let old = panels[report.report]
    var page = page
    page.cursor = old?.page.cursor ?? ListCursor()
    page.cursor.keep(to: page.blocks, in: Chrome(size).body.size, glyphs: glyphs)
    if let old, old.question.isOfTheSame(as: question) {
      page.cursor.changed = ChangedRows(from: old.page.listing, to: page.listing, at: uptime)
    }
    panels[report.report] = PanelView(report: report, question: question, page: page)
  }

  private mutating func show(_ page: Page, _ view: RowsView, _ purpose: PendingRequests.Purpose) {
    var layer = Layer(content: .rows(view), page: page)
    switch (purpose, top) {
    case (.open, nil), (.open, .compared?), (.open, .alerts?): break
    case (.refresh, .rows(let old)?) where old.subject.figures == view.subject.figures:
      let before = layers.removeLast().page
      if old.subject == view.subject { layer.page.cursor = before.cursor }
      if old.subject == view.subject, old.question.isOfTheSame(as: view.question) {
        layer.page.cursor.changed = ChangedRows(from: before.listing, to: page.listing, at: uptime)
      }
    default: return
    }
    layers.append(layer)
    settle()
  }

  mutating func take(_ ids: IDSuggestions, serial: Int) -> [Effect] {
    guard let asked = pending.take(.suggestions, serial) else { return [] }
    guard case .unmatched(let text) = asked.subject else {
      prompting?.suggestions?.take(ids)
      return []
    }
    // Only offers, because another id than the typed one would be another customer's.
    let offers = IDSuggestions(ids.found.filter { $0.kind == .offer })
    let known = Choice.known(text, products: products)
    let nearest = Suggestions(text: text, known: known, ids: offers).nearest
    return nearest.map { open($0) } ?? say(ChainQuery.id(text).unknown, .warn)
  }

  // MARK: Chains

  mutating func show(_ chains: [ChainReport], serial: Int) -> [Effect] {
    guard let asked = pending.take(.chains, serial), case .chains(let query, let at) = asked.subject else {
      return []
    }
    switch (asked.purpose, top) {
    case (.open, _) where chains.isEmpty:
      // Enter can come before the suggestions, so the text may still name an offer, figure, tab or product.
      if case .id(let text) = query {
        return [.suggest(text, serial: pending.ask(.suggestions, .unmatched(text), .open))]
      }
      say(query.unknown, .warn)
    case (.open, _) where chains.count > 1: push(.chains(query, chains), [block(of: query, chains, at)])
    case (.open, _):
      // A chain found from its own screen replaces that screen.
      if shownChain?.originalTransactionId == chains[0].originalTransactionId { layers.removeLast() }
      layers.append(layer(of: chains[0], at))
      settle()
    case (.refresh, .chain(let old, _)?):
      let same = chains.first {
        $0.originalTransactionId == old.originalTransactionId && $0.environment == old.environment
      }
      if let same { replaceTop(by: layer(of: same, at)) }
    case (.refresh, .chains(let old, _)?) where old == query && !chains.isEmpty:
      replaceTop(by: layer(.chains(query, chains), [block(of: query, chains, at)]))
      settle()
    default: break
    }
    return []
  }

  func layer(of chain: ChainReport, _ at: Instant) -> Layer {
    layer(.chain(chain, at: at), chain.blocks(at: at, in: formatter))
  }

  private func block(of query: ChainQuery, _ chains: [ChainReport], _ at: Instant) -> Block {
    chains.listBlock(of: query.text, at: at, in: formatter)
  }

  mutating func show(json text: String, serial: Int) {
    guard case .evidence(let chain, let at)? = top, pending.take(.json, serial) != nil else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) }
    let title = StyledText("Subscription history \(chain.originalTransactionId) as JSON")
    layers.append(layer(.json(text, at: at), [Block(title, .text(lines, indent: 4))]))
  }
}

extension ChainQuery {
  fileprivate var unknown: String {
    switch self {
    case .id(let id): "Nothing matches \"\(id.withoutSecrets)\"."
    case .receipt(let id): "Receipt \(id) has no known subscription."
    }
  }
}

extension Question {
  fileprivate func isOfTheSame(as other: Question) -> Bool {
    var same = other
    (same.at, same.knownAt, same.limit) = (at, knownAt, limit)
    return same == self
  }
}
