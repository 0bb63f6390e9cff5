import Subscriptions

/// When somebody who watches a subscriber asked the App Store: soon after each thing that a later answer would not tell any more, and of the
/// last weeks after whatever happened, as notifications and frequent sweeps would have it.
struct ObservedInstants {
  let subscriber: Subscriber
  let life: Life
  let since: Instant
  let now: Instant

  /// So far back everything was noticed when it happened, as the delay until then is asked of a window of four weeks. To have it so for the
  /// whole year would take the store five times as long.
  private static let closely = 29 * Milliseconds.day
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

  private var changes: Set<Instant> {
    let close = max(since, now - Self.closely)
    var changes: Set<Instant> = []
    for line in life.lines {
      var wasOff = false
      for span in line.spans {
        // That auto-renew is on again has no date but that of the answer that says so.
        if span.from >= (span.isToldLater && !wasOff ? close : since) { changes.insert(span.from) }
        wasOff = span.info?.autoRenewStatus == false
      }
    }
    for row in life.lines.flatMap(\.rows) + life.oneTime {
      for change in [row.visibleFrom, row.cancelledFrom, row.upgradedFrom] where change >= close {
        changes.insert(change)
      }
    }
    return changes.filter { $0 < now }
  }
}

extension RenewalSpan {
  /// Whether the rows that follow tell as much: nothing was said but that it renews.
  fileprivate var isToldLater: Bool {
    guard let info else { return false }
    return info.autoRenewStatus == true && info.isInBillingRetryPeriod == nil
      && info.expirationIntent == nil && info.priceIncreaseStatus == nil
      && info.autoRenewProductID == info.productID && info.promotionalOfferID == nil
  }
}
