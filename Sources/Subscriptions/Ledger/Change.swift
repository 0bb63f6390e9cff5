/// Ledger entry for a line at the boundary of two spans (METRICS §5). The line leaves one class of positions
/// and enters another, so the changes in a window add up to the difference of the balances at its ends.
public struct Change: Hashable, Sendable {
  public var at: Instant
  public var kind: ChangeClass
  /// Monthly prices of the line's current row, in micros of the old and the new position's currency; 0 if
  /// unpriced.
  public var monthlyBefore: Int64
  public var monthlyAfter: Int64
  /// Index in `Line.rows` of the row before; `nil` if the line begins.
  public var oldRow: Int?
  public var newRow: Int

  var sum: ChangeSum {
    ChangeSum(lines: 1, monthlyBefore: Int128(monthlyBefore), monthlyAfter: Int128(monthlyAfter))
  }
}

/// Everything that distinguishes changes in figures. Changes of the same class are counted alike.
public typealias ChangeClass = HashedOnce<ChangeFields>

public struct ChangeFields: Hashable, Sendable {
  /// Position before; `nil` if the line begins.
  public let old: PositionClass?
  public let new: PositionClass
  /// Named flow of METRICS §5; `nil` if the change is none.
  public let flow: Flow?
}

extension ChangeClass {
  public init(old: PositionClass?, new: PositionClass, flow: Flow?) {
    self.init(ChangeFields(old: old, new: new, flow: flow))
  }
}

extension Line {
  /// Changes of class, oldest first. Empty for family-shared lines, which are counted separately.
  public var changes: [Change] {
    isFamilyShared ? [] : entries.compactMap(\.change)
  }

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
    var sum = change?.sum ?? ChangeSum()
    (sum.convertedBefore, sum.convertedAfter) = (convertedBefore, position.converted)
    guard let change else {
      guard convertedBefore != position.converted else { return nil }
      return (ChangeClass(old: position.kind, new: position.kind, flow: nil), sum)
    }
    return (change.kind, sum)
  }
}
