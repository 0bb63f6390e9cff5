import Screen
import Subscriptions

/// Applies an event to the state, and returns the side effects to perform, in order.
public func update(_ state: inout State, _ event: Event) -> [Effect] {
  let place = state.place
  let effects = state.take(event) + state.readFurther() + state.actWhenRead()
  state.showSweeps()
  state.followGuide()
  state.visited.leave(place, for: state.place)
  return effects
}

extension State {
  fileprivate mutating func take(_ event: Event) -> [Effect] {
    switch event {
    // The short names of products depend on all products, which only the queries of panels return.
    case .opened: return reload() + (panel == nil ? load(.overview) : [])
    case .input(let input): return take(input)
    case .tick(let now, let uptime): return tick(now: now, uptime: uptime)
    case .loaded(let report, let serial): return show(report, serial: serial) + refreshIfDue()
    case .rowsLoaded(let rows, let serial): return show(rows, serial: serial) + refreshIfDue()
    case .comparedLoaded(let this, let that, let serial): show(this, comparedWith: that, serial: serial)
    case .alertsLoaded(let alerts, let serial): show(alerts, serial: serial)
    case .reading(let read, let serial): note(read: read, serial: serial)
    case .arranged(let page, let serial): return take(page, serial: serial) + refreshIfDue()
    case .found(let chains, let serial): return show(chains, serial: serial)
    case .suggested(let ids, let serial): return take(ids, serial: serial)
    case .encoded(let text, let serial): show(json: text, serial: serial)
    case .originsLoaded(let origins, let serial): take(origins, serial: serial)
    case .reconciled(let figures, let payouts, let reported, let serial):
      return show(figures, payouts, reported, serial: serial)
    case .statusLoaded(let status, let serial): show(status, serial: serial)
    case .queueLoaded(let queue, let serial): show(queue, serial: serial)
    case .failed(let reason, let serial): fail(reason, serial: serial)
    case .receiptsLoaded(let lines, let serial): show(lines, serial: serial)
    case .sweepCounted(let selection, let estimate, let serial):
      counted(selection, estimate, serial: serial)
    case .sweepTooLate(let selection): return sweepTooLate(selection)
    case .noted(let text, let isBad): say(text, isBad ? .bad : .good)
    case .background(let isLight):
      guard isLight, !isThemeChosen, themes.contains("light") else { return [] }
      theme = "light"
      return [.setTheme(theme)]
    case .ran(let name, let lines, let failure): ran(name, lines, failure)
    case .receiving(let listenerStatus): receiving = .on(listenerStatus)
    case .notReceiving(let reason):
      receiving = .prevented
      say(reason, .bad)
    case .storeChanged: return storeChanged()
    case .shared(let origin): self.origin = origin
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
    if let notice, notice.until <= self.uptime {
      self.notice = nil
      if !isTemporary { quitKey = nil }
    }
    return sweepByItself() + refreshIfDue()
  }

  /// Shows a toast for 4 s, or 8 s for errors and warnings, and returns no effects.
  @discardableResult
  mutating func say(_ text: String, _ level: Toast.Level = .info) -> [Effect] {
    note(text, level)
    notice = messages.last
    notice?.until = uptime + (level == .bad || level == .warn ? 8000 : 4000)
    return []
  }

  mutating func note(_ text: String, _ level: Toast.Level) {
    let message = Message(at: now, toast: Toast(text.withoutSecrets, level))
    messages = messages.suffix(State.messagesKept - 1) + [message]
  }

  /// Uptime until which an idle dashboard sleeps; `nil` if it needs no tick.
  public var wakesAt: Int64? {
    var times: [Int64] = []
    if let notice { times.append(notice.until) }
    if pending.isOutdated, !isAsking, !isFrozen { times.append(pending.lastAsked + calm) }
    if let asked = pending.oldest, uptime < asked + State.patience { times.append(asked + State.patience) }
    if let refresh = refreshSchedule.refresh, fixedAt == nil, !isAsking, !isFrozen {
      times.append(pending.lastAsked + refresh)
    }
    if let pause = refreshSchedule.sweep, mayStartByItself { times.append(sweep.endedAt + pause) }
    if !isFrozen, let change = receiving.change(after: now) { times.append(uptime + change) }
    if let end = cursor?.changed.until, uptime < end { times.append(end) }
    if showsClock, !isFrozen { times.append(uptime + Milliseconds.second) }
    return times.min()
  }
}
