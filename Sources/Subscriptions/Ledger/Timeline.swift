/// Interval in which a line's position, renewal info and access end stay the same.
public struct Span: Hashable, Sendable {
  public var from: Instant
  /// First instant after the span; `distantFuture` for the last one.
  public var until: Instant
  public var position: Position
  /// Index in `Line.renewals` of the renewal info P (METRICS §2); `nil` if none had been observed.
  public var renewal: Int?
  /// End of access (METRICS §3, Access end).
  public var accessEnd: Instant

  var stretch: Range<Instant> { from..<until }

  fileprivate func isSame(as other: Span) -> Bool {
    position == other.position && renewal == other.renewal && accessEnd == other.accessEnd
  }
}

/// Spans of a line from its first purchase on, without gaps; adjacent spans always differ.
public struct Timeline: Hashable, Sendable {
  public private(set) var spans: [Span] = []
  /// Whether the line was paid before the first span.
  private(set) var wasPaid = false

  init() {}

  /// Builds the timeline without the spans that end by `start`.
  ///
  /// If the line has begun by `start`, so has the first span, but perhaps later than in the full timeline.
  init(of line: Line, since start: Instant = .distantPast) {
    var rules = PositionRules(line)
    let boundaries = rules.boundaries
    let first = boundaries.lastPlace { $0 <= start } ?? 0
    for t in boundaries[..<first] where !wasPaid {
      guard let position = rules.position(at: t) else { continue }
      wasPaid = position.state.set(of: line.rows[position.row].kind) == .paid
    }
    for t in boundaries[first...] {
      if let span = rules.span(at: t) { append(span) }
    }
  }

  public func position(at t: Instant) -> Position? { span(at: t)?.position }

  public func span(at t: Instant) -> Span? { spans.lastPlace { $0.from <= t }.map { spans[$0] } }

  mutating func append(_ span: Span) {
    if let last = spans.indices.last {
      if spans[last].isSame(as: span) { return }
      spans[last].until = span.from
    }
    spans.append(span)
  }
}

extension [Range<Instant>] {
  mutating func join(_ stretch: Range<Instant>) {
    if let last, last.upperBound == stretch.lowerBound {
      self[count - 1] = last.lowerBound..<stretch.upperBound
    } else {
      append(stretch)
    }
  }
}
