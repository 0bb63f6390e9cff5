extension MovementPart {
  /// The weeks or months of a window, of the first and the last as much as it holds; none of another split.
  public static func stretches(of window: Window, by split: MovementSplit) -> [MovementPart] {
    guard split.isOfTime else { return [] }
    var parts: [MovementPart] = []
    // What happens on the window's first instant is before it.
    var next = window.from + 1
    while next <= window.to, let part = MovementPart(holding: next, by: split), let end = part.end {
      parts.append(part)
      next = end
    }
    return parts
  }

  private init?(holding instant: Instant, by split: MovementSplit) {
    let day = instant.civilDate
    switch split {
    case .week:
      self = .week(day.monday)
    case .month: self = .month(CivilMonth(of: day))
    default: return nil
    }
  }

  private var start: Instant? {
    switch self {
    case .week(let monday): Instant(startOf: monday)
    case .month(let month): month.start
    default: nil
    }
  }

  /// The start of what follows.
  private var end: Instant? {
    switch self {
    case .week(let monday): Instant(startOf: monday) + 7 * Milliseconds.day
    case .month(let month): month.adding(months: 1).start
    default: nil
    }
  }

  /// Of a week or a month in whole; nil where the split is not of time.
  public var wholeDays: Int? {
    guard let start, let end else { return nil }
    return Int((end - start) / Milliseconds.day)
  }

  /// What of a window it is; all of it where the split is not of time.
  public func window(within whole: Window) -> Window {
    guard let start, let end else { return whole }
    let from = min(max(whole.from, start - 1), whole.to)
    let to = max(from, min(whole.to, end - 1))
    return Window(from: from, to: to)
  }
}
