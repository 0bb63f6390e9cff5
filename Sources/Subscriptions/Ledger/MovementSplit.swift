/// Dimension that divides the movement report into parts.
public enum MovementSplit: String, Hashable, Sendable, CaseIterable {
  /// Week from Monday, in UTC or in the zone of a calendar window.
  case week
  /// Calendar month, in UTC or in the zone of a calendar window.
  case month
  case product, storefront, kind, currency

  public var isOfTime: Bool { self == .week || self == .month }

  /// Name of the part's value in JSON and CSV.
  public var key: String { self == .product ? "product_id" : rawValue }
}

/// Part of the movement report: one value of a split, such as one product or one week.
public struct MovementPart: Hashable, Sendable {
  public let split: MovementSplit
  /// Date of a week's Monday, a month, or an identifier; `nil` for an unknown storefront or currency.
  public let value: String?

  init(_ split: MovementSplit, _ value: String?) { (self.split, self.value) = (split, value) }

  public static func product(_ id: ProductID) -> Self { Self(.product, id.rawValue) }

  /// Parses the value in a figure's path; `nil` if the split cannot have such a value.
  init?(_ split: MovementSplit, named name: String) {
    let isUnknown = name.lowercased() == Self.unknown
    switch split {
    case .week:
      guard let day = Instant(parsing: name)?.civilDate, day.weekday == 1 else { return nil }
      self.init(split, Instant(startOf: day).dateText)
    case .month:
      guard let month = CivilMonth(parsing: name) else { return nil }
      self.init(split, month.description)
    case .product: self.init(split, name)
    case .storefront, .currency: self.init(split, isUnknown ? nil : name.uppercased())
    case .kind:
      guard PeriodKind(rawValue: name) != nil else { return nil }
      self.init(split, name)
    }
  }

  /// Path of a figure of the part: `by_week.2026-11-16.subscribers.lost`.
  public func path(of figure: String) -> String { "by_\(split.rawValue).\(value ?? Self.unknown).\(figure)" }

  private static let unknown = "unknown"

  /// Returns the weeks or months of a window, including incomplete ones at its ends; empty for other splits.
  public static func stretches(of window: Window, by split: MovementSplit, in zone: Zone) -> [MovementPart] {
    var parts: [MovementPart] = []
    // A window excludes its first instant.
    var next = window.from + 1
    while split.isOfTime, next <= window.to {
      let day = zone.local(next).civilDate
      let value = split == .week ? Instant(startOf: day.monday).dateText : CivilMonth(of: day).description
      let part = MovementPart(split, value)
      guard let bounds = part.bounds(in: zone) else { break }
      parts.append(part)
      next = bounds.upperBound
    }
    return parts
  }

  private func bounds(in zone: Zone) -> Range<Instant>? {
    guard let value else { return nil }
    let local: Range<Instant>? =
      switch split {
      case .week: Instant(parsing: value).map { $0..<$0 + 7 * Milliseconds.day }
      case .month: CivilMonth(parsing: value).map { $0.start..<$0.adding(months: 1).start }
      case .product, .storefront, .kind, .currency: nil
      }
    return local.map { zone.instant(local: $0.lowerBound)..<zone.instant(local: $0.upperBound) }
  }

  /// Number of days of the full week or month; `nil` for other splits.
  public var wholeDays: Int? {
    bounds(in: .utc).map { Int(($0.upperBound - $0.lowerBound) / Milliseconds.day) }
  }

  /// Returns the range of a week or month, cut to a window; for other splits, the whole window.
  public func window(within whole: Window, in zone: Zone) -> Window {
    guard let bounds = bounds(in: zone) else { return whole }
    let from = min(max(whole.from, bounds.lowerBound - 1), whole.to)
    return Window(from: from, to: max(from, min(whole.to, bounds.upperBound - 1)), in: zone)
  }
}
