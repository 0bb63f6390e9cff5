/// Ledger entry for a line at the boundary of two spans (METRICS §5). The line leaves one class of positions
/// and enters another, so the changes in a window add up to the difference of the balances at its ends.
public struct Change: Hashable, Sendable {
  public var at: Instant
  public var kind: ChangeClass
  /// Monthly price of the line's current row before the change, in micros of the old position's currency; 0
  /// if unpriced.
  public var monthlyBefore: Int64
  /// Monthly price after the change, in micros of the new position's currency; 0 if unpriced.
  public var monthlyAfter: Int64
  /// Index in `Line.rows` of the row before; `nil` if the line begins.
  public var oldRow: Int?
  public var newRow: Int
}

/// Everything that distinguishes changes in figures. Changes of the same class are counted alike.
public struct ChangeClass: Hashable, Sendable {
  private struct Fields: Hashable, Sendable {
    var old: PositionClass?
    var new: PositionClass
    var flow: Flow?
  }

  private let fields: HashedOnce<Fields>

  public init(old: PositionClass?, new: PositionClass, flow: Flow?) {
    fields = HashedOnce(Fields(old: old, new: new, flow: flow))
  }

  /// Position before; `nil` if the line begins.
  public var old: PositionClass? { fields.value.old }
  public var new: PositionClass { fields.value.new }
  /// Named flow of METRICS §5; `nil` if the change is none.
  public var flow: Flow? { fields.value.flow }
}

extension Line {
  /// Changes of class, oldest first. Empty for family-shared lines, which are counted separately.
  public var changes: [Change] {
    isFamilyShared ? [] : entries.compactMap(\.change)
  }

  /// Spans with their positions, and the change that begins each; the change is `nil` if the class stays the
  /// same.
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

/// Span with its class and the change that begins it.
public struct SpanEntry: Hashable, Sendable {
  public var span: Span
  public var position: ClassifiedPosition
  public var change: Change?
  /// Monthly price just before the span, in the reporting currency.
  public var convertedBefore: Converted

  /// Class and sum that are added at the beginning of the span; `nil` if nothing changes. A renewal that only
  /// moves the purchase date does not change the line, but it does change the amount in the reporting
  /// currency.
  public var entry: (kind: ChangeClass, sum: ChangeSum)? {
    var sum = ChangeSum(convertedBefore: convertedBefore, convertedAfter: position.converted)
    guard let change else {
      guard convertedBefore != position.converted else { return nil }
      return (ChangeClass(old: position.kind, new: position.kind, flow: nil), sum)
    }
    (sum.lines, sum.monthlyBefore, sum.monthlyAfter) = (
      1, Int128(change.monthlyBefore), Int128(change.monthlyAfter)
    )
    return (change.kind, sum)
  }
}
