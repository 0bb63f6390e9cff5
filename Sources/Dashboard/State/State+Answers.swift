import Screen
import Subscriptions

extension State {
  mutating func show(_ report: Report, serial: Int) -> [Effect] {
    guard let load = pending.load, load.serial == serial else { return [] }
    pending.failure = nil
    pending.isAwaited = false
    products.learn(report.products)
    let work = ListWork(
      source: .report(
        report, formatter, isSweeping: sweep.isActive, isReadOnly: isReadOnly, cohorts: cohortView),
      arrangement: arrangement(of: .panel(report.report)))
    guard report.listedRows > ListWork.atOnce else {
      take(work.page, of: report, load)
      return []
    }
    pending.load?.report = report
    return [.arrange(work, serial: serial)]
  }

  private mutating func take(_ page: Page, of report: Report, _ load: PendingRequests.Load) {
    pending.load = nil
    pending.lastTook = uptime - load.asked
    var page = page
    page.cursor = panels[report.report]?.page.cursor ?? ListCursor()
    page.cursor.keep(to: page.blocks, in: Chrome(size).body.size, glyphs: glyphs)
    if let old = panels[report.report], old.question.isOfTheSame(as: load.question) {
      page.cursor.changed = ChangedRows(from: old.page.listing, to: page.listing, at: uptime)
    }
    panels[report.report] = PanelView(report: report, question: load.question, page: page)
    keepReach(of: .panel(report.report), load.question)
  }

  mutating func show(_ status: StoreStatus, serial: Int) {
    guard pending.take(.status, serial) else { return }
    let days = windowDays
    self.status = status
    if windowDays != days { pending.isOutdated = true }
  }

  mutating func show(_ queue: QueueReport, serial: Int) {
    guard let asked = pending.queue, asked.serial == serial else { return }
    pending.queue = nil
    sweepView.readingTime = uptime - asked.asked
    if tab == .sweep { pending.failure = nil }
    (sweepView.queue, sweepView.readAt) = (queue, now)
    (sweepView.isDrawn, sweepView.isStill) = (false, isFrozen)
  }

  mutating func fail(_ reason: String, serial: Int) {
    if pending.isWhole(serial) { pending.unreadable = listScreen }
    if pending.load?.serial == serial {
      pending.load = nil
      pending.failure = reason
    } else if pending.find?.serial == serial {
      pending.find = nil
    } else if pending.rows?.serial == serial {
      pending.rows = nil
    } else if pending.queue?.serial == serial {
      pending.queue = nil
      pending.failure = reason
    } else if pending.receipts?.serial == serial {
      pending.receipts = nil
    } else if confirmation?.serial == serial {
      confirmation = nil
    } else if pending.compared?.serial == serial {
      pending.compared = nil
    } else if !pending.drop(serial: serial) {
      return
    }
    say(reason, .bad)
  }

  // MARK: Rows behind a figure

  mutating func show(_ rows: FigureRows, serial: Int) -> [Effect] {
    guard let asked = pending.rows, asked.serial == serial else { return [] }
    pending.isAwaited = false
    products.learn(rows.rows.map(\.productID))
    let work = ListWork(
      source: .rows(rows, asked.subject, asked.question.environment, uses(behind: asked), formatter),
      arrangement: arrangement(of: .rows(asked.subject.panel)))
    guard rows.rows.count > ListWork.atOnce else {
      take(work.page, asked)
      return []
    }
    pending.rows?.read = (rows.rows.count, rows.rows.count)
    return [.arrange(work, serial: serial)]
  }

  /// Returns the uses that the figure covers if it is an offer's balance. `nil` unless the panel has answered
  /// the same query.
  private func uses(behind asked: PendingRequests.Rows) -> OfferUses? {
    guard let panel = panels[asked.subject.panel], panel.question.isOfTheSame(as: asked.question) else {
      return nil
    }
    return panel.report.uses(behind: asked.subject.figure)
  }

  private mutating func take(_ page: Page, _ asked: PendingRequests.Rows) {
    pending.rows = nil
    pending.lastTook = uptime - asked.asked
    var layer = Layer(
      content: .rows(RowsView(subject: asked.subject, question: asked.question)), page: page)
    switch (asked.purpose, layers.last?.content) {
    case (.open, nil), (.open, .compared?), (.open, .alerts?): layers.append(layer)
    case (.refresh, .rows(let old)?) where old.subject.figures == asked.subject.figures:
      let before = layers.removeLast().page
      if old.subject == asked.subject {
        layer.page.cursor = before.cursor
        if old.question.isOfTheSame(as: asked.question) {
          layer.page.cursor.changed = ChangedRows(from: before.listing, to: page.listing, at: uptime)
        }
      }
      layers.append(layer)
    default: return
    }
    keepReach(of: .rows(asked.subject.panel), asked.question)
    settle()
  }

  mutating func note(read: Int, of all: Int, serial: Int) {
    if pending.rows?.serial == serial { pending.rows?.read = (read, all) }
  }

  /// Shows a list that was prepared on another thread, and arranges it again if the user has changed the
  /// arrangement since.
  mutating func take(_ list: ArrangedList, serial: Int) -> [Effect] {
    if let load = pending.load, load.serial == serial, let report = load.report {
      take(list.page, of: report, load)
      return rearrange(.panel(report.report))
    }
    if let asked = pending.rows, asked.serial == serial {
      take(list.page, asked)
      return rearrange(.rows(asked.subject.panel))
    }
    if let arranging = pending.arranging, arranging.serial == serial, arranging.list == listScreen {
      pending.arranging = nil
      show(list.page, isAtFirst: arranging.isAtFirst)
    }
    return []
  }

  // MARK: Chains

  mutating func show(_ chains: [ChainReport], serial: Int) {
    guard let find = pending.find, find.serial == serial else { return }
    pending.find = nil
    switch find.purpose {
    case .open: open(chains, find)
    case .refresh: refresh(chains, find)
    }
  }

  private mutating func open(_ chains: [ChainReport], _ find: PendingRequests.Find) {
    switch chains.count {
    case 0: say(find.query.unknown, .warn)
    case 1:
      // A chain found from its own screen replaces that screen.
      if case .chain(let shown)? = layers.last?.content,
        shown.chain.originalTransactionId == chains[0].originalTransactionId
      {
        layers.removeLast()
      }
      layers.append(Layer(chains[0], at: find.at, in: formatter))
    default: layers.append(Layer(find.query, chains, at: find.at, in: formatter))
    }
  }

  /// Updates the chain or the list of chains. The current chain may no longer be among those found.
  private mutating func refresh(_ chains: [ChainReport], _ find: PendingRequests.Find) {
    switch layers.last?.content {
    case .chain(let view)?:
      let same = chains.first {
        $0.originalTransactionId == view.chain.originalTransactionId
          && $0.environment == view.chain.environment
      }
      guard let same else { return }
      replaceTop(by: Layer(same, at: find.at, in: formatter))
    case .chains(let view)? where view.query == find.query && !chains.isEmpty:
      var fresh = Layer(find.query, chains, at: find.at, in: formatter)
      if let page { fresh.page = fresh.page.arranged(by: page.arrangement) }
      replaceTop(by: fresh)
      settle()
    default: return
    }
  }

  mutating func show(json text: String, serial: Int) {
    guard case .evidence(let view)? = layers.last?.content, pending.take(.json, serial) else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) }
    let block = Block(
      StyledText("Subscription history \(view.chain.originalTransactionId) as JSON"), .text(lines, indent: 4))
    layers.append(Layer(content: .json(JSONView(text: text, at: view.at)), page: Page([block])))
  }
}

extension Layer {
  init(_ chain: ChainReport, at: Instant, in formatter: DisplayFormatter) {
    self.init(
      content: .chain(ChainView(chain: chain, at: at)), page: Page(chain.blocks(at: at, in: formatter)))
  }

  init(_ query: ChainQuery, _ chains: [ChainReport], at: Instant, in formatter: DisplayFormatter) {
    self.init(
      content: .chains(ChainsView(query: query, chains: chains)),
      page: Page([chains.listBlock(of: query.text, at: at, in: formatter)]))
    page.cursor.selected = page.listing?.rows.first?.id
  }
}

extension ChainQuery {
  fileprivate var unknown: String {
    switch self {
    case .id(let id): "Nothing in the store has the id \(id.withoutSecrets)."
    case .receipt(let id): "No subscription is known of receipt \(id)."
    }
  }
}

extension Question {
  /// Whether the query differs at most in its instant and limit.
  fileprivate func isOfTheSame(as other: Question) -> Bool {
    var same = other
    (same.at, same.limit) = (at, limit)
    return same == self
  }
}
