/// Texts that explain why a figure counts a row, with the fields that decided.
public enum FigureReason {
  /// Returns text with the fields of a refund: `cancellation_date 9 d ago, cancellation_reason = 0`.
  ///
  /// - Parameter percentage: Refunded part of the price in thousandths of a percent; `nil` for all of it.
  public static func refund(
    cancelled: Instant, reason: String?, percentage: Int64? = nil, at t: Instant
  ) -> String {
    let part = percentage.map { ", revocationPercentage = \(percent($0)) %" } ?? ""
    return
      "cancellation_date \(Milliseconds.ago(t - cancelled)), cancellation_reason = \(reason ?? "none")\(part)"
  }

  /// Formats thousandths of a percent, such as `67.932`.
  public static func percent(_ thousandths: Int64) -> String {
    let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
    return fraction == 0 ? "\(whole)" : "\(whole).\(String(1000 + fraction).dropFirst())"
  }

  /// Returns text with the age of an upgrade, the calculation of its prorated refund, and its date's source.
  ///
  /// - Parameter proration: Calculation of the refund; `nil` if the row is a trial, unpriced or undated.
  public static func upgrade(
    instant: Instant?, cancelled: Instant?, kind: PeriodKind, proration: Proration?, at t: Instant
  ) -> String {
    guard let instant else {
      return "is_upgraded = true, but neither a cancellation_date nor a next purchase dates it"
    }
    let sum = kind == .trial ? "no refund for a trial" : proration?.text ?? "unpriced"
    return "upgraded \(Milliseconds.ago(t - instant)): \(sum); \(dated(instant, cancelled: cancelled))"
  }

  /// Returns text with an upgrade instant's source, and whether Apple confirmed the upgrade (METRICS §2).
  public static func dated(_ instant: Instant, cancelled: Instant?) -> String {
    guard let cancelled else { return "estimated, dated by the next purchase" }
    if cancelled == instant { return "confirmed and dated by Apple's cancellation_date" }
    return cancelled > instant
      ? "confirmed by Apple's cancellation_date \(cancelled.minuteText) UTC, dated by the next purchase or the period's end"
      : "confirmed by Apple's cancellation_date \(cancelled.minuteText) UTC, dated by the start of the period"
  }

  public static func running(
    _ state: LineState, _ kind: PeriodKind, expires: Instant, at t: Instant
  ) -> String {
    let period = state == .trial ? "is_trial_period = true" : "\(kind) period"
    let end =
      t < expires
      ? "expires_date in \(Milliseconds.text(expires - t))"
      : "expired \(Milliseconds.ago(t - expires)), and the next one begins within a day of that"
    return "\(period), \(end)"
  }
}
