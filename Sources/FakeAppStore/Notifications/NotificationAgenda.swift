import Subscriptions
import Synchronization

/// Events of a population in chronological order. Lives are generated as far as events are requested.
final class NotificationAgenda: Sendable {
  /// Event of one subscriber.
  struct Entry: Sendable {
    let news: LifeNews
    let index: Int
    /// Position among the subscriber's events of the same instant.
    let order: Int
    let isSandbox: Bool

    var key: Key { Key(at: news.at, index: index, order: order) }
  }

  /// Sort key of an entry, which also serves as a position in the agenda.
  struct Key: Hashable, Comparable, Sendable {
    let at: Instant
    let index: Int
    let order: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.at, left.index, left.order) < (right.at, right.index, right.order)
    }
  }

  private struct Drawn {
    var from: Instant
    /// Exclusive.
    var until: Instant
    var entries: [Entry] = []
  }

  /// Time to generate in advance. Generating every life costs the same however short the range is.
  private static let ahead = 7 * Milliseconds.day

  private let population: FakePopulation
  private let drawn = Mutex<Drawn?>(nil)

  init(_ population: FakePopulation) { self.population = population }

  /// Returns the entries after `key`, up to and including `until`.
  func entries(after key: Key, upTo until: Instant) -> ArraySlice<Entry> {
    let all = entries(from: key.at, until: until + 1)
    let first = all.partition { $0.key > key }
    return all[first..<max(first, all.partition { $0.news.at > until })]
  }

  private func entries(from: Instant, until: Instant) -> [Entry] {
    drawn.withLock { drawn in
      var known = drawn ?? Drawn(from: from, until: from)
      if from < known.from {
        known.entries = draw(from: from, until: known.from) + known.entries
        known.from = from
      }
      if until > known.until {
        let end = until + Self.ahead
        known.entries += draw(from: known.until, until: end)
        known.until = end
      }
      drawn = known
      return known.entries
    }
  }

  private func draw(from: Instant, until: Instant) -> [Entry] {
    population.subscribers.flatMap { subscriber in
      subscriber.entries(upTo: until - 1).filter { $0.news.at >= from }
    }.sorted { $0.key < $1.key }
  }
}

extension Subscriber {
  /// Returns the entries of this subscriber up to `t`.
  func entries(upTo t: Instant) -> [NotificationAgenda.Entry] {
    var (last, order) = (Instant.distantPast, 0)
    return news(upTo: t).map { news in
      order = news.at == last ? order + 1 : 0
      last = news.at
      return NotificationAgenda.Entry(
        news: news, index: index, order: order, isSandbox: environment == .sandbox)
    }
  }
}

extension Array {
  /// Returns the first index at which `holds` is true. The elements must be partitioned: false, then true.
  fileprivate func partition(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
