import Screen
import Subscriptions

extension StoreStatus {
  func blocks(in formatter: DisplayFormatter) -> [Block] {
    let glyphs = formatter.glyphs
    let past = ofNow.isEmpty ? nil : asOfMs
    let sweep = lastSweep.map { Block.Body.figures($0.figures(in: formatter)) } ?? .text(["never"])
    var blocks = [
      Block(past.map { "\(formatter.moment($0)), as known then" } ?? "", .figures(holdings)),
      Block(past == nil ? "Last sweep" : "Last sweep before then", sweep),
    ]
    if past != nil {
      blocks.append(Block("Current values, here and below (no history is kept)", .figures(ofPresent)))
    }
    guard let queue else { return blocks }
    let now = queue.asOfMs
    let statuses = Listing(queue.statuses, at: now, in: glyphs)
    return blocks + [
      queue.queues(at: now), queue.nextDue(in: formatter), queue.costs, queue.ages, queue.lag(in: glyphs),
    ] + queue.troubles(in: glyphs) + [Block("Receipts by Apple's last answer", .listing(statuses))]
      + queue.setAside(in: glyphs)
  }

  @FigureBuilder private var holdings: [Figure] {
    let isPast = !ofNow.isEmpty
    if !isPast { receiptsHeld }
    Figure.count("Subscriptions", lines)
    Figure.part("unverified", overdueLines)
    Figure.count("Transactions", transactions)
    if !isPast { priced(isPart: true) }
    Figure("Fresh (24 h)", StyledText(PercentText.of(fresh24h)))
    if !isPast { means }
  }

  /// Figures without a history; the status of a past instant shows their current values.
  @FigureBuilder private var ofPresent: [Figure] {
    receiptsHeld
    priced(isPart: false)
    means
  }

  @FigureBuilder private var receiptsHeld: [Figure] {
    Figure.count("Receipts", receipts)
    Figure.part("due now", dueNow)
    Figure.part("given up", dead)
  }

  @FigureBuilder private func priced(isPart: Bool) -> [Figure] {
    let (periods, style): (String, Style) = isPart ? ("periods", .text) : ("Periods", .strong)
    for (label, number, style) in [
      ("priced by Apple", prices.signed, style), ("priced by the catalogue", prices.catalogue, style),
      ("unpriced", prices.unpriced, .warn),
    ] {
      Figure("\(periods) \(label)", .number(number, style), isPart: isPart)
    }
  }

  @FigureBuilder private var means: [Figure] {
    if let rates {
      Figure.count("Exchange rates", rates.count)
      Figure.part("currencies", rates.currencies)
      Figure("last day", StyledText(Zone.utc.date(rates.toMs)), isPart: true)
      Figure(
        "reporting currency",
        rates.reportingCurrency.map { StyledText($0.rawValue) } ?? StyledText("none", .dim), isPart: true)
    }
    Figure("Schema", StyledText(schemaVersion))
    if inbox > 0 { Figure.count("Unprocessed notifications", inbox, .warn) }
    if let integrity { Figure("Integrity", StyledText(integrity)) }
  }
}

extension StoreStatus.LastSweep {
  @FigureBuilder fileprivate func figures(in formatter: DisplayFormatter) -> [Figure] {
    Figure("Started", StyledText(formatter.moment(startedAtMs)))
    Figure("Took", StyledText(AgeText.of(finishedAtMs - startedAtMs)))
    Figure.count("Validated", validated)
    Figure.part("changed", changed)
    if retryLater > 0 { Figure.count("Postponed", retryLater) }
    if rejected > 0 { Figure.count("Rejected", rejected) }
    Figure("Result", StyledText(stopped.map { SweepSummary.Stop(rawValue: $0)?.words ?? $0 } ?? "done"))
  }
}

extension SweepSummary {
  var blocks: [Block] {
    func tallies(_ title: StyledText, _ tallies: [Int: Int], _ name: (Int) -> String) -> Block? {
      let figures = tallies.sorted { $0.key < $1.key }.map { Figure.count(name($0), $1) }
      return figures.isEmpty ? nil : Block(title, .figures(figures))
    }
    func text(_ title: StyledText, _ lines: [StyledText]) -> Block? {
      lines.isEmpty ? nil : Block(title, .text(lines))
    }
    let blocks = [
      Block("", .figures(figures.filter { $0.label == "Picked" || $0.value.text != "0" })),
      tallies("Answers by Apple's status", counts.byStatus) { AppleStatus($0).name },
      text(
        "Stopped apps",
        stoppedApps.map { StyledText("\($0.name): \($0.why). Its receipts were not touched.") }),
      text("Postponed, by reason", reasons),
      tallies("HTTP", counts.http.filter { $0.key != 200 }) { "\($0)" },
    ]
    return blocks.compactMap(\.self)
  }

  private var reasons: [StyledText] {
    let others = failures.dropFirst(5)
    let rest = (others.reduce(0) { $0 + $1.count }, CountText.of(others.count, "other reason"))
    let shown = failures.prefix(5).map { ($0.count, $0.reason) } + (others.isEmpty ? [] : [rest])
    return zip(CountText.aligned(shown.map(\.0)), shown).map { StyledText("\($0)  \($1.1)") }
  }

  @FigureBuilder private var figures: [Figure] {
    Figure.count("Picked", counts.picked)
    Figure.count("Validated", counts.validated)
    Figure.part("changed", counts.changed)
    Figure.part("unchanged", counts.unchanged)
    Figure.count("New transactions", counts.newTransactions)
    Figure.part("renewals", counts.news.renewals)
    Figure.count("Refunds", counts.news.refunds)
    Figure.count("State changes", counts.news.stateChanges)
    Figure.count("Rerouted", counts.rerouted)
    Figure.count("Retried", counts.retried)
    Figure.count("Postponed", counts.retryLater)
    Figure.count("Rejected", counts.rejected)
    Figure.count("Returned to the queue", counts.givenBack)
    if waitingForKey > 0 { Figure.part("waiting for a key", waitingForKey, .warn) }
    Figure.count("Transport errors", counts.transportErrors)
    Figure("Receipts a second", StyledText(CountText.rounding(receiptsPerSecond)))
    if let latency {
      Figure("Latency, median", StyledText(LatencyText.of(latency.p50)))
      Figure("95th percentile", StyledText(LatencyText.of(latency.p95)), isPart: true)
    }
  }
}
