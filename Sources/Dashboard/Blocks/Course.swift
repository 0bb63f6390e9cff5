import Screen
import Subscriptions

/// How a figure moved: its change against what it was before, and its values along the window.
struct Course: Hashable, Sendable {
  /// Empty where it is not known what it was before.
  var change: StyledText
  /// From oldest to newest; nil is unknown.
  var values: [Double?]
  /// Of a state, which is compared with its least and not with zero.
  var isState = false
}

extension Course {
  func sparkline(columns: Int, _ style: Style) -> Sparkline {
    let values = Sparkline.squeezed(values, to: columns)
    let known = values.compactMap { $0 }
    let (least, most) = (known.min() ?? 0, known.max() ?? 0)
    // What never moved stands at half the height, unless it is nothing.
    guard least < most else { return Sparkline(values, ceiling: most > 0 ? 2 * most : 1, style) }
    // The least value still has a height, by which it is told from a gap.
    return Sparkline(values, floor: isState ? least - (most - least) / 8 : 0, style)
  }
}

extension Trend {
  /// What a state was, against the window's start.
  ///
  /// - Parameter ends: what it was at the window's ends to the instant, where that is known; series begin with a whole hour.
  func state(
    _ figure: String, _ currency: CurrencyCode? = nil, rise: Rise,
    ends: (start: Int128, end: Int128)? = nil, in glyphs: GlyphSet
  ) -> Course? {
    guard let series = series(figure, currency) else { return nil }
    // One value alone is no course.
    let isKnown = series.values.count { $0 != nil } > 1
    let before = series.before.map { ends?.start ?? $0 }
    return Course(
      change: .change(from: before, to: ends?.end ?? series.values.last ?? nil, rise: rise, in: glyphs),
      values: isKnown ? series.values.map { $0.map(Double.init) } : [], isState: true)
  }

  /// How often something happened, or what it came to, against the window before.
  func flow(
    _ figure: String, _ currency: CurrencyCode? = nil, rise: Rise, in glyphs: GlyphSet
  ) -> Course? {
    guard let series = series(figure, currency) else { return nil }
    return Course(
      change: .change(from: series.before, to: series.total, rise: rise, in: glyphs),
      values: series.values[wholeStretches].map { $0.map(Double.init) })
  }

  /// A part of a whole, both of what happened; the change is in points.
  func share(_ part: String, of whole: String, rise: Rise, in glyphs: GlyphSet) -> Course? {
    guard let wholes = series(whole) else { return nil }
    let none = Series(
      figure: part, before: wholes.before == nil ? nil : 0, values: wholes.values.map { $0 == nil ? nil : 0 })
    let parts = series(part) ?? none
    return Course(
      change: .change(
        fromShare: Self.share(parts.before, of: wholes.before), to: Self.share(parts.total, of: wholes.total),
        rise: rise,
        in: glyphs),
      values: zip(parts.values[wholeStretches], wholes.values[wholeStretches]).map(Self.share), isState: true)
  }

  /// The churn rate, whose change is in points, and how many were lost along the window.
  func churn(_ rate: Double?, in glyphs: GlyphSet) -> Course? {
    flow("lost_paid", rise: .bad, in: glyphs).map { lost in
      Course(
        change: .change(fromShare: churnRateBefore, to: rate, rise: .bad, in: glyphs), values: lost.values)
    }
  }

  private static func share(_ part: Int128?, of whole: Int128?) -> Double? {
    guard let part, let whole, whole != 0 else { return nil }
    return Double(part) / Double(whole)
  }
}

extension Trend.Series {
  /// Nil where part of it is unknown.
  var total: Int128? {
    values.reduce(Int128?(0)) { sum, value in
      guard let sum, let value else { return nil }
      return sum + value
    }
  }
}

extension StyledText {
  /// `▲ 2.4 %`, or that it is new where there was nothing before.
  fileprivate static func change(
    from before: Int128?, to now: Int128?, rise: Rise, in glyphs: GlyphSet
  ) -> StyledText {
    guard let before, let now, before != now || before != 0 else { return "" }
    guard before != 0 else { return StyledText("\(glyphs.ascending) new", style(rises: true, rise)) }
    let share = (Double(now) - Double(before)) / Double(before.magnitude)
    return moved(Double(now) - Double(before), ChangeText.of(share, in: glyphs), rise, glyphs)
  }

  /// `▼ 0.6 pt`
  fileprivate static func change(
    fromShare before: Double?, to now: Double?, rise: Rise, in glyphs: GlyphSet
  ) -> StyledText {
    guard let before, let now else { return "" }
    let points = PercentText.short((now - before).magnitude).replacing("%", with: "pt")
    return moved(now - before, points, rise, glyphs)
  }

  private static func moved(
    _ difference: Double, _ text: String, _ rise: Rise, _ glyphs: GlyphSet
  ) -> StyledText {
    guard difference != 0, !ChangeText.isNothing(text) else { return StyledText("= \(text)", .dim) }
    let mark = difference > 0 ? glyphs.ascending : glyphs.descending
    return StyledText("\(mark) \(text)", style(rises: difference > 0, rise))
  }

  private static func style(rises: Bool, _ rise: Rise) -> Style {
    switch rise {
    case .neutral: .dim
    case .good: rises ? .good : .bad
    case .bad: rises ? .bad : .good
    }
  }
}
