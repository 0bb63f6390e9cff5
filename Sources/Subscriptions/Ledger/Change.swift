/// Where two spans of a line meet: METRICS §5. It is an entry in the ledger: the line leaves one class of positions and
/// arrives in another, so that the changes of a window add up to the difference of the balances at its ends.
public struct Change: Hashable, Sendable {
  public var at: Instant
  public var kind: ChangeClass
  /// What the line's current row cost a month before, in micros of the old position's currency; 0 where it is unpriced.
  public var monthlyBefore: Int64
  /// The same afterwards.
  public var monthlyAfter: Int64
  /// Place in `Line.rows` of the row before; nil where the line begins.
  public var oldRow: Int?
  public var newRow: Int
}

/// What figures tell changes apart by.
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

  /// Nil where the line begins.
  public var old: PositionClass? { fields.value.old }
  public var new: PositionClass { fields.value.new }
  /// Nil where METRICS §5 names none.
  public var flow: Flow? { fields.value.flow }
}

extension Line {
  /// Every change of class, oldest first. Of family-shared lines there are none: they are counted beside, never inside.
  public var changes: [Change] {
    isFamilyShared ? [] : entries.compactMap(\.change)
  }

  /// Each span with its class, and the change with which it begins; nil where the class stays as it was.
  public var entries: [SpanEntry] { entries(through: .distantFuture) }

  /// - Parameter end: the spans that begin later are left out.
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

/// A span as the ledger keeps it.
public struct SpanEntry: Hashable, Sendable {
  public var span: Span
  public var position: ClassifiedPosition
  public var change: Change?
  /// What the line cost a month just before, in the reporting currency.
  public var convertedBefore: Converted

  /// What is added up at the beginning of the span; nil where it differs in nothing. Where only the day of the purchase differs, as by
  /// a renewal, no line changes, but what it is worth in the reporting currency does.
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
