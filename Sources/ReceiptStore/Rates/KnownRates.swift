import Subscriptions
import Synchronization

/// Rates that were read from a store, by what they say: a hundred thousand of them are not read again for every commit and question.
enum KnownRates {
  struct Key: Hashable {
    var fingerprint: Int64
    var reporting: CurrencyCode
    var since: Int?
  }

  /// Those of a few stores, the newest last.
  private static let known = Mutex<[(key: Key, rates: ExchangeRates)]>([])
  private static let most = 4

  static subscript(key: Key) -> ExchangeRates? {
    get { known.withLock { $0.first { $0.key == key }?.rates } }
    set {
      guard let newValue else { return }
      known.withLock { known in
        known.removeAll { $0.key == key }
        known.append((key, newValue))
        if known.count > most { known.removeFirst() }
      }
    }
  }
}
