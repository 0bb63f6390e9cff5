/// Renewal infos observed for a line, in order (METRICS §2, Renewal info P, and §3, Snapshot).
struct RenewalSnapshots {
  /// Consecutive validations with the same renewal infos.
  struct Run {
    var from: Instant
    var through: Instant
    /// One element for each product in the answer.
    var elements: [Element]

    func element(for product: ProductID) -> Element? {
      elements.count == 1 ? elements[0] : elements.last { $0.info.productID == product } ?? elements.last
    }

    func info(for product: ProductID) -> RenewalInfo? { element(for: product)?.info }
  }

  struct Element {
    /// Index of the observation that the element comes from.
    var place: Int
    var info: RenewalInfo
  }

  let runs: [Run]
  /// Sorted instants of snapshots: the starts and ends of runs, and the stored validations within them.
  private let instants: [Instant]

  /// - Parameter foreign: Products of the chain's other lines, whose elements are ignored.
  init(
    _ observations: [RenewalObservation], instants: [Instant], confirmedAt: Instant?, foreign: Set<ProductID>
  ) {
    var runs = Self.runs(of: observations, confirmedAt: confirmedAt)
    for place in runs.indices where !foreign.isEmpty {
      runs[place].elements.removeAll { $0.info.productID.map(foreign.contains) ?? false }
    }
    runs.removeAll(where: \.elements.isEmpty)
    let others = instants.filter { t in
      runs.lastPlace { $0.from <= t }.map { t <= runs[$0].through } ?? false
    }
    self.runs = runs
    self.instants = Set(runs.flatMap { [$0.from, $0.through] } + others).sorted()
  }

  /// Returns the runs of sorted observations; the last run ends at `confirmedAt`, the last validation.
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

  func lastRun(by t: Instant) -> Int? { runs.lastPlace { $0.from <= t } }

  func lastRun(before t: Instant) -> Int? { runs.lastPlace { $0.from < t } }

  func last(in range: Range<Instant>) -> Instant? {
    guard let place = instants.lastPlace(where: { $0 < range.upperBound }) else { return nil }
    return instants[place] >= range.lowerBound ? instants[place] : nil
  }

  func first(after t: Instant, before end: Instant) -> Instant? {
    let next = instants.placeAfter { $0 <= t }
    return next < instants.count && instants[next] < end ? instants[next] : nil
  }
}
