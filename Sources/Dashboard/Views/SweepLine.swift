import Screen
import Subscriptions

/// One line on sweeps: how far the running one is, or what the last one came to.
struct SweepLine {
  private let state: State

  init(_ state: State) { self.state = state }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard !rect.isEmpty else { return }
    switch state.sweep.activity {
    case .idle: canvas.put(idle(in: canvas.glyphs), column: rect.column, row: rect.row, width: rect.columns)
    case .starting: draw("Sweep starting\(canvas.glyphs.ellipsis)", nil, on: &canvas, in: rect)
    case .running(let progress): draw("Sweep", progress, on: &canvas, in: rect)
    case .stopping(let progress): draw("Stopping", progress, on: &canvas, in: rect)
    }
  }

  // MARK: Running

  private func draw(_ name: String, _ progress: SweepProgress?, on canvas: inout Canvas, in rect: Rect) {
    var rest = rect
    let label = StyledText(name + " ", .accent)
    let labelRoom = rest.cutLeft(label.width(in: canvas.glyphs))
    canvas.put(label, column: labelRoom.column, row: rect.row, width: labelRoom.columns)
    guard let progress else { return }
    if rest.columns >= 110, state.sweep.rates.count > 1 {
      let room = rest.cutRight(20)
      _ = rest.cutRight(1)
      Sparkline(state.sweep.rates.map(Optional.some), .accent).draw(on: &canvas, in: room)
    }
    let fraction = progress.total > 0 ? Double(progress.counts.done) / Double(progress.total) : nil
    Gauge(fraction, caption: caption(progress, columns: rest.columns), .accent).draw(on: &canvas, in: rest)
  }

  /// As many counts as leave the bar some room.
  private func caption(_ progress: SweepProgress, columns: Int) -> StyledText {
    let counts = progress.counts
    var parts: [StyledText] = [
      [
        TextSpan("\(CountText.of(counts.done)) of \(CountText.of(progress.total))"),
        TextSpan(" \(PercentText.of(counts.done, in: progress.total, unknown: ""))", .dim),
      ],
      [TextSpan("\(CountText.of(Int64(clamping: Int128(progress.receiptsPerSecond))))/s")],
      [TextSpan("changed ", .dim), TextSpan(CountText.of(counts.changed))],
    ]
    if counts.retryLater > 0 { parts.append(Self.part("later", counts.retryLater, .warn)) }
    if counts.rejected > 0 { parts.append(Self.part("rejected", counts.rejected, .bad)) }
    parts.append(Self.part("in flight", progress.inFlight, .dim))
    while parts.count > 1, parts.joined(by: "  ").width() > columns * 3 / 4 { parts.removeLast() }
    return parts.joined(by: "  ")
  }

  private static func part(_ name: String, _ number: Int, _ style: Style) -> StyledText {
    [TextSpan("\(name) ", .dim), TextSpan(CountText.of(number), style)]
  }

  // MARK: Idle

  private func idle(in glyphs: GlyphSet) -> StyledText {
    var parts: [StyledText] = [StyledText("Sweep idle", .dim)]
    if let failure = state.sweep.failure { parts.append(StyledText("\(glyphs.cross) \(failure)", .bad)) }
    if let status = state.status {
      parts.append([
        TextSpan("due ", .dim), TextSpan(CountText.of(status.dueNow), status.dueNow > 0 ? .text : .dim),
      ])
      if status.dead > 0 { parts.append(Self.part("given up", status.dead, .text)) }
      parts.append(last(status.lastSweep, in: glyphs))
    }
    return parts.joined(by: "  ")
  }

  private func last(_ sweep: StoreStatus.LastSweep?, in glyphs: GlyphSet) -> StyledText {
    guard let sweep else { return StyledText("never swept", .dim) }
    var words = "last \(sweep.finishedAtMs.minuteText): \(CountText.of(sweep.validated)) validated"
    words += ", \(CountText.of(sweep.changed)) changed"
    if sweep.retryLater > 0 { words += ", \(CountText.of(sweep.retryLater)) for later" }
    if sweep.rejected > 0 { words += ", \(CountText.of(sweep.rejected)) rejected" }
    guard let stopped = sweep.stopped else { return StyledText(words, .dim) }
    let reason = SweepSummary.Stop(rawValue: stopped)?.words ?? stopped
    return [TextSpan(words, .dim), TextSpan("  \(glyphs.warning) \(reason)", .warn)]
  }
}

extension SweepSummary.Stop {
  /// Why a sweep ended early, in a few words.
  var words: String {
    switch self {
    case .secretRefused: "shared secret refused"
    case .unreachable: "App Store not reached"
    case .interrupted: "stopped"
    }
  }
}
