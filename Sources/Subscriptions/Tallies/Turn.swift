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

  public init(anchor: Instant, at: Instant, sign: Int64, key: TallyKey) {
    self.anchor = anchor
    self.at = at
    self.sign = sign
    self.key = key
  }

  public var lag: Lag { Lag(from: anchor, to: at) }

  /// By its anchor, and where no clock tells when it comes, among those to come until then.
  var marks: [TallyMark] {
    let mark = TallyMark(anchor, key, TallyValue(count: sign))
    guard case .irregular(.some) = lag, let family = key.family.toCome else { return [mark] }
    var awaited = key
    awaited.family = family
    return [mark, TallyMark(anchor, awaited, mark.value), TallyMark(at, awaited, -mark.value)]
  }
}

extension TallyFamily {
  /// Of the turns of a family, those that have not come yet.
  public var toCome: TallyFamily? {
    switch self {
    case .loss: .lossToCome
    case .pending: .pendingToCome
    default: nil
    }
  }
}

/// How long after another an instant comes. Where the clock alone decides, few lengths tell of everything.
public enum Lag: Hashable, Sendable {
  /// One of those that Apple's clock counts off.
  case hours(Int64)
  /// Any other: mostly where somebody told or paid. Less than the span; nil is longer than any.
  case irregular(Span?)

  /// Billing retry takes 60 days, grace 3, 6, 16 or 28 of them; a change to or from daylight-saving time may lie between.
  private static let counted: Set<Int64> = {
    let grace: [Int64] = [3, 6, 16, 28]
    let days = [60] + grace + grace.map { 60 - $0 }
    return Set([0] + days.flatMap { [$0 * 24 - 1, $0 * 24, $0 * 24 + 1] })
  }()

  /// In days: the windows that people look at most.
  public enum Span: Int64, Sendable, CaseIterable {
    case week = 7
    case fourWeeks = 28
    case quarter = 90
    case year = 365

    /// No shorter than this.
    public var least: Int64 { Self.allCases.last { $0.rawValue < rawValue }?.rawValue ?? 0 }
  }

  public init(from start: Instant, to end: Instant) {
    let length = max(0, end - start)
    guard length % Milliseconds.hour == 0, Self.counted.contains(length / Milliseconds.hour) else {
      self = .irregular(Span.allCases.first { length < $0.rawValue * Milliseconds.day })
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
    self =
      Int64(text).flatMap { Self.counted.contains($0) ? .hours($0) : nil }
      ?? .irregular(Int64(text.dropFirst()).flatMap(Span.init))
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
  /// Where a paid line was lost, in how many stretches it was active and paid before.
  var paidBefore = 0

  /// One that is over by its anchor has none.
  var turns: [Turn] {
    guard until > max(from, anchor) else { return [] }
    return [(from, Int64(1)), (until, -1)].compactMap { at, sign in
      guard at < .distantFuture else { return nil }
      var turn = Turn(anchor: anchor, at: max(at, anchor), sign: sign, key: key)
      turn.key.detail += " \(turn.lag.text)"
      return turn
    }
  }
}

extension [AnchoredSpell] {
  /// Adds a spell, as a part of the last one where it goes on.
  mutating func join(_ spell: AnchoredSpell) {
    if let last, last.until == spell.from, last.anchor == spell.anchor, last.key == spell.key,
      last.paidBefore == spell.paidBefore
    {
      self[count - 1].until = spell.until
    } else {
      append(spell)
    }
  }
}
