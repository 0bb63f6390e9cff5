/// Change of a line's position class or monthly price at the start of a span (METRICS §5).
///
/// The changes in a window add up to the difference of the balances at the window's ends.
public struct Change: Hashable, Sendable {
  public var at: Instant
  public var kind: ChangeClass
  /// Monthly price before the change, in micros of the old class's currency; 0 if there is no such currency.
  public var monthlyBefore: Int64
  public var monthlyAfter: Int64
  /// Index in `Line.rows` of the row that was current before the change; `nil` at the line's first purchase.
  public var oldRow: Int?
  public var newRow: Int

  var sum: ChangeSum {
    ChangeSum(lines: 1, monthlyBefore: Int128(monthlyBefore), monthlyAfter: Int128(monthlyAfter))
  }

  /// Whether a renewal failed: the line enters billing retry from a state other than grace.
  var isBillingIssue: Bool { kind.new.set == .retry && kind.old?.state != .grace }
}

/// Class of a change: the attributes that figures distinguish.
public typealias ChangeClass = HashedOnce<ChangeFields>

public struct ChangeFields: Hashable, Sendable {
  /// Class of the position before; `nil` at the line's first purchase.
  public let old: PositionClass?
  public let new: PositionClass
  /// Flow in the table of METRICS §5; `nil` if the table has no flow for the change.
  public let flow: Flow?
}

extension ChangeClass {
  public init(old: PositionClass?, new: PositionClass, flow: Flow?) {
    self.init(ChangeFields(old: old, new: new, flow: flow))
  }
}

extension Line {
  /// Changes of the line's position class or monthly price, oldest first; empty for a family-shared line.
  public var changes: [Change] { isFamilyShared ? [] : entries.compactMap(\.change) }

  public var entries: [SpanEntry] { entries(through: .distantFuture) }

  func entries(through end: Instant) -> [SpanEntry] {
    var (old, oldRow, wasPaid): (ClassifiedPosition?, Int?, Bool) = (nil, nil, timeline.wasPaid)
    var converted = Converted()
    var entries: [SpanEntry] = []
    for span in timeline.spans where span.from <= end {
      let new = classified(span)
      defer { (oldRow, converted) = (span.position.row, new.converted) }
      guard old.map({ !new.isSame(as: $0) }) ?? true else {
        entries.append(SpanEntry(span: span, position: new, change: nil, convertedBefore: converted))
        continue
      }
      let flow = Flow(from: old, to: new, wasPaid: wasPaid)
      let change = Change(
        at: span.from, kind: ChangeClass(old: old?.kind, new: new.kind, flow: flow),
        monthlyBefore: old?.monthlyMicros ?? 0, monthlyAfter: new.monthlyMicros, oldRow: oldRow,
        newRow: span.position.row)
      entries.append(SpanEntry(span: span, position: new, change: change, convertedBefore: converted))
      (old, wasPaid) = (new, wasPaid || new.kind.set == .paid)
    }
    return entries
  }
}

/// Span of a line with its classified position, and the change at its start, if any.
public struct SpanEntry: Hashable, Sendable {
  public var span: Span
  public var position: ClassifiedPosition
  public var change: Change?
  /// Monthly price just before the span, in the reporting currency.
  public var convertedBefore: Converted

  /// Entry of a ledger at the span's start; `nil` if class, monthly price and converted price stay the same.
  public var entry: (kind: ChangeClass, sum: ChangeSum)? {
    var sum = change?.sum ?? ChangeSum()
    (sum.convertedBefore, sum.convertedAfter) = (convertedBefore, position.converted)
    guard let change else {
      guard convertedBefore != position.converted else { return nil }
      return (ChangeClass(old: position.kind, new: position.kind, flow: nil), sum)
    }
    return (change.kind, sum)
  }
}
