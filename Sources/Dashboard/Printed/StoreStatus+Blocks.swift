import Screen
import Subscriptions

extension StoreStatus {
  func blocks(in formatter: DisplayFormatter) -> [Block] {
    let glyphs = formatter.glyphs
    let past = ofNow.isEmpty ? nil : asOfMs
    let sweep = lastSweep.map { Block.Body.figures($0.figures(in: formatter)) }
    var blocks = [
      Block(past.map { "\(formatter.moment($0)), by what was known then" } ?? "", .figures(holdings)),
      Block(past == nil ? "Last sweep" : "Last sweep by then", sweep ?? .text(["never"])),
    ]
    if past != nil {
      blocks.append(
        Block(
          "Now, as is all below: the store does not keep how it was",
          .figures(receiptsHeld + priced(isPart: false) + means)))
    }
    guard let queue else { return blocks }
    let now = queue.asOfMs
    return blocks + [
      queue.queues(at: now), queue.nextDue(in: formatter), queue.costs, queue.ages, queue.lag(in: glyphs),
    ] + [queue.retries(in: glyphs)].compactMap(\.self) + [
      queue.givenUpByReason(in: glyphs),
      Block(
        "Apple's last answers, by receipt", .listing(StatusTable(queue.statuses, at: now, in: glyphs).listing)
      ),
    ] + [queue.setAside(in: glyphs)].compactMap(\.self)
  }

  private var holdings: [Figure] {
    let isPast = !ofNow.isEmpty
    return (isPast ? [] : receiptsHeld) + [
      .count("Subscriptions", lines), .part("not confirmed yet", overdueLines),
      .count("Transactions", transactions),
    ] + (isPast ? [] : priced(isPart: true)) + [
      Figure("Checked in 24 h, of the active", StyledText(PercentText.of(fresh24h)))
    ] + (isPast ? [] : means)
  }

  private var receiptsHeld: [Figure] {
    [.count("Receipts", receipts), .part("due now", dueNow), .part("given up", dead)]
  }

  /// - Parameter isPart: Whether they are listed as parts of the transactions.
  private func priced(isPart: Bool) -> [Figure] {
    let (periods, figure) = isPart ? ("periods", Figure.part) : ("Periods", Figure.count)
    let style: Style = isPart ? .text : .strong
    return [
      figure("\(periods) priced by Apple", prices.signed, style, nil),
      figure("\(periods) by the catalogue", prices.catalogue, style, nil),
      figure("\(periods) without a price", prices.unpriced, .warn, nil),
    ]
  }

  private var means: [Figure] {
    var figures: [Figure] = []
    if let rates {
      figures += [
        .count("Exchange rates", rates.count), .part("currencies", rates.currencies),
        Figure("last day", StyledText(Zone.utc.date(rates.toMs)), isPart: true),
        Figure(
          "reporting currency",
          rates.reportingCurrency.map { StyledText($0.rawValue) } ?? StyledText("none", .dim), isPart: true),
      ]
    }
    figures += [
      Figure("Schema", StyledText(schemaVersion))
    ]
    if inbox > 0 { figures.append(.count("Notifications to take, by listen", inbox, .warn)) }
    if let integrity { figures.append(Figure("Integrity", StyledText(integrity))) }
    return figures
  }
}

extension StoreStatus.LastSweep {
  fileprivate func figures(in formatter: DisplayFormatter) -> [Figure] {
    [
      Figure("Started", StyledText(formatter.moment(startedAtMs))),
      Figure("Took", StyledText(AgeText.of(finishedAtMs - startedAtMs))),
      .count("Validated", validated), .part("changed", changed), .count("Left for later", retryLater),
      .count("Rejected", rejected),
      Figure("Ended", StyledText(stopped.map { SweepSummary.Stop(rawValue: $0)?.words ?? $0 } ?? "done")),
    ]
  }
}

extension SweepSummary {
  func blocks(in glyphs: GlyphSet) -> [Block] {
    var blocks = [Block("", .figures(figures))]
    if !counts.byStatus.isEmpty {
      let statuses = counts.byStatus.sorted { $0.key < $1.key }
      blocks.append(
        Block(
          "Answers by Apple's status",
          .figures(statuses.map { .count(AppleStatus($0.key).name, $0.value) })))
    }
    if !stoppedApps.isEmpty {
      let apps = stoppedApps.map { StyledText("\($0.name): \($0.why). Its receipts are as they were.") }
      blocks.append(Block("Apps that were stopped", .text(apps)))
    }
    if !failures.isEmpty { blocks.append(Block("Left for later, by reason", .text(reasons))) }
    let http = counts.http.sorted { $0.key < $1.key }.filter { $0.key != 200 }
    if !http.isEmpty {
      blocks.append(Block("HTTP", .figures(http.map { .count("\($0.key)", $0.value) })))
    }
    return blocks
  }

  private static let reasonsShown = 5

  private var reasons: [StyledText] {
    let others = failures.dropFirst(Self.reasonsShown)
    let shown =
      failures.prefix(Self.reasonsShown).map { ($0.count, $0.reason) }
      + (others.isEmpty
        ? [] : [(others.reduce(0) { $0 + $1.count }, CountText.of(others.count, "other reason"))])
    return zip(CountText.aligned(shown.map(\.0)), shown).map { StyledText("\($0)  \($1.1)") }
  }

  private var figures: [Figure] {
    var figures: [Figure] =
      [
        .count("Picked", counts.picked), .count("Validated", counts.validated),
        .part("changed", counts.changed), .part("unchanged", counts.unchanged),
        .count("New transactions", counts.newTransactions), .part("renewals", counts.news.renewals),
        .part("refunds", counts.news.refunds), .count("State changes", counts.news.stateChanges),
        .count("Rerouted", counts.rerouted), .count("Retried", counts.retried),
        .count("Left for later", counts.retryLater), .count("Rejected", counts.rejected),
        .count("Put back", counts.givenBack),
      ] + (waitingForKey > 0 ? [.part("for want of a key", waitingForKey, .warn)] : []) + [
        .count("Transport errors", counts.transportErrors),
        Figure("Receipts a second", StyledText(CountText.rounding(receiptsPerSecond))),
      ]
    if let latency {
      figures.append(Figure("Latency, median", StyledText(LatencyText.of(latency.p50))))
      figures.append(.init("95th percentile", StyledText(LatencyText.of(latency.p95)), isPart: true))
    }
    return figures
  }
}
