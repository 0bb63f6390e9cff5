import Subscriptions

/// When somebody who watches a subscriber asked the App Store: soon after whatever happened, as notifications and frequent sweeps would
/// have it.
struct ObservedInstants {
  let subscriber: Subscriber
  let life: Life
  let since: Instant
  let now: Instant

  /// What follows in so short a time is seen together.
  private static let together = 5 * Milliseconds.minute

  /// In order; the last is in the last hours before `now`.
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
    // Who left is asked about again, but in the year of a demonstration that would tell nothing new.
    let last = now - random.between(Milliseconds.minute, 3 * Milliseconds.hour)
    let isWatched = instants.isEmpty || life.lines.contains { $0.status(at: now) != .expired }
    if isWatched, instants.last.map({ $0 < last }) ?? true { instants.append(last) }
    return instants.filter { $0 < subscriber.accountGoneFrom ?? .distantFuture }.map(\.wholeSecond)
  }

  /// Most is noticed by a notification, the rest by the next sweep.
  private static func delay(_ random: inout SplitMix64) -> Int64 {
    random.chance(0.8)
      ? random.between(2 * Milliseconds.second, 3 * Milliseconds.minute)
      : random.between(10 * Milliseconds.minute, 6 * Milliseconds.hour)
  }

  /// With the beginning, at which everybody was asked about who was there.
  private var changes: Set<Instant> {
    let rows = life.rows
    let all =
      life.lines.flatMap { $0.spans.map(\.from) }
      + rows.flatMap { [$0.visibleFrom, $0.cancelledFrom, $0.upgradedFrom] }
    let isThere = rows.contains { $0.visibleFrom < since }
    return Set(all.filter { $0 >= since && $0 < now } + (isThere ? [since] : []))
  }
}
