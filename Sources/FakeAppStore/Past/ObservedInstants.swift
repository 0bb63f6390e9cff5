import Subscriptions

/// Instants at which the App Store was queried about a subscriber: soon after each change, as with
/// notifications and frequent sweeps.
struct ObservedInstants {
  let subscriber: Subscriber
  let life: Life
  let since: Instant
  let now: Instant

  /// Changes within this time are observed together.
  private static let together = 5 * Milliseconds.minute

  /// In ascending order. The last one is at most three hours before `now`, unless the subscriber has left or
  /// the account is gone.
  var all: [Instant] {
    var random = SplitMix64(seed: subscriber.seed, index: subscriber.index, stream: 20)
    let changes = changes.sorted()
    var instants: [Instant] = []
    for (place, change) in changes.enumerated() {
      let delay = Self.delay(&random)
      let next = place + 1 < changes.count ? changes[place + 1] : now
      guard next - change > Self.together || next == now else { continue }
      instants.append(min(change + delay, next - Milliseconds.second))
    }
    // Subscribers who have left are not queried again, because nothing new would be learnt.
    let last = now - random.between(Milliseconds.minute, 3 * Milliseconds.hour)
    let isWatched = instants.isEmpty || life.lines.contains { $0.status(at: now) != .expired }
    if isWatched, instants.last.map({ $0 < last }) ?? true { instants.append(last) }
    return instants.filter { $0 < subscriber.accountGoneFrom ?? .distantFuture }.map(\.wholeSecond)
  }

  /// Delay of an observation: a notification for most changes, otherwise the next sweep.
  private static func delay(_ random: inout SplitMix64) -> Int64 {
    random.chance(0.8)
      ? random.between(2 * Milliseconds.second, 3 * Milliseconds.minute)
      : random.between(10 * Milliseconds.minute, 6 * Milliseconds.hour)
  }

  /// Instants of changes, and `since` for subscribers who existed before it.
  private var changes: Set<Instant> {
    let rows = life.rows
    let all =
      life.lines.flatMap { $0.spans.map(\.from) }
      + rows.flatMap { [$0.visibleFrom, $0.cancelledFrom, $0.upgradedFrom] }
    let isThere = rows.contains { $0.visibleFrom < since }
    return Set(all.filter { $0 >= since && $0 < now } + (isThere ? [since] : []))
  }
}
