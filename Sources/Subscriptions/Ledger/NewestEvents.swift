/// The newest events of a question's window, no more than it lists, of chains that come one after the other.
struct NewestEvents: Sendable {
  private let question: Question
  private let limit: Int
  private var events: Set<LineEvent> = []
  /// Nothing older is listed.
  private var oldest: Instant

  init(_ question: Question) {
    self.question = question
    limit = question.panel == .overview ? min(question.limit, OverviewFigures.eventLimit) : question.limit
    oldest = question.window.from + 1
  }

  /// Whether the panel lists events, or counts them.
  var areAsked: Bool { question.panel == .overview || question.panel == .events }

  /// Whether an event of that instant is listed, as far as is known.
  func mayHold(_ t: Instant) -> Bool { limit > 0 && t >= oldest }

  mutating func add(_ more: some Sequence<LineEvent>) {
    for event in more
    where mayHold(event.effectiveAt) && event.effectiveAt <= question.at && question.includes(event.fact.kind)
    {
      events.insert(event)
    }
    // Not each time: to sort takes long.
    guard events.count - events.count / 4 > limit else { return }
    let newest = newest(limit)
    events = Set(newest)
    if let last = newest.last { oldest = max(oldest, last.effectiveAt) }
  }

  mutating func add(_ other: NewestEvents) { add(other.events) }

  func newest(_ limit: Int) -> [LineEvent] {
    Array(events.sorted(by: LineEvent.newestFirst).prefix(limit))
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
      see(expires)
      see(expires + billingRetryMilliseconds)
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
