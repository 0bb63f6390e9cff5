/// Part of a line's life with an outcome that figures follow (METRICS §5, Recovery, Offers and Opt-outs). A
/// fact records an event at an instant. An episode has an outcome that depends on the instant of the
/// question.
public struct Episode: Sendable {
  /// Class that the episode is counted in. It does not depend on the instant of the question.
  public var kind: FactClass
  public var from: Instant
  /// Times during which it lasts. Usually this is one range that begins with the episode.
  public var lasting: [Range<Instant>]
  /// Instant of the awaited event, such as a recovery or a renewal; `nil` if there was none.
  public var next: Instant?
  /// Index in `Line.rows`.
  public var row: Int
  /// Amount in micros of the currency of `kind`; `nil` if unknown.
  public var micros: Int64?
  public var converted: Converted
  /// Prices of purchases after an offer; `nil` for other episodes.
  public var later: LaterPrices?

  init(
    _ kind: FactClass, from: Instant, lasting: [Range<Instant>], next: Instant? = nil, row: Int,
    micros: Int64?, converted: Converted = Converted(), later: LaterPrices? = nil
  ) {
    (self.kind, self.from, self.lasting, self.next, self.row) = (kind, from, lasting, next, row)
    (self.micros, self.converted, self.later) = (micros, converted, later)
  }

  public enum Outcome: Hashable, Sendable {
    /// It ended without the awaited event.
    case over
    case lasts
    /// The awaited event happened.
    case followed

    /// - Parameters:
    ///   - next: Instant of the awaited event.
    ///   - lasts: Whether the episode covers the instant, apart from the awaited event.
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

  /// Instant after which the episode can no longer change.
  public var settled: Instant {
    let outcome = next ?? until
    guard let later else { return outcome }
    return max(outcome, later.last ?? outcome, isIrregularUntil ?? outcome)
  }

  /// Instant until which the state of the episode needs more than its beginning, its end, the sum of later
  /// purchases and the last of these; `nil` if these always suffice. The last purchase counts separately,
  /// because it is often in the future: Apple bills up to a day early.
  public var isIrregularUntil: Instant? {
    var last = later.flatMap { later in
      later.isMixed ? .distantFuture : later.ofLast.unpriced > 0 ? later.last : later.beforeLast
    }
    let isRegular = lasting.isEmpty || (lasting.count == 1 && lasting[0].lowerBound == from)
    if !isRegular { last = max(last ?? until, until) }
    return last
  }

  /// Returns the contribution to figures at an instant, which must not precede the episode.
  public func sum(at t: Instant) -> EpisodeSum {
    var kind = kind
    if case .offer(var use) = kind.kind {
      use.isUnpriced = isUnpriced(at: t)
      kind = kind.with(.offer(use))
    }
    return EpisodeSum(kind: kind, outcome: outcome(at: t), fact, brought: later?.bought(by: t).amounts ?? [:])
  }

  /// Whether the cost of an offer is unknown, or a later purchase by the instant has no price.
  func isUnpriced(at t: Instant) -> Bool { micros == nil || (later?.bought(by: t).unpriced ?? 0) > 0 }

  /// Facts dated at the beginning, with the final outcome, for families whose sums are kept.
  public var facts: [Fact] {
    [Fact(from, kind, fact)]
      + laterInOneCurrency.map { Fact(from, kind.offerRevenue(in: $0.key), $0.value) }
  }

  fileprivate var settledSum: EpisodeSum {
    EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, fact, brought: laterInOneCurrency)
  }

  private var fact: FactSum { FactSum(count: 1, micros: Int128(micros ?? 0), converted: converted) }

  /// Sums of later purchases by currency. Empty if there are several currencies, since these cases are read
  /// from the line itself.
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
  /// Outcome of an episode by everything known now.
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
  /// Class, outcome and stretch that the summed episodes share.
  public struct Key: Hashable, Sendable {
    public var kind: FactClass
    public var outcome: Episode.Outcome
    /// Index of the stretch in which they began (see `EpisodeSelection`).
    public var cell: Int
  }

  public var key: Key
  public var sum = FactSum()
  /// Revenue after the episodes, by currency.
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

/// Selection of the episodes of a family that began in a time range, with the instant of their outcome.
public struct EpisodeSelection: Sendable {
  public var family: FactFamily
  /// Whether only episodes that last at `at` are selected.
  public var onlyLasting: Bool
  /// Episodes must begin after this instant.
  public var after: Instant
  public var at: Instant
  /// Last instants of the stretches that the sums are divided by, in order. The last one is `at`.
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

  /// Returns the sums that turn the facts of the selected episodes into their state at the instant.
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
