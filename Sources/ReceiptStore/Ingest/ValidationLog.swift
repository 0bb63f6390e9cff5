import Subscriptions

/// Instants of the validations of a chain: all, those with renewal infos, full answers, and partial answers.
package struct ValidationLog: Equatable {
  package private(set) var all = Instants()
  package private(set) var withRenewals = Instants()
  package private(set) var full = Instants()
  /// Answers that may omit transactions (`AnswerWriter.Extent.partial`), and signed transactions.
  package private(set) var partial = Instants()

  package init() {}

  package mutating func insert(_ t: Instant, hasRenewals: Bool, isPartial: Bool = false) {
    all.insert(t)
    if hasRenewals { withRenewals.insert(t) }
    if isPartial { partial.insert(t) } else { full.insert(t) }
  }

  package mutating func insert(signed t: Instant) { partial.insert(t) }

  /// Instant of the last validation or signed transaction.
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
      Array(sorted[sorted.placeAfter { $0 < first }..<sorted.placeAfter { $0 <= last }])
    }
    func contains(_ t: Instant) -> Bool { last(through: t) == t }
    func last(before t: Instant) -> Instant? { sorted.lastPlace { $0 < t }.map { sorted[$0] } }
    func last(through t: Instant) -> Instant? { sorted.lastPlace { $0 <= t }.map { sorted[$0] } }
    func first(after t: Instant) -> Instant? {
      let next = sorted.placeAfter { $0 <= t }
      return next < sorted.count ? sorted[next] : nil
    }
    func through(_ t: Instant) -> Self { Self(sorted: Array(sorted[..<sorted.placeAfter { $0 <= t }])) }

    mutating func insert(_ t: Instant) {
      let next = sorted.placeAfter { $0 < t }
      if next == sorted.count || sorted[next] != t { sorted.insert(t, at: next) }
    }
  }
}

extension ValidationLog {
  private struct Kinds: OptionSet {
    let rawValue: UInt8
    static let withRenewals = Self(rawValue: 1)
    static let full = Self(rawValue: 2)
    static let partial = Self(rawValue: 4)
    static let signed = Self(rawValue: 8)
  }

  /// Parses a list of entries; an entry is a digit for the `Kinds` of an instant, followed by the
  /// milliseconds since the previous instant, in base 36.
  package init(_ text: String) {
    var t: Int64 = 0
    for entry in text.utf8.split(separator: UInt8(ascii: " ")) {
      guard let kinds = UInt8(String(decoding: entry.prefix(1), as: UTF8.self), radix: 36).map(Kinds.init),
        let step = Int64(String(decoding: entry.dropFirst(), as: UTF8.self), radix: 36)
      else { continue }
      t &+= step
      let instant = Instant(milliseconds: t)
      if kinds.contains(.signed) { insert(signed: instant) }
      for kind in [Kinds.partial, .full] where kinds.contains(kind) {
        insert(instant, hasRenewals: kinds.contains(.withRenewals), isPartial: kind == .partial)
      }
    }
  }

  package var text: String {
    var (text, before) = ("", Int64(0))
    for t in Set(all.sorted + partial.sorted).sorted() {
      let isSigned = !all.contains(t)
      var kinds: Kinds = isSigned ? .signed : []
      if withRenewals.contains(t) { kinds.insert(.withRenewals) }
      if full.contains(t) { kinds.insert(.full) }
      if !isSigned, partial.contains(t) { kinds.insert(.partial) }
      text += String(kinds.rawValue, radix: 36) + String(t.rawValue &- before, radix: 36) + " "
      before = t.rawValue
    }
    return text
  }
}
