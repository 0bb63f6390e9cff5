/// When a line that was lost had been active and paid: what tells whether it was so at a window's start.
public struct Leaving: Hashable, Sendable {
  /// The last stretch, without a gap.
  public var paidFrom: Instant
  /// First instant after it.
  public var paidUntil: Instant
  /// When the stretch before it ended, if there was one.
  public var paidBefore: Instant?

  public init(paidFrom: Instant, paidUntil: Instant, paidBefore: Instant?) {
    self.paidFrom = paidFrom
    self.paidUntil = paidUntil
    self.paidBefore = paidBefore
  }

  /// Windows up to so many days are told from sums.
  public enum Span: Int64, Sendable, CaseIterable {
    case month = 31
    case year = 366

    var hours: Int64 { rawValue * 24 }
    public var family: TallyFamily { self == .month ? .leaver : .longLeaver }
  }

  /// In windows that begin so many hours before access ended, from more than the one to the other, the line was active and
  /// paid at their start.
  public struct Reach: Hashable, Sendable {
    public var lag: Lag
    public var more: Int64
    public var most: Int64

    var text: String { "\(lag.text) \(more) \(most)" }

    /// Reads `text`.
    public init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 3, let more = Int64(words[1]), let most = Int64(words[2]) else { return nil }
      self.init(lag: Lag(words[0]), more: more, most: most)
    }

    init(lag: Lag, more: Int64, most: Int64) {
      self.lag = lag
      self.more = more
      self.most = most
    }
  }
}

extension Turn {
  /// Nil where only a look at the line can tell, in windows of the span.
  public func reach(in span: Leaving.Span) -> Leaving.Reach? {
    guard let leaving else { return nil }
    let longest = span.hours * Milliseconds.hour
    let paid = anchor - leaving.paidFrom
    if let before = leaving.paidBefore, anchor - before < longest { return nil }
    if anchor - leaving.paidUntil >= longest { return .init(lag: lag, more: 0, most: 0) }
    guard let more = wholeHours(anchor - leaving.paidUntil) else { return nil }
    if paid >= longest { return .init(lag: lag, more: more, most: span.hours) }
    return wholeHours(paid).map { .init(lag: lag, more: more, most: $0) }
  }

  /// What the turn adds to the lines that a window's start had.
  func leaverMarks(in environment: StoreEnvironment) -> [TallyMark] {
    Leaving.Span.allCases.compactMap { span in
      guard let reach = reach(in: span), reach.more < reach.most else { return nil }
      return TallyMark(
        anchor, TallyKey(span.family, environment, detail: reach.text), TallyValue(count: sign))
    }
  }
}

/// Nil where a length is none of whole hours. Nothing is shorter than none.
private func wholeHours(_ milliseconds: Int64) -> Int64? {
  let length = max(0, milliseconds)
  return length % Milliseconds.hour == 0 ? length / Milliseconds.hour : nil
}
