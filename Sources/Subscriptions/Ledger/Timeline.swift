/// A stretch of time in which a line's position stays the same.
public struct Span: Hashable, Sendable {
  /// First instant.
  public var from: Instant
  /// First instant after it; `distantFuture` in the last span.
  public var until: Instant
  public var position: Position

  public init(from: Instant, until: Instant, position: Position) {
    self.from = from
    self.until = until
    self.position = position
  }
}

/// A line's life: spans that tile the time from its first purchase on, no two neighbours alike.
public struct Timeline: Hashable, Sendable {
  public private(set) var spans: [Span] = []

  init() {}

  /// Nil before the first purchase.
  public func position(at t: Instant) -> Position? { span(at: t)?.position }

  public func span(at t: Instant) -> Span? {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].from <= t { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? spans[low - 1] : nil
  }

  /// Goes on with a position, as a part of the last span where that is the same.
  mutating func append(_ position: Position, from t: Instant) {
    if let last = spans.indices.last {
      if spans[last].position == position { return }
      spans[last].until = t
    }
    spans.append(Span(from: t, until: .distantFuture, position: position))
  }
}

extension Line {
  /// The only place that turns evidence into states: `PositionRules` is asked at every instant at which an answer can change.
  public var timeline: Timeline {
    var timeline = Timeline()
    var rules = PositionRules(self)
    for t in rules.boundaries {
      if let position = rules.position(at: t) { timeline.append(position, from: t) }
    }
    return timeline
  }
}
