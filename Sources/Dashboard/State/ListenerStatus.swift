import Screen
import Subscriptions

/// State of the listener that receives notifications while the dashboard is open.
public struct ListenerStatus: Hashable, Sendable {
  public var url: String
  public var kept: Int
  public var known: Int
  public var refused: Int
  /// Number of notifications that could not be stored, which Apple sends again.
  public var failed: Int
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

enum Receiving: Hashable, Sendable {
  case off
  case on(ListenerStatus)
  case prevented

  /// Returns the text for the header, with the age of the last notification unless `shown` is `nil`.
  func words(at shown: Instant?, in glyphs: GlyphSet) -> StyledText {
    switch self {
    case .off: []
    case .prevented: StyledText("\(glyphs.warning) not receiving notifications", .bad)
    case .on(let listenerStatus): listenerStatus.words(at: shown)
    }
  }

  /// Returns the milliseconds until the age in the text changes; `nil` if the refresh every minute is enough.
  func change(after now: Instant) -> Int64? {
    guard case .on(let listenerStatus) = self, let last = listenerStatus.last,
      now - last < Milliseconds.minute
    else { return nil }
    return Milliseconds.second
  }
}

extension ListenerStatus {
  fileprivate func words(at shown: Instant?) -> StyledText {
    guard let last else { return StyledText("listening on \(url)", .dim) }
    var words: StyledText = [
      TextSpan(CountText.of(kept), .strong),
      TextSpan(kept == 1 ? " notification stored" : " notifications stored", .dim),
    ]
    for (count, name, style) in [
      (known, "already known", Style.dim), (refused, "rejected", .warn), (failed, "failed", .bad),
    ] where count > 0 {
      words = words + [TextSpan(", \(CountText.of(count)) \(name)", style)]
    }
    guard let shown else { return words }
    return words + [TextSpan(", last \(AgeText.since(last, at: shown))", .dim)]
  }
}
