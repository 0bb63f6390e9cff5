import Subscriptions

/// So many subscribers of the fictional app, or of several. Nobody is kept: each is drawn anew from the seed and its number whenever it is asked for.
///
/// The same seed and founding instant give the same people, in whatever order they are asked for.
public struct FakePopulation: Sendable {
  public let count: Int
  public let seed: UInt64
  /// The "now" that the population was founded at: histories reach up to three years back from it, and go on after it.
  public let founded: Instant

  /// How many apps they use, by turns. All of them sell the same products.
  public let apps: Int

  public init(subscribers: Int, seed: UInt64 = 1, founded: Instant, apps: Int = 1) {
    self.apps = max(1, min(apps, Self.mostApps))
    count = max(0, min(subscribers, Self.most))
    self.seed = seed
    self.founded = founded.wholeSecond
  }

  /// More would need longer ids than Apple's.
  public static let most = 100_000_000

  /// As many as anybody would put into one store.
  public static let mostApps = 100

  /// Every app of this population.
  public var bundleIDs: [BundleID] { (0..<apps).map(FakeCatalog.bundleID(ofApp:)) }

  public subscript(index: Int) -> Subscriber { subscriber(index, founded: founded) }

  /// The one of a population that was founded at another time.
  func subscriber(_ index: Int, founded: Instant) -> Subscriber {
    Subscriber(
      index: index, seed: seed, founded: founded, bundleID: FakeCatalog.bundleID(ofApp: index % apps))
  }

  public var subscribers: some Sequence<Subscriber> { (0..<count).lazy.map { self[$0] } }
}
