/// The beginning or the end of a spell that is counted by another instant, its anchor: a lost line by when its access ended, a
/// period that may yet be paid for by when it came due. What holds at an instant is the sum of the turns up to it.
public struct Turn: Hashable, Sendable {
  public var anchor: Instant
  /// Never before the anchor: nobody asks earlier.
  public var at: Instant
  /// 1 where the spell begins, -1 where it ends.
  public var sign: Int64
  /// Its detail ends with the lag.
  public var key: TallyKey
  /// Where a paid line was lost.
  public var leaving: Leaving?

  public init(anchor: Instant, at: Instant, sign: Int64, key: TallyKey, leaving: Leaving?) {
    self.anchor = anchor
    self.at = at
    self.sign = sign
    self.key = key
    self.leaving = leaving
  }

  public var lag: Lag { Lag(from: anchor, to: at) }
  public var mark: TallyMark { TallyMark(anchor, key, TallyValue(count: sign)) }
}

/// How long after another an instant comes. Where the clock alone decides, few lengths tell of everything.
public enum Lag: Hashable, Sendable {
  case hours(Int64)
  /// No whole hours, or very many: mostly where somebody told or paid. Less than the span; nil is longer than any.
  case irregular(Leaving.Span?)

  /// - Parameter most: hours; the retry of a period takes 60 days.
  public init(from start: Instant, to end: Instant, most: Int64 = 70 * 24) {
    let length = max(0, end - start)
    guard length % Milliseconds.hour == 0, length / Milliseconds.hour <= most else {
      self = .irregular(Leaving.Span.allCases.first { length < $0.hours * Milliseconds.hour })
      return
    }
    self = .hours(length / Milliseconds.hour)
  }

  public var text: String {
    switch self {
    case .hours(let hours): "\(hours)"
    case .irregular(let span): "?\(span.map { String($0.rawValue) } ?? "")"
    }
  }

  /// Reads `text`.
  public init(_ text: Substring) {
    self = Int64(text).map(Lag.hours) ?? .irregular(Int64(text.dropFirst()).flatMap(Leaving.Span.init))
  }

  public var isRegular: Bool {
    if case .hours = self { return true }
    return false
  }
}

/// A stretch of time that is counted by its anchor.
struct AnchoredSpell {
  var from: Instant
  /// First instant after it.
  var until: Instant
  var anchor: Instant
  /// Without the lag.
  var key: TallyKey
  var leaving: Leaving?

  /// One that is over by its anchor has none.
  var turns: [Turn] {
    guard until > max(from, anchor) else { return [] }
    return [(from, Int64(1)), (until, -1)].compactMap { at, sign in
      guard at < .distantFuture else { return nil }
      var turn = Turn(anchor: anchor, at: max(at, anchor), sign: sign, key: key, leaving: leaving)
      turn.key.detail += " \(turn.lag.text)"
      return turn
    }
  }
}

extension [AnchoredSpell] {
  /// Adds a spell, as a part of the last one where it goes on.
  mutating func join(_ spell: AnchoredSpell) {
    if let last, last.until == spell.from, last.anchor == spell.anchor, last.key == spell.key,
      last.leaving == spell.leaving
    {
      self[count - 1].until = spell.until
    } else {
      append(spell)
    }
  }
}
