import Screen
import Subscriptions

/// Content of the sweep tab: the running sweep, the queue and the last sweeps.
struct SweepPanel {
  let sweep: SweepState
  let queue: QueueReport?
  var readAt: Instant?
  var isReadOnly = false
  let now: Instant
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  private var swept: SweptFigures? { SweptFigures(sweep, queue?.sweeps ?? []) }

  /// Blocks of the tab; the blocks about the queue follow `statuses`, to keep its selection when they arrive.
  var blocks: [Block] {
    guard let queue else { return [head, statuses, changes] }
    return [
      head, statuses, queue.queues(at: now, readAt: sweep.isActive ? readAt : nil), changes,
      queue.nextDue(in: formatter), queue.costs,
      queue.ages, queue.lag(in: glyphs),
    ] + queue.troubles(in: glyphs) + [sweeps(queue)] + queue.setAside(in: glyphs)
  }

  private var head: Block {
    var head = SweepCondition(
      sweep: sweep, queue: queue, isReadOnly: isReadOnly, now: now, glyphs: glyphs
    ).head
    // The store only has the current due dates, not those of the past.
    let shown = formatter.minute(now)
    if let readAt, readAt > now, case let known = formatter.minute(readAt), known != shown {
      head.state.append(
        StyledText("Receipts due at \(shown) are counted from the data of \(known).", .warn))
    }
    return Block("Sweep", .head(head), span: .wide)
  }

  /// Statuses of the running or the last sweep or, if there are none, the last status of each receipt.
  private var statuses: Block {
    var (title, list) = (
      "Receipts by Apple's last answer", Listing(queue?.statuses ?? [], at: now, in: glyphs)
    )
    if let swept, swept.counts.requests > 0 || !swept.statuses.isEmpty || queue == nil {
      title = "Apple's answers, \(swept.name)"
      list = Listing(
        swept.statuses, http: swept.counts.http.filter { $0.key != 200 },
        unanswered: swept.counts.transportErrors, since: swept.started, at: now, in: glyphs)
    }
    return Block(StyledText(title), .listing(list), minimumColumns: 66)
  }

  private var changes: Block {
    Block(
      swept.map { StyledText("Changed, \($0.name)") } ?? "Changed",
      .figures((swept?.counts ?? SweepCounts()).changes), minimumColumns: 27)
  }

  /// Returns the list of sweeps; a sweep that runs here has its current counts, not the older stored counts.
  private func sweeps(_ queue: QueueReport) -> Block {
    let records = queue.sweeps.map { record in
      guard let progress = sweep.progress, record.isOfOne(startedHereAt: progress.started) else {
        return record
      }
      return altered(record) { $0.counts = progress.counts }
    }
    return Block(
      "Last sweeps", .listing(records.listing(at: now, in: formatter)), span: .main,
      minimumColumns: 70)
  }
}

extension SweepCounts {
  @FigureBuilder fileprivate var changes: [Figure] {
    Figure.count("New transactions", news.newTransactions, Style(.good, .bold))
    Figure.part("renewals", news.renewals, .good)
    Figure.part("refunds", news.refunds, .bad)
    Figure.count("State changes", news.stateChanges, Style(.warn, .bold))
    Figure.count("Receipts changed", changed)
    Figure.part("unchanged", unchanged)
    Figure.count("Rejected", rejected, Style(.bad, .bold))
    Figure.count("Postponed", retryLater, Style(.warn, .bold))
  }
}

extension State {
  /// Redraws the visible sweep tab, which changes with the progress of a sweep and with the clock.
  mutating func showSweeps() {
    guard tab == .sweep, !isFrozen || !sweepView.isDrawn || sweepView.page.blocks.isEmpty else { return }
    sweepView.isDrawn = true
    let isKnown = sweepView.queue != nil || sweep.isActive || sweep.last != nil || sweep.failure != nil
    let blocks =
      isKnown
      ? SweepPanel(
        sweep: sweep, queue: sweepView.queue, readAt: sweepView.readAt,
        isReadOnly: isReadOnly, now: asOfSweeps, formatter: formatter
      ).blocks : []
    let old = sweepView.page
    let page = Page(blocks, arrangement(of: tab.name), cursor: old.cursor)
    guard page.blocks != old.blocks else { return }
    sweepView.page = page
    if page.blocks.count != old.blocks.count {
      sweepView.page.cursor.keep(to: page.blocks, in: Chrome(size).body.size, glyphs: glyphs)
    } else {
      sweepView.page.cursor.stay(in: layout(of: page.blocks))
    }
  }

  /// Whether ages on the screen must be redrawn every second.
  var showsClock: Bool {
    tab == .sweep && layers.isEmpty && !isTooSmall
      && (sweep.isActive || sweepView.queue?.sweeps.contains { $0.state == .running } ?? false)
  }
}
