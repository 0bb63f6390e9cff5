/// A stretch of a line's life that figures follow to how it ended: METRICS §5, Recovery, Offers and Opt-outs. A fact tells what happened
/// at an instant, an episode what became of it by another.
public struct Episode: Sendable {
  /// What it counts as, whenever it is looked at.
  public var kind: FactClass
  public var from: Instant
  /// While it lasts: mostly one stretch, which begins with it.
  public var lasting: [Range<Instant>]
  /// When what one hopes for, or fears, came to be; nil where it never did.
  public var next: Instant?
  /// Place in `Line.rows`.
  public var row: Int
  /// In micros of the currency of `kind`; nil where nobody knows it.
  public var micros: Int64?
  public var converted: Converted
  /// Of an offer, what was bought after it.
  public var later: LaterPrices?

  init(
    _ kind: FactClass, from: Instant, lasting: [Range<Instant>], next: Instant? = nil, row: Int,
    micros: Int64?, converted: Converted = Converted(), later: LaterPrices? = nil
  ) {
    (self.kind, self.from, self.lasting, self.next, self.row) = (kind, from, lasting, next, row)
    (self.micros, self.converted, self.later) = (micros, converted, later)
  }

  public enum Outcome: Hashable, Sendable {
    /// It ended without what it waited for.
    case over
    case lasts
    /// What it waited for has come.
    case followed

    /// - Parameters:
    ///   - next: when what it waits for comes.
    ///   - lasts: whether it goes on at the instant, unless that has come by then.
    public init(at t: Instant, next: Instant?, lasts: Bool) {
      if let next, next <= t { self = .followed } else { self = lasts ? .lasts : .over }
    }
  }

  /// How it stands at an instant that is not before it.
  public func outcome(at t: Instant) -> Outcome {
    Outcome(at: t, next: next, lasts: lasting.contains { $0.contains(t) })
  }

  /// The first instant after it.
  public var until: Instant { lasting.last?.upperBound ?? from }

  /// From when on all about it is what it will always be.
  public var settled: Instant {
    let outcome = next ?? until
    guard let later else { return outcome }
    return max(outcome, later.last ?? outcome, isIrregularUntil ?? outcome)
  }

  /// Until when its beginning, its end, the sum of what was bought later and the last of that do not tell how it stands; nil where they
  /// always do. The last is mostly ahead: Apple bills up to a day early.
  public var isIrregularUntil: Instant? {
    var last = later.flatMap { later in
      later.isMixed ? .distantFuture : later.ofLast.unpriced > 0 ? later.last : later.beforeLast
    }
    let isRegular = lasting.isEmpty || (lasting.count == 1 && lasting[0].lowerBound == from)
    if !isRegular { last = max(last ?? until, until) }
    return last
  }

  /// What it adds to figures at an instant that is not before it.
  public func sum(at t: Instant) -> EpisodeSum {
    var kind = kind
    if case .offer(var use) = kind.kind {
      use.isUnpriced = isUnpriced(at: t)
      kind = kind.with(.offer(use))
    }
    return EpisodeSum(kind: kind, outcome: outcome(at: t), fact, brought: later?.bought(by: t).amounts ?? [:])
  }

  /// Whether the cost of an offer or something that was bought later by then has no price.
  func isUnpriced(at t: Instant) -> Bool { micros == nil || (later?.bought(by: t).unpriced ?? 0) > 0 }

  /// What it is counted as by its date: what became of it in the end, of those families of which sums are kept.
  public var facts: [Fact] {
    [Fact(from, kind, fact)]
      + laterInOneCurrency.map { Fact(from, kind.offerRevenue(in: $0.key), $0.value) }
  }

  /// What `facts` add to figures.
  fileprivate var settledSum: EpisodeSum {
    EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, fact, brought: laterInOneCurrency)
  }

  private var fact: FactSum { FactSum(count: 1, micros: Int128(micros ?? 0), converted: converted) }

  /// Of several currencies only the line itself tells.
  public var laterInOneCurrency: [CurrencyCode: FactSum] {
    later.map { $0.isMixed ? [:] : $0.all.amounts } ?? [:]
  }
}

extension FactClass {
  /// What was bought after an offer of the class.
  public func offerRevenue(in currency: CurrencyCode) -> FactClass {
    guard case .offer(let use) = kind else { return self }
    return FactClass(
      .offerRevenue(use), environment, product: product, currency: currency, storefront: storefront)
  }
}

extension FactKind {
  /// Of an episode, what became of it as far as everybody knows now.
  public var settledOutcome: Episode.Outcome {
    switch self {
    case .retry(let retry): retry.back == .never ? .over : .followed
    case .offer(let use), .offerRevenue(let use): use.next == .none ? .over : .followed
    default: .over
    }
  }
}

/// Episodes of one class that stand alike, added up.
public struct EpisodeSum: Sendable {
  public struct Key: Hashable, Sendable {
    public var kind: FactClass
    public var outcome: Episode.Outcome
    /// The stretch of time in which they began; see `EpisodeSelection`.
    public var cell: Int
  }

  public var key: Key
  public var sum = FactSum()
  /// What was bought after them.
  public var brought: [CurrencyCode: FactSum] = [:]

  public init(
    kind: FactClass, outcome: Episode.Outcome, cell: Int = 0, _ sum: FactSum = FactSum(),
    brought: [CurrencyCode: FactSum] = [:]
  ) {
    key = Key(kind: kind, outcome: outcome, cell: cell)
    (self.sum, self.brought) = (sum, brought)
  }

  public static func += (left: inout EpisodeSum, right: EpisodeSum) {
    left.sum += right.sum
    left.brought.merge(right.brought, uniquingKeysWith: +)
  }

  public static prefix func - (sum: EpisodeSum) -> EpisodeSum {
    var sum = sum
    (sum.sum, sum.brought) = (-sum.sum, sum.brought.mapValues { -$0 })
    return sum
  }

  var isZero: Bool { sum.isZero && brought.values.allSatisfy(\.isZero) }
}

/// Which episodes of a family are asked for, of those that began by an instant, and how they stand then.
public struct EpisodeSelection: Sendable {
  public enum Part: Sendable {
    case all
    /// Those that last.
    case lasting
  }

  public var family: FactFamily
  public var part: Part
  /// Those that began until then are left out.
  public var after: Instant
  public var at: Instant
  /// Last instants of stretches that they are told apart by, in order of time, `at` the last of them.
  public var cells: [Instant]

  public init(
    _ family: FactFamily, _ part: Part = .all, after: Instant, at: Instant, cells: [Instant]? = nil
  ) {
    (self.family, self.part, self.after, self.at) = (family, part, after, at)
    self.cells = cells ?? [at]
  }

  func contains(_ episode: Episode) -> Bool {
    guard episode.kind.family == family, episode.from > after, episode.from <= at else { return false }
    switch part {
    case .all: return true
    case .lasting: return episode.outcome(at: at) == .lasts
    }
  }

  public func cell(of t: Instant) -> Int { cells.placeAfter { $0 < t } }
}

extension Sequence<Episode> {
  /// Those that are asked for, added up.
  public func sums(_ selection: EpisodeSelection) -> [EpisodeSum] {
    added(selection) { [$0.sum(at: selection.at)] }
  }

  /// What has to be added to their facts to have how they stand.
  public func corrections(_ selection: EpisodeSelection) -> [EpisodeSum] {
    added(selection) { [-$0.settledSum, $0.sum(at: selection.at)] }
  }

  private func added(
    _ selection: EpisodeSelection, _ parts: (Episode) -> [EpisodeSum]
  ) -> [EpisodeSum] {
    var sums: [EpisodeSum.Key: EpisodeSum] = [:]
    for episode in self where selection.contains(episode) {
      for var part in parts(episode) {
        part.key.cell = selection.cell(of: episode.from)
        if sums[part.key] == nil { sums[part.key] = part } else { sums[part.key]? += part }
      }
    }
    return sums.values.filter { !$0.isZero }
  }
}
