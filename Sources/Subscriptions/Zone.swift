/// A time zone as its offsets from UTC: for people's eyes alone, since no figure depends on one.
public struct Zone: Hashable, Sendable {
  /// A time through which the offset stays the same.
  public struct Stretch: Hashable, Sendable {
    public var from: Instant
    /// Milliseconds that clocks there are ahead of UTC.
    public var offset: Int64
    /// What clocks there are said to show: `CET`.
    public var abbreviation: String

    public init(from: Instant, offset: Int64, abbreviation: String) {
      self.from = from
      self.offset = offset
      self.abbreviation = abbreviation
    }
  }

  /// As the tz database has it: `Europe/Berlin`.
  public let name: String
  private let stretches: [Stretch]

  /// - Parameter stretches: in order of time; the first holds also before it begins.
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

  /// What its clocks are said to show at an instant: `CET`, `CEST`.
  public func abbreviation(at instant: Instant) -> String { stretch(at: instant)?.abbreviation ?? name }
}
