/// A stretch of time in which a line's position stays the same, and what is known beside it.
public struct Span: Hashable, Sendable {
  /// First instant.
  public var from: Instant
  /// First instant after it; `distantFuture` in the last span.
  public var until: Instant
  public var position: Position
  /// METRICS §2, Renewal info P: its place in `Line.renewals`; nil where none had been observed.
  public var renewal: Int?
  /// METRICS §3, Access end.
  public var accessEnd: Instant

  var stretch: Range<Instant> { from..<until }

  /// Whether another span goes on as this one.
  fileprivate func isSame(as other: Span) -> Bool {
    position == other.position && renewal == other.renewal && accessEnd == other.accessEnd
  }
}

/// A line's life: spans that tile the time from its first purchase on, no two neighbours alike.
public struct Timeline: Hashable, Sendable {
  public private(set) var spans: [Span] = []
  /// Whether the line was paid before all of them.
  private(set) var wasPaid = false

  init() {}

  /// The only place that turns evidence into states: `PositionRules` is asked at every instant at which an answer can change.
  ///
  /// - Parameter start: spans that end until then are left out, and the one that lasts on begins somewhere before.
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

  /// Nil before the first purchase.
  public func position(at t: Instant) -> Position? { span(at: t)?.position }

  public func span(at t: Instant) -> Span? {
    spans.lastPlace { $0.from <= t }.map { spans[$0] }
  }

  /// Ends the last span where another begins, or goes on with it where both are the same.
  mutating func append(_ span: Span) {
    if let last = spans.indices.last {
      if spans[last].isSame(as: span) { return }
      spans[last].until = span.from
    }
    spans.append(span)
  }
}

extension [Range<Instant>] {
  /// Goes on with the last stretch where another begins at its end.
  mutating func join(_ stretch: Range<Instant>) {
    if let last, last.upperBound == stretch.lowerBound {
      self[count - 1] = last.lowerBound..<stretch.upperBound
    } else {
      append(stretch)
    }
  }
}
