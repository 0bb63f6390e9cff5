import Subscriptions

/// How those who had grace came back, beside those who had not.
struct GraceAdvice: Hashable, Sendable {
  let text: String

  /// Entries that each of both groups needs before anything is said of them.
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
    // No more follows from it: whom grace itself brought back never entered billing retry.
    text =
      "Of \(CountText.of(grace["of"])) with grace, \(PercentText.of(better)) were back within \(grace["days"]) d; of \(CountText.of(none["of"])) without, \(PercentText.of(worse))."
  }

  /// Which window may have enough, where this one has so many of the fewer.
  private static func longer(than days: Int, for count: Int) -> String {
    let longer = State.windows.filter { $0 > days }
    let enough = longer.first { count > 0 && $0 * count >= Self.enough * days }
    if let enough { return "At this pace \(enough) d have as many: w shows them." }
    return longer.isEmpty
      ? "Longer windows may have as many: w goes on to all that is known." : "w shows longer windows."
  }
}
