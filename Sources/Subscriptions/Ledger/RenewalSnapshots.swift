/// What validations showed of a line's renewal, in order of time: METRICS §2, Renewal info P, and §3, Snapshot.
struct RenewalSnapshots {
  /// Validations, one after the other, that showed the same.
  struct Run {
    /// The first of them.
    var from: Instant
    /// The last of them.
    var through: Instant
    /// One for each product that the answer had an element for.
    var elements: [Element]

    /// The element that speaks of a row of a product: the one of that, else the last.
    func element(for product: ProductID) -> Element? {
      elements.count == 1 ? elements[0] : elements.last { $0.info.productID == product } ?? elements.last
    }

    func info(for product: ProductID) -> RenewalInfo? { element(for: product)?.info }
  }

  struct Element {
    /// Among the observations.
    var place: Int
    var info: RenewalInfo
  }

  let runs: [Run]
  /// Instants of the validations that had renewal infos, sorted.
  private let instants: [Instant]

  /// - Parameters:
  ///   - observations: the chain's, oldest first.
  ///   - instants: of the validations that had renewal infos, sorted; where they were not kept, the ends of the runs stand for them.
  ///   - foreign: products of the chain's other lines, whose elements do not count.
  init(
    _ observations: [RenewalObservation], instants: [Instant], confirmedAt: Instant?, foreign: Set<ProductID>
  ) {
    var runs = Self.runs(of: observations, confirmedAt: confirmedAt)
    for place in runs.indices where !foreign.isEmpty {
      runs[place].elements.removeAll { $0.info.productID.map(foreign.contains) ?? false }
    }
    runs.removeAll(where: \.elements.isEmpty)
    var all: [Instant] = []
    for run in runs { all += [run.from, run.through] }
    all += instants.filter { t in
      runs.lastPlace { $0.from <= t }.map { t <= runs[$0].through } ?? false
    }
    self.runs = runs
    self.instants = all.sortedOnce
  }

  /// What was observed together, with how long it was shown.
  static func runs(of observations: [RenewalObservation], confirmedAt: Instant?) -> [Run] {
    var runs: [Run] = []
    for (place, observation) in observations.enumerated() {
      let element = Element(place: place, info: observation.info)
      if runs.last?.from == observation.observedAt {
        runs[runs.count - 1].elements.append(element)
        continue
      }
      if let last = runs.indices.last {
        runs[last].through = max(runs[last].from, observation.observedAfter ?? runs[last].from)
      }
      let through = max(observation.observedAt, confirmedAt ?? observation.observedAt)
      runs.append(Run(from: observation.observedAt, through: through, elements: [element]))
    }
    return runs
  }

  /// The place of the last run that had begun by an instant.
  func lastRun(by t: Instant) -> Int? { runs.lastPlace { $0.from <= t } }

  /// The place of the last run that had begun before an instant.
  func lastRun(before t: Instant) -> Int? { runs.lastPlace { $0.from < t } }

  /// The last snapshot in [from, until).
  func last(in range: Range<Instant>) -> Instant? {
    guard let place = instants.lastPlace(where: { $0 < range.upperBound }) else { return nil }
    return instants[place] >= range.lowerBound ? instants[place] : nil
  }

  /// The first snapshot after an instant and before another.
  func first(after t: Instant, before end: Instant) -> Instant? {
    let next = instants.placeAfter { $0 <= t }
    return next < instants.count && instants[next] < end ? instants[next] : nil
  }
}

extension [Instant] {
  /// Each once, in order.
  var sortedOnce: [Instant] {
    sorted().reduce(into: []) { once, t in if once.last != t { once.append(t) } }
  }
}
