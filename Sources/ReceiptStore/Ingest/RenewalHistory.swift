import Subscriptions

/// The sets of renewal infos that a chain has had, each with the interval in which it came, whatever the order in which
/// the answers came here.
///
/// A set holds from its first observation at least until the next set's `observedAfter`, the last validation that still
/// showed it.
struct RenewalHistory {
  struct Entry {
    var observedAt: Instant
    var observedAfter: Instant?
    var infos: [RenewalInfo]
  }

  /// What is to be written.
  enum Step {
    case insert(Entry)
    /// The set was there earlier than was known.
    case move(from: Instant, to: Instant)
    /// The set came later than was known.
    case narrow(Instant, after: Instant)
  }

  private var entries: [Entry] = []
  private let confirmedAt: Instant?

  /// - Parameter confirmedAt: the last validation that had renewal infos: it showed the newest set.
  init(_ observations: [RenewalObservation], confirmedAt: Instant?) {
    self.confirmedAt = confirmedAt
    for observation in observations {
      if entries.last?.observedAt == observation.observedAt {
        entries[entries.count - 1].infos.append(observation.info)
      } else {
        entries.append(
          Entry(
            observedAt: observation.observedAt, observedAfter: observation.observedAfter,
            infos: [observation.info]))
      }
    }
  }

  func steps(toTake infos: [RenewalInfo], at t: Instant) -> [Step] {
    let next = entries.first { $0.observedAt > t }
    guard let previous = entries.last(where: { $0.observedAt <= t }) else {
      return arrival(of: infos, at: t, after: nil, before: next)
    }
    if Set(previous.infos) == Set(infos) {
      return next.map { ($0.observedAfter ?? t) < t ? [.narrow($0.observedAt, after: t)] : [] } ?? []
    }
    if previous.observedAt == t {
      let new = infos.filter { !previous.infos.contains($0) }
      return new.isEmpty
        ? [] : [.insert(Entry(observedAt: t, observedAfter: previous.observedAfter, infos: new))]
    }
    let last = max(
      previous.observedAt, (next == nil ? confirmedAt : next?.observedAfter) ?? previous.observedAt)
    guard t < last else { return arrival(of: infos, at: t, after: last, before: next) }
    return [
      .insert(Entry(observedAt: t, observedAfter: previous.observedAt, infos: infos)),
      .insert(Entry(observedAt: last, observedAfter: t, infos: previous.infos)),
    ]
  }

  /// Between two sets, or after the last.
  private func arrival(
    of infos: [RenewalInfo], at t: Instant, after: Instant?, before next: Entry?
  ) -> [Step] {
    if let next, Set(next.infos) == Set(infos) { return [.move(from: next.observedAt, to: t)] }
    let entry = Entry(observedAt: t, observedAfter: after.map { min($0, t) }, infos: infos)
    return [.insert(entry)] + (next.map { [.narrow($0.observedAt, after: t)] } ?? [])
  }
}
