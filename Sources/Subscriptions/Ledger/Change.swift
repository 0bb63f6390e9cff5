/// Where two spans of a line meet: METRICS §5.
public struct Change: Hashable, Sendable {
  public var at: Instant
  /// Nil where the line begins.
  public var old: Position?
  public var new: Position
  /// Nil where the line stays in its set of positions, or METRICS §5 names no flow.
  public var flow: Flow?
}

extension Line {
  /// The changes of a timeline, oldest first.
  public func changes(of timeline: Timeline) -> [Change] {
    var (old, wasPaid): (Position?, Bool) = (nil, false)
    return timeline.spans.map { span in
      let set = set(of: span.position)
      let flow = Flow(
        from: self.set(of: old), to: set, ofTrial: old.map { rows[$0.row].kind == .trial } ?? false,
        wasPaid: wasPaid)
      defer { (old, wasPaid) = (span.position, wasPaid || set == .paid) }
      return Change(at: span.from, old: old, new: span.position, flow: flow)
    }
  }
}
