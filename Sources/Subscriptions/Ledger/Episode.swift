/// Phase of a line that may await an event: billing retry awaits a payment, an offer the next paid row.
public struct Episode: Sendable {
  /// Class of the episode, using everything known, even what happened after the question's instant.
  public var kind: FactClass
  public var from: Instant
  /// Ranges in which the episode lasts: usually a single range that begins at `from`.
  public var lasting: [Range<Instant>]
  /// Instant of the awaited event, such as a recovery or a renewal; `nil` if the event did not happen.
  public var next: Instant?
  /// Index in `Line.rows` of the row with the offer; for other episodes, of the current row at `from`.
  public var row: Int
  /// Amount in micros of the currency of `kind`: the cost of an offer, or else the line's price per month.
  ///
  /// An unknown cost is `nil`; an unknown price per month is 0.
  public var micros: Int64?
  public var converted: Converted
  /// Prices of purchases after an offer; `nil` for other episodes.
  public var later: LaterPrices?

  public enum Outcome: Hashable, Sendable {
    /// The episode ended without the awaited event.
    case over
    case lasts
    /// The awaited event happened.
    case followed

    public init(at t: Instant, next: Instant?, lasts: Bool) {
      if let next, next <= t { self = .followed } else { self = lasts ? .lasts : .over }
    }
  }

  /// Returns the outcome at an instant, which must not precede the episode.
  public func outcome(at t: Instant) -> Outcome {
    Outcome(at: t, next: next, lasts: lasting.contains { $0.contains(t) })
  }

  /// First instant after the episode.
  public var until: Instant { lasting.last?.upperBound ?? from }

  /// Instant from which the episode's outcome and the revenue after it no longer change.
  public var settled: Instant {
    let outcome = next ?? until
    guard let later else { return outcome }
    return max(outcome, later.last ?? outcome, isIrregularUntil ?? outcome)
  }

  /// Instant until which figures must read the line itself; `nil` if the stored values always suffice.
  ///
  /// Usually this is the second-to-last purchase. The last purchase is often in the future, because Apple
  /// bills up to a day early, so it is stored separately and can be subtracted.
  public var isIrregularUntil: Instant? {
    var last = later.flatMap { later in
      later.isMixed ? .distantFuture : later.ofLast.unpriced > 0 ? later.last : later.beforeLast
    }
    let isRegular = lasting.isEmpty || (lasting.count == 1 && lasting[0].lowerBound == from)
    if !isRegular { last = max(last ?? until, until) }
    return last
  }

  /// Returns what the episode adds to figures at an instant, which must not precede the episode.
  public func sum(at t: Instant) -> EpisodeSum {
    var kind = kind
    if case .offer(var use) = kind.kind {
      use.isUnpriced = isUnpriced(at: t)
      kind = kind.with(.offer(use))
    }
    return EpisodeSum(kind: kind, outcome: outcome(at: t), fact, brought: later?.bought(by: t).amounts ?? [:])
  }

  func isUnpriced(at t: Instant) -> Bool { micros == nil || (later?.bought(by: t).unpriced ?? 0) > 0 }

  /// Facts for stored sums, dated by the episode's start and classified by its final outcome.
  public var facts: [Fact] {
    [Fact(from, kind, fact)]
      + laterInOneCurrency.map { Fact(from, kind.offerRevenue(in: $0.key), $0.value) }
  }

  fileprivate var settledSum: EpisodeSum {
    EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, fact, brought: laterInOneCurrency)
  }

  private var fact: FactSum { FactSum(count: 1, micros: Int128(micros ?? 0), converted: converted) }

  /// Sums of later purchases by currency; empty for several currencies, because figures then read the line.
  public var laterInOneCurrency: [CurrencyCode: FactSum] {
    later.map { $0.isMixed ? [:] : $0.all.amounts } ?? [:]
  }
}

extension FactClass {
  public func offerRevenue(in currency: CurrencyCode) -> FactClass {
    guard case .offer(let use) = self.kind else { return self }
    return with(.offerRevenue(use), in: currency)
  }
}

extension FactKind {
  /// Final outcome of billing retry or of the use of an offer, using everything known.
  public var settledOutcome: Episode.Outcome {
    switch self {
    case .retry(let retry): retry.back == .never ? .over : .followed
    case .offer(let use), .offerRevenue(let use): use.next == .none ? .over : .followed
    default: .over
    }
  }
}

/// Sum of the episodes with the same class and outcome.
public struct EpisodeSum: Sendable {
  public struct Key: Hashable, Sendable {
    public var kind: FactClass
    public var outcome: Episode.Outcome
    /// Index in `EpisodeSelection.cells` of the interval in which the episodes began.
    public var cell: Int
  }

  public var key: Key
  public var sum = FactSum()
  /// Revenue from purchases after the episodes, by currency.
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

/// Query for the episodes of a family that began in a time range, with their outcomes at an instant.
public struct EpisodeSelection: Sendable {
  public var family: FactFamily
  /// Whether to select only episodes that still last at `at`.
  public var onlyLasting: Bool
  public var after: Instant
  public var at: Instant
  /// Ends of intervals, ascending up to `at`; sums are grouped by the interval in which the episodes began.
  public var cells: [Instant]

  public init(
    _ family: FactFamily, onlyLasting: Bool = false, after: Instant, at: Instant, cells: [Instant]? = nil
  ) {
    (self.family, self.onlyLasting, self.after, self.at) = (family, onlyLasting, after, at)
    self.cells = cells ?? [at]
  }

  func contains(_ episode: Episode) -> Bool {
    episode.kind.family == family && episode.from > after && episode.from <= at
      && (!onlyLasting || episode.outcome(at: at) == .lasts)
  }

  public func cell(of t: Instant) -> Int { cells.placeAfter { $0 < t } }
}

extension Sequence<Episode> {
  public func sums(_ selection: EpisodeSelection) -> [EpisodeSum] {
    added(selection) { [$0.sum(at: selection.at)] }
  }

  /// Returns the sums by outcome at the selection's instant, minus the stored sums by final outcome.
  public func corrections(_ selection: EpisodeSelection) -> [EpisodeSum] {
    added(selection) { [-$0.settledSum, $0.sum(at: selection.at)] }
  }

  private func added(_ selection: EpisodeSelection, _ parts: (Episode) -> [EpisodeSum]) -> [EpisodeSum] {
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
