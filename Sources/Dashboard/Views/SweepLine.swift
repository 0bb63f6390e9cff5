import Screen
import Subscriptions

/// Line about sweeps: progress of the running sweep, or result of the last sweep.
struct SweepLine {
  let state: State

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard !rect.isEmpty else { return }
    guard state.sweep.isActive else {
      let line = idle(in: canvas.glyphs).fitting(rect.columns, by: "  ", in: canvas.glyphs)
      canvas.put(line, column: rect.column, row: rect.row, width: rect.columns)
      return
    }
    let progress = state.sweep.progress
    if state.sweep.isStopping { return draw("Stopping", progress, on: &canvas, in: rect) }
    let name = progress.map(self.name(of:)) ?? "Sweep starting\(canvas.glyphs.ellipsis)"
    draw(name, progress, progress.map(self.style(of:)) ?? .accent, on: &canvas, in: rect)
  }

  private func name(of progress: SweepProgress) -> String {
    switch progress.activity {
    case .stopping: "Stopping"
    case .paused where state.sweep.isPauseWanted: "Paused"
    case _ where state.sweep.isPauseWanted: "Pausing"
    case .waiting(let until, _): "Waiting \(AgeText.of(max(0, until - progress.elapsed)))"
    case .running, .paused: "Sweep"
    }
  }

  private func style(of progress: SweepProgress) -> Style {
    if !progress.stoppedApps.isEmpty { return .bad }
    return progress.activity == .running ? .accent : .warn
  }

  // MARK: Running

  private func draw(
    _ name: String, _ progress: SweepProgress?, _ style: Style = .accent, on canvas: inout Canvas,
    in rect: Rect
  ) {
    var rest = rect
    let label = StyledText(name + " ", style)
    let labelRoom = rest.cutLeft(label.width(in: canvas.glyphs))
    canvas.put(label, column: labelRoom.column, row: rect.row, width: labelRoom.columns)
    guard let progress else { return }
    if rest.columns >= 110, state.sweep.rates.count > 3 {
      let room = rest.cutRight(20)
      _ = rest.cutRight(1)
      Sparkline(state.sweep.rates.map(Optional.some), .accent).draw(on: &canvas, in: room)
    }
    let fraction = progress.total > 0 ? Double(progress.counts.done) / Double(progress.total) : nil
    canvas.gauge(fraction, caption: caption(progress, columns: rest.columns), style, in: rest)
  }

  private func caption(_ progress: SweepProgress, columns: Int) -> StyledText {
    let counts = progress.counts
    var parts: [StyledText] = [
      [
        TextSpan("\(CountText.of(counts.done)) of \(CountText.of(progress.total))"),
        TextSpan(" \(PercentText.of(counts.done, in: progress.total, unknown: ""))", .dim),
      ]
    ]
    if let app = progress.stoppedApps.first {
      let others = progress.stoppedApps.count - 1
      let name = others > 0 ? CountText.of(others + 1, "app") : app.name
      parts.append(StyledText("\(state.glyphs.cross) \(name) stopped", .bad))
    }
    let rate = state.sweep.rate ?? progress.receiptsPerSecond
    parts += [
      [TextSpan("\(CountText.rounding(rate))/s")],
      [TextSpan("changed ", .dim), TextSpan(CountText.of(counts.changed))],
    ]
    if counts.retryLater > 0 { parts.append(.part("postponed", counts.retryLater, .warn)) }
    if counts.rejected > 0 { parts.append(.part("rejected", counts.rejected, .bad)) }
    parts.append(StyledText("in flight \(CountText.of(progress.inFlight))", .dim))
    return parts.fitting(columns * 3 / 4, by: "  ", in: state.glyphs)
  }

  // MARK: Idle

  private func idle(in glyphs: GlyphSet) -> [StyledText] {
    var parts: [StyledText] = [StyledText("Sweep idle", .dim)]
    if let failure = state.sweep.failure { parts = [StyledText("\(glyphs.cross) \(failure)", .bad)] }
    guard let status = state.status else { return parts }
    let queue = state.tab == .sweep ? state.sweepView.queue : nil
    // If a sweep ran while the screen was frozen, the status is newer than the screen.
    let later = state.isFrozen ? status.asOfMs.flatMap { $0 > state.asOfSweeps ? $0 : nil } : nil
    let isAbove = queue != nil && state.layers.isEmpty
    if isAbove, later == nil { return parts }
    if !isAbove {
      let due = queue?.due ?? status.dueNow
      let when = queue == nil ? later.map { " at \(state.formatter.clock($0))" } ?? "" : ""
      parts.append([TextSpan("due ", .dim), TextSpan(CountText.of(due) + when, due > 0 ? .text : .dim)])
    }
    parts += last(status.lastSweep, in: glyphs)
    if status.dead > 0, !isAbove { parts.append(.part("given up", status.dead, .text)) }
    return parts
  }

  private func last(_ sweep: StoreStatus.LastSweep?, in glyphs: GlyphSet) -> [StyledText] {
    guard let sweep else { return [StyledText("never swept", .dim)] }
    // On a frozen screen, an age would become wrong; if a demo's clock is ahead, it would be negative.
    let when =
      state.isFrozen || sweep.finishedAtMs > state.now
      ? state.formatter.minute(sweep.finishedAtMs) : AgeText.ago(sweep.finishedAtMs, at: state.now)
    var parts: [StyledText] = [[TextSpan("last ", .dim), TextSpan(when)]]
    if let stopped = sweep.stopped {
      let reason = SweepSummary.Stop(rawValue: stopped)?.words ?? stopped
      parts.append(StyledText("\(glyphs.warning) \(reason)", .warn))
    }
    parts.append(.part("validated", sweep.validated, .text))
    parts.append(.part("changed", sweep.changed, .text))
    if sweep.retryLater > 0 { parts.append(.part("postponed", sweep.retryLater, .warn)) }
    if sweep.rejected > 0 { parts.append(.part("rejected", sweep.rejected, .bad)) }
    return parts
  }
}
