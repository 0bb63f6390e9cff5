/// A change of a line, or what a renewal did in the reporting currency, as it is added up.
struct DatedChange: Sendable {
  var at: Instant
  var kind: ChangeClass
  var sum: Turnover
}

extension [DatedChange] {
  /// Those in (start, end] of changes in order of time, added up by class.
  func sums(after start: Instant?, through end: Instant) -> [ChangeClass: Turnover] {
    part(after: start, through: end, \.at).reduce(into: [:]) { sums, change in
      sums[change.kind, default: Turnover()] += change.sum
    }
  }
}

extension [Fact] {
  /// The same of facts.
  func sums(after start: Instant?, through end: Instant) -> [FactClass: FactSum] {
    let sums = part(after: start, through: end, \.at).reduce(into: [FactClass: FactSum]()) { sums, fact in
      sums[fact.kind, default: FactSum()] += fact.sum
    }
    return sums.filter { !$0.value.isZero }
  }
}

extension Array {
  /// Those in (start, end] of elements in order of time.
  fileprivate func part(
    after start: Instant?, through end: Instant, _ at: (Element) -> Instant
  ) -> ArraySlice<Element> {
    let first = start.map { start in lastPlace { at($0) <= start }.map { $0 + 1 } ?? 0 } ?? 0
    let last = lastPlace { at($0) <= end }.map { $0 + 1 } ?? 0
    return first < last ? self[first..<last] : []
  }
}
