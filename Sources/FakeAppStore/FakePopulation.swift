import Subscriptions

/// So many subscribers of the fictional app. Nobody is kept: each is drawn anew from the seed and its number whenever it is asked for.
///
/// The same seed and founding instant give the same people, in whatever order they are asked for.
public struct FakePopulation: Sendable {
  public let count: Int
  public let seed: UInt64
  /// The "now" that the population was founded at: histories reach up to three years back from it, and go on after it.
  public let founded: Instant

  public init(subscribers: Int, seed: UInt64 = 1, founded: Instant) {
    count = max(0, min(subscribers, Self.most))
    self.seed = seed
    self.founded = founded.wholeSecond
  }

  /// More would need longer ids than Apple's.
  public static let most = 100_000_000

  public subscript(index: Int) -> Subscriber { Subscriber(index: index, seed: seed, founded: founded) }

  public var subscribers: some Sequence<Subscriber> { (0..<count).lazy.map { self[$0] } }
}
