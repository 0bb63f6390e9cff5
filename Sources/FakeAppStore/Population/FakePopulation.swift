import Subscriptions

/// So many subscribers of the fictional app, or of several. Nobody is kept: each is drawn anew from the seed and its number whenever it is asked for.
///
/// The same seed and founding instant give the same people, in whatever order they are asked for.
public struct FakePopulation: Sendable {
  public let count: Int
  /// Without those who come later.
  public let countAtFounding: Int
  public let seed: UInt64
  /// The "now" that the population was founded at: histories reach up to three years back from it, and go on after it.
  public let founded: Instant

  /// How many apps they use, by turns. All of them sell the same products.
  public let apps: Int
  /// Who comes after the founding; nil where there are no stories.
  private let arrivals: Arrivals?

  /// - Parameter stories: whether the app has a past with stories in it (`Stories`), and customers go on coming, who are counted as well.
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

  /// What befell the app; nil where there are no stories.
  public var stories: Stories? { arrivals.map { Stories(founded: $0.founded) } }

  /// More would need longer ids than Apple's.
  public static let most = 100_000_000

  /// As many as anybody would put into one store.
  public static let mostApps = 100

  /// Every app of this population.
  public var bundleIDs: [BundleID] { (0..<apps).map(FakeCatalog.bundleID(ofApp:)) }

  public subscript(index: Int) -> Subscriber { subscriber(index, founded: founded) }

  /// The one of a population that was founded at another time.
  func subscriber(_ index: Int, founded: Instant) -> Subscriber {
    let comes = arrivals.map {
      $0.founded == founded ? $0 : Arrivals(after: $0.before, founded: founded)
    }
    return Subscriber(
      index: index, seed: seed, founded: founded, bundleID: FakeCatalog.bundleID(ofApp: index % apps),
      arrivals: comes)
  }

  /// Who first comes in a span of time after the founding: few, so that nobody need be looked for.
  public func arrivals(in span: Range<Instant>) -> [Subscriber] {
    guard let arrivals else { return [] }
    return arrivals.indices(in: span, of: count).map { self[$0] }.filter { span.contains($0.starts) }
  }

  public var subscribers: some Sequence<Subscriber> { (0..<count).lazy.map { self[$0] } }
}
