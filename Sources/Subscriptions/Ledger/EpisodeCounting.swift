/// Rules for the figures that count episodes (METRICS §5, Recovery, Offers and Opt-outs).
public struct EpisodeCounting: Sendable {
  let question: Question
  private let window: Window
  private let before: Window

  public init(_ question: Question) {
    self.question = question
    (window, before) = (question.window, question.before.window)
  }

  public var families: [FactFamily] { PanelCounting(question.panel).episodeFamilies }

  public func selection(_ family: FactFamily) -> EpisodeSelection {
    let t = question.at
    switch family {
    case .retry:
      let cells = RecoveryCells(question)
      return EpisodeSelection(family, after: cells.start, at: t, cells: cells.ends)
    case .pendingConsent: return EpisodeSelection(family, onlyLasting: true, after: .distantPast, at: t)
    case .endingSoon: return EpisodeSelection(family, onlyLasting: true, after: t - Line.soon, at: t)
    default: return EpisodeSelection(family, after: window.from, at: t)
    }
  }

  public func paths(_ kind: FactClass, _ outcome: Episode.Outcome, from: Instant) -> [String] {
    guard question.includes(kind) else { return [] }
    let isOfWindow = window.contains(from)
    switch kind.kind {
    case .retry(let retry):
      let standing = outcome == .lasts ? standing(from) : []
      return retry.isTrial ? standing : standing + outcomes(retry, outcome, from) + curves(retry, from)
    case .offer(let use):
      guard isOfWindow else { return [] }
      let end = outcome.name(
        followed: use.next == .standard ? "converted" : "renewed", lasts: "running", over: "lost")
      return (["started", end] + (kind.currency == nil ? [] : ["cost"])).map {
        "\(question.path(of: use)).\($0)"
      }
    case .optOut:
      guard isOfWindow else { return [] }
      let end = outcome.name(followed: "turned_on_again", lasts: "running", over: "lapsed")
      return ["opt_outs.turned_off", "opt_outs.\(end)"]
    case .endingSoon: return outcome == .lasts ? ["opt_outs.at_stake"] : []
    case .consent:
      guard isOfWindow else { return [] }
      let end = outcome.name(followed: "agreed", lasts: "running", over: "lapsed")
      return ["price_increases.asked", "price_increases.\(end)"]
    case .pendingConsent: return outcome == .lasts ? ["price_increases.pending"] : []
    default: return []
    }
  }

  private func outcomes(_ retry: FactKind.Retry, _ outcome: Episode.Outcome, _ from: Instant) -> [String] {
    guard window.contains(from) else { return [] }
    let names = ["entered", outcome.name(followed: "recovered", lasts: "still_retrying", over: "lost")]
    let day = question.length.zone.local(from).civilDate
    let stretches =
      ["by_month.\(CivilMonth(of: day))"]
      + (window.hasWeeks ? ["by_week.\(Instant(startOf: day.monday).dateText)"] : [])
    return names + ([retry.part + ".outcomes"] + stretches).flatMap { part in names.map { "\(part).\($0)" } }
  }

  /// Returns the paths of the recovery curves that count an entry into billing retry.
  ///
  /// The point at N days counts the entries that became N days old in the window.
  private func curves(_ retry: FactKind.Retry, _ from: Instant) -> [String] {
    Recovery.days.flatMap { days -> [String] in
      let earlier = Int64(days) * Milliseconds.day
      let names = retry.isBack(within: days) ? ["of", "recovered"] : ["of"]
      var paths: [String] = []
      if window.contains(from + earlier) {
        paths += names.flatMap { ["curve.\(days).\($0)", "\(retry.part).curve.\(days).\($0)"] }
      }
      if before.contains(from + earlier) { paths += names.map { "curve_before.\(days).\($0)" } }
      return paths
    }
  }

  private func standing(_ from: Instant) -> [String] {
    let band = Recovery.bands.last { question.at - from >= Int64($0.from) * Milliseconds.day }
    return band.map { ["standing.\($0.from)"] } ?? []
  }
}

extension Episode.Outcome {
  func name(followed: String, lasts: String, over: String) -> String {
    switch self {
    case .followed: followed
    case .lasts: lasts
    case .over: over
    }
  }
}

extension FactKind.Retry {
  fileprivate var part: String { hadGrace ? "with_grace" : "without_grace" }

  fileprivate func isBack(within limit: Int) -> Bool {
    if case .within(let days) = back { days <= limit } else { false }
  }
}

extension Question {
  func path(of use: FactKind.OfferUse) -> String {
    FactKind.OfferUse.path(joinsOfferKinds ? nil : use.kind, use.offer)
  }
}

extension FactKind.OfferUse {
  /// Returns the path prefix of an offer: `offers.promo.SPRING`, or `offers.trial` without an identifier.
  ///
  /// - Parameter kind: Kind of the uses; `nil` for all kinds of the offer: `offers.all.SPRING`.
  static func path(_ kind: PeriodKind?, _ offer: String?) -> String {
    "offers.\(kind?.rawValue ?? "all")" + (offer.map { ".\($0)" } ?? "")
  }
}
