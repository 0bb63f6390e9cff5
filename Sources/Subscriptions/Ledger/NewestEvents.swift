/// Collector of the newest events for a question's list; events may be added in any order.
package struct NewestEvents: Sendable {
  package let limit: Int
  private var events: [LineEvent] = []
  /// Date of the oldest event that can still be listed; it rises when newer events fill the list.
  private var oldest = Instant.distantPast

  package init(_ question: Question) {
    limit = question.panel == .overview ? min(question.limit, FigureValues.eventLimit) : question.limit
  }

  func mayHold(_ t: Instant) -> Bool { limit > 0 && t >= oldest }

  package mutating func add(_ event: LineEvent) {
    guard mayHold(event.effectiveAt) else { return }
    events.append(event)
    // The events are sorted only when there are twice as many as listed, because sorting is slow.
    guard events.count / 2 >= limit else { return }
    events = listed
    oldest = events.last?.effectiveAt ?? oldest
  }

  mutating func add(_ other: NewestEvents) { for event in other.events { add(event) } }

  package var listed: [LineEvent] { Array(events.sorted(by: LineEvent.newestFirst).prefix(limit)) }
}

extension Question {
  var asksForEvents: Bool { panel == .overview || panel == .events }

  func includes(_ event: LineEvent) -> Bool {
    window.contains(event.effectiveAt) && includes(event.fact.kind)
  }
}

extension Chain {
  func events(catalog: Catalog) -> Set<LineEvent> {
    Set(lines(catalog: catalog).flatMap(\.events) + ownEvents)
  }

  /// Returns the last instant in (start, end] at which an event may take effect, without deriving events.
  func lastInstant(after start: Instant, through end: Instant) -> Instant? {
    var last = start
    func see(_ t: Instant?) { if let t, t > last, t <= end { last = t } }
    for place in transactions.indices {
      see(transactions[place].purchaseDate)
      see(transactions[place].cancellationDate)
      guard let expires = transactions[place].expiresDate else { continue }
      for wait in stateChangesAfterExpiry { see(expires + wait) }
    }
    for ends in endsHistory.values.joined() {
      see(ends.from)
      see(ends.ends.cancellationDate)
    }
    for renewal in renewals {
      see(renewal.observedAt)
      see(renewal.info.gracePeriodExpiresDate)
    }
    for notification in notifications {
      see(notification.observedAt)
      see(notification.cancellationDate)
      see(notification.autoRenewStatusChangeDate)
    }
    for since in holders.values { see(since) }
    return last > start ? last : nil
  }
}
