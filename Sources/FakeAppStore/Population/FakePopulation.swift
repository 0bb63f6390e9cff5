import Subscriptions

/// Subscribers of fictional apps, each derived from the seed, the founding instant and the index.
public struct FakePopulation: Sendable {
  public let count: Int
  public let countAtFounding: Int
  public let seed: UInt64
  /// Reference instant of the population; histories begin up to three years earlier and continue after it.
  public let founded: Instant

  /// Number of apps, which sell the same products and are assigned to subscribers in turn.
  public let apps: Int
  /// Indices of subscribers that only Apple's reports contain; their receipts and notifications are withheld.
  public var missingFromStore: Set<Int> = []
  private let arrivals: Arrivals?

  /// Creates a population; `stories` adds the events of `Stories`, and subscribers who arrive later.
  ///
  /// `subscribers` is the number at the founding; the property `count` includes the later ones.
  public init(
    subscribers: Int, seed: UInt64 = 1, founded: Instant, apps: Int = 1, stories: Bool = false
  ) {
    self.apps = max(1, min(apps, Self.mostApps))
    self.seed = seed
    self.founded = founded.wholeSecond
    let before = max(0, min(subscribers, Self.most))
    let arrivals = stories ? Arrivals(after: before, founded: self.founded) : nil
    (self.arrivals, countAtFounding) = (arrivals, before)
    count = min(before + (arrivals?.count ?? 0), Self.most)
  }

  public var stories: Stories? { arrivals.map { Stories(founded: $0.founded) } }

  /// Maximum number of subscribers; more would need longer ids than Apple's.
  public static let most = 100_000_000

  public static let mostApps = 100

  public var bundleIDs: [BundleID] { (0..<apps).map(FakeCatalog.bundleID(ofApp:)) }

  public subscript(index: Int) -> Subscriber { subscriber(index, founded: founded) }

  func subscriber(_ index: Int, founded: Instant) -> Subscriber {
    let comes = arrivals.map {
      $0.founded == founded ? $0 : Arrivals(after: $0.before, founded: founded)
    }
    return Subscriber(
      index: index, seed: seed, founded: founded, bundleID: FakeCatalog.bundleID(ofApp: index % apps),
      arrivals: comes)
  }

  /// Returns the subscribers who arrive in an interval after the founding, except `missingFromStore`.
  public func arrivals(in span: Range<Instant>) -> [Subscriber] {
    guard let arrivals else { return [] }
    return arrivals.indices(in: span, of: count).map { self[$0] }.filter {
      span.contains($0.starts) && !missingFromStore.contains($0.index)
    }
  }

  public var subscribers: some Sequence<Subscriber> { (0..<count).lazy.map { self[$0] } }
}
