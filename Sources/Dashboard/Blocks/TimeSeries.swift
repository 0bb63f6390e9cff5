import Screen
import Subscriptions

/// Change of a figure since an earlier time, and its values within the window.
struct TimeSeries: Hashable, Sendable {
  /// Text of the change; empty if a value is unknown, or if a count or amount is zero at both times.
  var change: StyledText
  var values: [Double?]
  /// Whether the values are balances or shares, so that the sparkline starts near their minimum, not at zero.
  var isState = false
  /// Least and greatest value, such as `1,776–1,920`, or `2–12 a day` for a flow.
  var range = ""
}

extension TimeSeries {
  func sparkline(columns: Int, _ style: Style) -> Sparkline {
    let values = Sparkline.squeezed(values, to: columns)
    let known = values.compactMap { $0 }
    let (least, most) = (known.min() ?? 0, known.max() ?? 0)
    // Constant values are drawn at half height, or as zero if they are zero.
    guard least < most else { return Sparkline(values, ceiling: most > 0 ? 2 * most : 1, style) }
    // The minimum keeps some height, to distinguish it from a gap.
    return Sparkline(values, floor: isState ? least - (most - least) / 8 : 0, style)
  }
}

extension Trend {
  /// Returns the time series of a balance, with its change since the start of the window.
  ///
  /// - Parameter ends: Exact values at the window's ends, because the series has points at whole hours only.
  func state(
    _ figure: String, _ currency: CurrencyCode? = nil, rise: Rise,
    ends: (start: Int128, end: Int128)? = nil, in glyphs: GlyphSet
  ) -> TimeSeries? {
    guard let series = series(figure, currency) else { return nil }
    let isKnown = series.values.count { $0 != nil } > 1
    let before = series.before.map { ends?.start ?? $0 }
    let values = isKnown ? series.values.map { $0.map(Double.init) } : []
    let all = values + [before, ends?.end].map { $0.map(Double.init) }
    return TimeSeries(
      change: .change(from: before, to: ends?.end ?? series.values.last ?? nil, rise: rise, in: glyphs),
      values: values, isState: true, range: isKnown ? range(of: all, figure) : "")
  }

  private func range(of values: [Double?], _ figure: String) -> String {
    let isAmount = series.contains { $0.figure == figure && $0.currency != nil }
    return Self.range(of: values) { CountText.rounding(isAmount ? $0 / 1_000_000 : $0) }
  }

  private static func range(of values: [Double?], _ text: (Double) -> String) -> String {
    let known = values.compactMap(\.self)
    guard known.count > 1, let least = known.min(), let most = known.max() else { return "" }
    return "\(text(least))\(GlyphSet.unicode.dash)\(text(most))"
  }

  /// Returns the time series of a flow; its change compares the sums of this window and the previous one.
  func flow(
    _ figure: String, _ currency: CurrencyCode? = nil, rise: Rise, in glyphs: GlyphSet
  ) -> TimeSeries? {
    guard let series = series(figure, currency) else { return nil }
    let values = series.values[wholeStretches].map { $0.map(Double.init) }
    let (stretch, range) = (endsMs.count > 2 ? endsMs[2] - endsMs[1] : 0, range(of: values, figure))
    let each = stretch == Milliseconds.day ? "a day" : "in \(AgeText.of(stretch))"
    return TimeSeries(
      change: .change(from: series.before, to: series.total, rise: rise, in: glyphs), values: values,
      range: range.isEmpty ? "" : "\(range) \(each)")
  }

  /// Returns the time series of the ratio of two flows, with its change in percentage points.
  func share(_ part: String, of whole: String, rise: Rise, in glyphs: GlyphSet) -> TimeSeries? {
    guard let wholes = series(whole) else { return nil }
    let none = Series(
      figure: part, before: wholes.before == nil ? nil : 0, values: wholes.values.map { $0 == nil ? nil : 0 })
    let parts = series(part) ?? none
    let values = zip(parts.values[wholeStretches], wholes.values[wholeStretches]).map(Self.share)
    return TimeSeries(
      change: .change(
        fromShare: Self.share(parts.before, of: wholes.before), to: Self.share(parts.total, of: wholes.total),
        rise: rise,
        in: glyphs),
      values: values, isState: true, range: Self.range(of: values) { PercentText.short($0) })
  }

  /// Returns the series of lost lines, with the change of the churn rate in percentage points.
  ///
  /// - Parameter rate: Churn rate of this window.
  func churn(_ rate: Double?, in glyphs: GlyphSet) -> TimeSeries? {
    flow("lost_paid", rise: .bad, in: glyphs).map { lost in
      TimeSeries(
        change: .change(fromShare: churnRateBefore, to: rate, rise: .bad, in: glyphs), values: lost.values,
        range: lost.range.isEmpty ? "" : "\(lost.range) lost")
    }
  }

  private static func share(_ part: Int128?, of whole: Int128?) -> Double? {
    guard let part, let whole, whole != 0 else { return nil }
    return Double(part) / Double(whole)
  }
}

extension Trend.Series {
  var total: Int128? {
    values.reduce(Int128?(0)) { sum, value in
      guard let sum, let value else { return nil }
      return sum + value
    }
  }
}

extension StyledText {
  /// Returns the relative change, such as `▲ 2.4 %`, or `▲ new` if the earlier value is zero.
  fileprivate static func change(
    from before: Int128?, to now: Int128?, rise: Rise, in glyphs: GlyphSet
  ) -> StyledText {
    guard let before, let now, before != now || before != 0 else { return "" }
    guard before != 0 else { return StyledText("\(glyphs.ascending) new", rise.style(rises: true)) }
    let share = (Double(now) - Double(before)) / Double(before.magnitude)
    return moved(Double(now) - Double(before), ChangeText.of(share, in: glyphs), rise, glyphs)
  }

  /// Returns the change in percentage points, such as `▼ 0.6 pt`.
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
    return StyledText("\(mark) \(text)", rise.style(rises: difference > 0))
  }
}

extension Rise {
  func style(rises: Bool, neutral: Style = .dim) -> Style {
    self == .neutral ? neutral : rises == (self == .good) ? .good : .bad
  }
}
