/// The newest events of a question's list, no more than it shows, of events that come in any order.
package struct NewestEvents: Sendable {
  package let limit: Int
  private var events: [LineEvent] = []
  /// When the last that is listed happened, as soon as there were enough: nothing older is listed.
  private var oldest = Instant.distantPast

  package init(_ question: Question) {
    limit = question.panel == .overview ? min(question.limit, FigureValues.eventLimit) : question.limit
  }

  /// Whether an event of that instant may be listed.
  func mayHold(_ t: Instant) -> Bool { limit > 0 && t >= oldest }

  package mutating func add(_ event: LineEvent) {
    guard mayHold(event.effectiveAt) else { return }
    events.append(event)
    // Not each time: to sort takes long.
    guard events.count / 2 >= limit else { return }
    events = listed
    oldest = events.last?.effectiveAt ?? oldest
  }

  mutating func add(_ other: NewestEvents) { for event in other.events { add(event) } }

  package var listed: [LineEvent] { Array(events.sorted(by: LineEvent.newestFirst).prefix(limit)) }
}

extension Question {
  /// Whether the panel lists events, or counts them.
  var asksForEvents: Bool { panel == .overview || panel == .events }

  /// Whether an event is one of those that a list is made of.
  func includes(_ event: LineEvent) -> Bool {
    window.contains(event.effectiveAt) && includes(event.fact.kind)
  }
}

extension Chain {
  /// Everything that the feed has of the chain, each once.
  func events(catalog: Catalog) -> Set<LineEvent> {
    Set(lines(catalog: catalog).flatMap(\.events) + ownEvents)
  }

  /// The last instant in (start, end] at which an event may take effect: each of them does so at an instant that is told of a row, a
  /// renewal, a holder or in a notification, or 60 days after an expiry. Cheaper by far than the events themselves.
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
