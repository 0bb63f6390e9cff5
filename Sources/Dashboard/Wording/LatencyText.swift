import Subscriptions

/// Durations of requests: `82 ms`, `1.4 s`.
enum LatencyText {
  static func of(_ milliseconds: Double) -> String {
    guard milliseconds.isFinite, milliseconds >= 0, milliseconds < 1e12 else { return "unknown" }
    let whole = Int64(milliseconds.rounded())
    guard whole >= Milliseconds.second else { return "\(whole) ms" }
    let tenths = Int64((milliseconds / 100).rounded())
    return "\(CountText.of(tenths / 10)).\(tenths % 10) s"
  }
}
