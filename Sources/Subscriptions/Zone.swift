/// Time zone as its offsets from UTC. It is only for display, and no figure depends on it.
public struct Zone: Hashable, Sendable {
  public struct Stretch: Hashable, Sendable {
    public var from: Instant
    /// Milliseconds ahead of UTC.
    public var offset: Int64
    public var abbreviation: String

    public init(from: Instant, offset: Int64, abbreviation: String) {
      self.from = from
      self.offset = offset
      self.abbreviation = abbreviation
    }
  }

  /// Name in the tz database: `Europe/Berlin`.
  public let name: String
  private let stretches: [Stretch]

  /// - Parameter stretches: In order of time. The first also applies before its start.
  public init(name: String, _ stretches: [Stretch]) {
    self.name = name
    self.stretches = stretches
  }

  public static let utc = Zone(
    name: "UTC", [Stretch(from: .distantPast, offset: 0, abbreviation: "UTC")])

  private func stretch(at instant: Instant) -> Stretch? {
    stretches.last { $0.from <= instant } ?? stretches.first
  }

  private func local(_ instant: Instant) -> Instant { instant + (stretch(at: instant)?.offset ?? 0) }

  /// `2026-11-21`
  public func date(_ instant: Instant) -> String { local(instant).dateText }

  /// `2026-11-21 09:05`
  public func minute(_ instant: Instant) -> String { local(instant).minuteText }

  /// `09:05`
  public func clock(_ instant: Instant) -> String { String(local(instant).clockText.prefix(5)) }

  public func abbreviation(at instant: Instant) -> String { stretch(at: instant)?.abbreviation ?? name }
}
