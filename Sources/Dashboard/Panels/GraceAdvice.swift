import Subscriptions

/// Recovery with a grace period compared with recovery without one.
struct GraceAdvice: Hashable, Sendable {
  let text: String

  /// Minimum number of entries in each group for a comparison.
  static let enough = 30

  static let setting =
    "Grace is a setting of the app in App Store Connect. Who pays while in grace never enters billing retry and is not counted here."

  init(_ figures: FigureValues, days: Int) {
    let pairs = zip(figures[parts: "with_grace.curve"], figures[parts: "without_grace.curve"]).filter {
      $0["of"] >= Self.enough && $1["of"] >= Self.enough && $0["days"] == $1["days"]
    }
    guard let (grace, none) = pairs.last, let better = grace[share: "rate"], let worse = none[share: "rate"]
    else {
      let (one, other) = (
        figures["with_grace.outcomes.entered"], figures["without_grace.outcomes.entered"]
      )
      text =
        "What grace changes cannot be told in \(CountText.of(days)) d: \(CountText.of(one)) entered with it and \(CountText.of(other)) without, and \(Self.enough) of each have to have entered long enough ago. \(Self.longer(than: days, for: min(one, other)))"
      return
    }
    // No advice follows from this: lines that grace itself recovered never entered billing retry.
    text =
      "Of \(CountText.of(grace["of"])) with grace, \(PercentText.of(better)) were back within \(grace["days"]) d; of \(CountText.of(none["of"])) without, \(PercentText.of(worse))."
  }

  /// Names a longer window that has enough entries at the current pace.
  private static func longer(than days: Int, for count: Int) -> String {
    let longer = State.windows.filter { $0 > days }
    let enough = longer.first { count > 0 && $0 * count >= Self.enough * days }
    if let enough { return "At this pace \(enough) d have as many: w shows them." }
    return longer.isEmpty
      ? "Longer windows may have as many: w goes on to all that is known." : "w shows longer windows."
  }
}
