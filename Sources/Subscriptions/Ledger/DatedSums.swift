/// Sums with their classes and instants, as a ledger in memory keeps them.
struct DatedSums<Class: Hashable & Sendable, Sum: LedgerSum>: Sendable {
  private var classes: [Class?] = []
  private var places: [Class: Int] = [:]
  private var entries: [(at: Instant, place: Int, sum: Sum)] = []

  mutating func add(_ sum: Sum, of kind: Class, at t: Instant) {
    entries.append((t, place(of: kind), sum))
  }

  mutating func add(_ other: Self) {
    let others = other.classes.map { kind in kind.map { place(of: $0) } ?? 0 }
    entries += other.entries.map { ($0.at, others[$0.place], $0.sum) }
  }

  /// Puts all in order of time, in which it is asked for.
  mutating func sort() { entries.sort { $0.at < $1.at } }

  /// Those in (start, end].
  ///
  /// - Parameter start: nil is the beginning of time.
  func sums(after start: Instant?, through end: Instant) -> ClassSums<Class, Sum> {
    let first = start.map { start in entries.placeAfter { $0.at <= start } } ?? 0
    let last = entries.placeAfter { $0.at <= end }
    return ClassSums(
      classes: classes, parts: first < last ? entries[first..<last].map { ($0.place, $0.sum) } : [])
  }

  private mutating func place(of kind: Class) -> Int {
    if let known = places[kind] { return known }
    let new = classes.count
    classes.append(kind)
    places[kind] = new
    return new
  }
}
