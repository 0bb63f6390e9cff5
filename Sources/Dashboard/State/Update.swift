import Screen
import Subscriptions

/// Takes an event into the state.
///
/// - Returns: what is to be done outside, in order.
public func update(_ state: inout State, _ event: Event) -> [Effect] {
  let effects = state.take(event) + state.readFurther() + state.exportWhenRead()
  state.showSweeps()
  return effects
}

extension State {
  fileprivate mutating func take(_ event: Event) -> [Effect] {
    switch event {
    case .opened: return reload()
    case .input(let input): return take(input)
    case .tick(let now, let uptime): return tick(now: now, uptime: uptime)
    case .loaded(let report, let serial): show(report, serial: serial)
    case .rowsLoaded(let rows, let serial): show(rows, serial: serial)
    case .found(let chains, let serial): show(chains, serial: serial)
    case .encoded(let text, let serial): show(json: text, serial: serial)
    case .statusLoaded(let status, let serial): show(status, serial: serial)
    case .queueLoaded(let queue, let serial): show(queue, serial: serial)
    case .failed(let reason, let serial): fail(reason, serial: serial)
    case .noted(let text, let isBad): say(text, isBad ? .bad : .good)
    case .receiving(let reception): receiving = .on(reception)
    case .notReceiving(let reason):
      receiving = .prevented
      say(reason, .bad)
    case .storeChanged: return storeChanged()
    case .sweepStarted: sweepStarted()
    case .sweepProgress(let progress): return sweepAdvanced(to: progress)
    case .sweepFinished(let summary): return sweepFinished(summary)
    case .sweepFailed(let reason): return sweepFailed(reason)
    }
    return refreshIfDue()
  }

  mutating func tick(now: Instant, uptime: Int64) -> [Effect] {
    self.now = now
    self.uptime = max(self.uptime, uptime)
    if let notice, notice.until <= self.uptime { self.notice = nil }
    return sweepByItself() + refreshIfDue()
  }

  /// Shows a toast for long enough to be read.
  mutating func say(_ text: String, _ level: Toast.Level = .info) {
    let seconds: Int64 = level == .bad || level == .warn ? 8 : 4
    notice = Notice(toast: Toast(text.withoutSharedSecrets, level), until: uptime + seconds * 1000)
  }

  /// When the next tick is wanted, in uptime, so that nothing needs to run while nothing happens; nil never.
  public var wakesAt: Int64? {
    var times: [Int64] = []
    if let notice { times.append(notice.until) }
    if pending.isOutdated, !isAsking { times.append(pending.lastAsked + calm) }
    if let asked = pending.oldest, uptime < asked + State.patience { times.append(asked + State.patience) }
    if let refresh = rhythm.refresh, fixedAt == nil, !isAsking { times.append(pending.lastAsked + refresh) }
    if let pause = rhythm.sweep, mayStartByItself { times.append(sweep.endedAt + pause) }
    if let change = receiving.change(after: asOf) { times.append(uptime + change) }
    if showsClock { times.append(uptime + Milliseconds.second) }
    return times.min()
  }
}
