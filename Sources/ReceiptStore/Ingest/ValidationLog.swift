import Subscriptions

/// Instants of a chain's validations, split into those with renewal infos, full answers and partial answers.
package struct ValidationLog: Equatable {
  package private(set) var all = Instants()
  package private(set) var withRenewals = Instants()
  package private(set) var full = Instants()
  /// Answers to `exclude-old-transactions`, and signed transactions.
  package private(set) var partial = Instants()

  package init() {}

  /// Adds a validation. Several receipts may be validated in the same millisecond.
  package mutating func insert(_ t: Instant, hasRenewals: Bool, isPartial: Bool = false) {
    all.insert(t)
    if hasRenewals { withRenewals.insert(t) }
    if isPartial { partial.insert(t) } else { full.insert(t) }
  }

  package mutating func insert(signed t: Instant) { partial.insert(t) }

  /// Last validation or signed transaction.
  var last: Instant? { [all.last, partial.last].compactMap(\.self).max() }

  package func known(at t: Instant) -> Self {
    var known = Self()
    known.all = all.through(t)
    known.withRenewals = withRenewals.through(t)
    known.full = full.through(t)
    known.partial = partial.through(t)
    return known
  }

  /// Sorted, distinct instants.
  package struct Instants: Equatable {
    fileprivate(set) var sorted: [Instant] = []

    var last: Instant? { sorted.last }
    var isEmpty: Bool { sorted.isEmpty }
    func within(_ first: Instant, _ last: Instant) -> [Instant] {
      Array(sorted[((place { $0 < first } ?? -1) + 1)..<((place { $0 <= last } ?? -1) + 1)])
    }
    func contains(_ t: Instant) -> Bool { last(through: t) == t }
    func last(before t: Instant) -> Instant? { place { $0 < t }.map { sorted[$0] } }
    func last(through t: Instant) -> Instant? { place { $0 <= t }.map { sorted[$0] } }
    func first(after t: Instant) -> Instant? {
      let next = (place { $0 <= t } ?? -1) + 1
      return next < sorted.count ? sorted[next] : nil
    }
    func through(_ t: Instant) -> Self {
      var earlier = Self()
      if let place = place(where: { $0 <= t }) { earlier.sorted = Array(sorted[...place]) }
      return earlier
    }

    mutating func insert(_ t: Instant) {
      let next = (place { $0 < t } ?? -1) + 1
      if next == sorted.count || sorted[next] != t { sorted.insert(t, at: next) }
    }

    /// Index of the last instant that satisfies the predicate.
    private func place(where isEarly: (Instant) -> Bool) -> Int? {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if isEarly(sorted[middle]) { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? low - 1 : nil
    }
  }
}

extension ValidationLog {
  /// Decodes the format of `text` and `entry`: the difference of each instant from the one before, with five
  /// bits per character.
  ///
  /// Marks before an instant: `-` no renewal infos, `.` partial, `/` a full and a partial answer at once, `,`
  /// a signed transaction.
  package init(_ text: String) {
    var (t, step, shift, marks) = (Int64(0), UInt64(0), UInt64(0), Marks())
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "0") else {
        marks.add(byte)
        continue
      }
      let digit = UInt64(byte &- UInt8(ascii: "0"))
      step |= (digit & 31) << shift
      shift += 5
      guard digit < 32 else { continue }
      t &+= Int64(bitPattern: step)
      let instant = Instant(milliseconds: t)
      if marks.isSigned { insert(signed: instant) }
      if marks.isPartial { insert(instant, hasRenewals: marks.hasRenewals, isPartial: true) }
      if marks.isFull { insert(instant, hasRenewals: marks.hasRenewals) }
      (step, shift, marks) = (0, 0, Marks())
    }
  }

  package var text: String {
    var (text, before) = ("", Instant?.none)
    for t in Set(all.sorted + partial.sorted).sorted() {
      let isSigned = !all.contains(t)
      let marks = Marks(
        hasRenewals: isSigned || withRenewals.contains(t), isFull: full.contains(t),
        isPartial: !isSigned && partial.contains(t), isSigned: isSigned)
      text += Self.entry(t, after: before, marks)
      before = t
    }
    return text
  }

  /// Returns the text to append for another validation.
  package static func entry(
    _ t: Instant, after before: Instant?, hasRenewals: Bool, isPartial: Bool
  ) -> String {
    entry(t, after: before, Marks(hasRenewals: hasRenewals, isFull: !isPartial, isPartial: isPartial))
  }

  private static func entry(_ t: Instant, after before: Instant?, _ marks: Marks) -> String {
    var step = UInt64(bitPattern: t.rawValue &- (before?.rawValue ?? 0))
    var entry = marks.text
    repeat {
      let rest = step >> 5
      let digit = UInt8(step & 31) + (rest > 0 ? 32 : 0) + UInt8(ascii: "0")
      entry.unicodeScalars.append(Unicode.Scalar(digit))
      step = rest
    } while step > 0
    return entry
  }

  private struct Marks {
    var hasRenewals = true
    var isFull = true
    var isPartial = false
    var isSigned = false

    mutating func add(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "-"): hasRenewals = false
      case UInt8(ascii: "."): (isFull, isPartial) = (false, true)
      case UInt8(ascii: "/"): isPartial = true
      case UInt8(ascii: ","): (isFull, isSigned) = (false, true)
      default: break
      }
    }

    var text: String {
      (isSigned ? "," : isPartial ? isFull ? "/" : "." : "") + (hasRenewals ? "" : "-")
    }
  }
}
