import Screen
import Subscriptions

/// Notifications that are received beside the dashboard while it is open.
public struct Reception: Hashable, Sendable {
  /// Where they are sent to.
  public var url: String
  public var kept: Int
  /// Those that came once more.
  public var known: Int
  public var refused: Int
  /// Those that could not be kept, which Apple sends again.
  public var failed: Int
  /// When the last one came.
  public var last: Instant?

  public init(
    url: String, kept: Int = 0, known: Int = 0, refused: Int = 0, failed: Int = 0, last: Instant? = nil
  ) {
    self.url = url
    self.kept = kept
    self.known = known
    self.refused = refused
    self.failed = failed
    self.last = last
  }
}

/// Whether notifications are received.
enum Receiving: Hashable, Sendable {
  /// They are not to be.
  case off
  case on(Reception)
  /// They were to be, and something keeps them from it.
  case prevented

  /// In plain words for the head; empty where there is nothing to say.
  ///
  /// - Parameter shown: the instant that the screen is of; nil leaves out how long ago the last one came.
  func words(at shown: Instant?, in glyphs: GlyphSet) -> StyledText {
    switch self {
    case .off: []
    case .prevented: StyledText("\(glyphs.warning) no notifications are received", .bad)
    case .on(let reception): reception.words(at: shown)
    }
  }

  /// When its words change by themselves, in milliseconds from now on; nil where they do not, or so rarely that what is read anew
  /// each minute will do.
  func change(after now: Instant) -> Int64? {
    guard case .on(let reception) = self, let last = reception.last, now - last < Milliseconds.minute else {
      return nil
    }
    return Milliseconds.second
  }
}

extension Reception {
  fileprivate func words(at shown: Instant?) -> StyledText {
    guard let last else { return StyledText("listening on \(url)", .dim) }
    var words: StyledText = [
      TextSpan(CountText.of(kept + known), .strong),
      TextSpan(kept + known == 1 ? " notification received" : " notifications received", .dim),
    ]
    for (count, name, style) in [(refused, "refused", Style.warn), (failed, "not kept", .bad)] where count > 0
    {
      words = words + [TextSpan(", \(CountText.of(count)) \(name)", style)]
    }
    guard let shown else { return words }
    return words + [TextSpan(", the last \(AgeText.since(last, at: shown))", .dim)]
  }
}
