import Subscriptions

/// When a chain was validated, and which of these validations had renewal infos for it.
package struct ValidationLog: Equatable {
  package private(set) var all = Instants()
  package private(set) var withRenewals = Instants()

  package init() {}

  /// Several receipts can be answered for in the same millisecond.
  package mutating func insert(_ t: Instant, hasRenewals: Bool) {
    all.insert(t)
    if hasRenewals { withRenewals.insert(t) }
  }

  package func known(at t: Instant) -> Self {
    var known = Self()
    known.all = all.through(t)
    known.withRenewals = withRenewals.through(t)
    return known
  }

  /// Sorted and distinct.
  package struct Instants: Equatable {
    fileprivate var sorted: [Instant] = []

    var last: Instant? { sorted.last }
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

    /// The last that is early enough.
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
  /// Reads what `text` and `entry` write: the steps from instant to instant, five bits a character, with a `-` before one
  /// that had no renewal infos.
  package init(_ text: String) {
    var (t, step, shift, hasRenewals) = (Int64(0), UInt64(0), UInt64(0), true)
    for byte in text.utf8 {
      guard byte != UInt8(ascii: "-") else {
        hasRenewals = false
        continue
      }
      let digit = UInt64(byte &- UInt8(ascii: "0"))
      step |= (digit & 31) << shift
      shift += 5
      guard digit < 32 else { continue }
      t &+= Int64(bitPattern: step)
      insert(Instant(milliseconds: t), hasRenewals: hasRenewals)
      (step, shift, hasRenewals) = (0, 0, true)
    }
  }

  package var text: String {
    var (text, before) = ("", Instant?.none)
    for t in all.sorted {
      text += Self.entry(t, after: before, hasRenewals: withRenewals.contains(t))
      before = t
    }
    return text
  }

  /// What a further validation adds to the text.
  package static func entry(_ t: Instant, after before: Instant?, hasRenewals: Bool) -> String {
    var step = UInt64(bitPattern: t.rawValue &- (before?.rawValue ?? 0))
    var entry = hasRenewals ? "" : "-"
    repeat {
      let rest = step >> 5
      let digit = UInt8(step & 31) + (rest > 0 ? 32 : 0) + UInt8(ascii: "0")
      entry.unicodeScalars.append(Unicode.Scalar(digit))
      step = rest
    } while step > 0
    return entry
  }
}
