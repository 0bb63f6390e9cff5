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

  public enum Outcome: Int, Hashable, Sendable {
    /// It ended without what it waited for.
    case over
    case lasts
    /// What it waited for has come.
    case followed
  }

  /// How it stands at an instant that is not before it.
  public func outcome(at t: Instant) -> Outcome {
    if let next, next <= t { return .followed }
    return lasting.contains { $0.contains(t) } ? .lasts : .over
  }

  /// The first instant after it.
  public var until: Instant { lasting.last?.upperBound ?? from }

  /// From when on its outcome is what it will always be.
  public var settled: Instant { next ?? until }

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
    let bought = later?.bought(by: t)
    let isUnpriced = kind.family == .offer && (micros == nil || bought.map { $0.unpriced > 0 } ?? false)
    var sum = EpisodeSum(kind: kind, outcome: outcome(at: t), isUnpriced: isUnpriced)
    sum.sum = FactSum(count: 1, micros: micros ?? 0, converted: converted)
    sum.brought = bought?.amounts ?? [:]
    return sum
  }
}

/// Episodes of one class that stand alike, added up.
public struct EpisodeSum: Sendable {
  public struct Key: Hashable, Sendable {
    public var kind: FactClass
    public var outcome: Episode.Outcome
    /// The stretch of time in which they began; see `EpisodeSelection`.
    public var cell: Int
    /// Of offers, whether the cost or something that was bought later has no price.
    public var isUnpriced = false
  }

  public var key: Key
  public var sum = FactSum()
  /// What was bought after them.
  public var brought: [CurrencyCode: FactSum] = [:]

  public init(kind: FactClass, outcome: Episode.Outcome, cell: Int = 0, isUnpriced: Bool = false) {
    key = Key(kind: kind, outcome: outcome, cell: cell, isUnpriced: isUnpriced)
  }

  public static func += (left: inout EpisodeSum, right: EpisodeSum) {
    left.sum += right.sum
    left.brought.merge(right.brought) { old, new in
      var sum = old
      sum += new
      return sum
    }
  }
}

/// Which episodes of a family are asked for, of those that began by an instant, and how they stand then.
public struct EpisodeSelection: Sendable {
  public enum Part: Sendable {
    case all
    /// Those that may come to stand otherwise.
    case unsettled
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
    case .unsettled: return episode.settled > at
    case .lasting: return episode.outcome(at: at) == .lasts
    }
  }

  public func cell(of t: Instant) -> Int { cells.lastPlace { $0 < t }.map { $0 + 1 } ?? 0 }
}

extension Sequence<Episode> {
  /// Those that are asked for, added up.
  public func sums(_ selection: EpisodeSelection) -> [EpisodeSum] {
    var sums: [EpisodeSum.Key: EpisodeSum] = [:]
    for episode in self where selection.contains(episode) {
      var sum = episode.sum(at: selection.at)
      sum.key.cell = selection.cell(of: episode.from)
      if sums[sum.key] == nil { sums[sum.key] = sum } else { sums[sum.key]? += sum }
    }
    return Array(sums.values)
  }
}
