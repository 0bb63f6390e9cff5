/// Rows behind figures that count episodes.
extension EpisodeCounting {
  /// Whether rows of the figure can be dated after the start of their episode, as those of later purchases.
  public static func areOfLater(_ figure: String?, of family: FactFamily) -> Bool {
    family == .offer && (figure.map { $0.hasSuffix(".brought") || $0.hasSuffix(".balance") } ?? true)
  }

  public func mayBeBehind(
    _ figure: String?, _ kind: FactClass, _ outcome: Episode.Outcome, from: Instant
  ) -> Bool {
    let paths = paths(kind, outcome, from: from)
    guard let figure, case .offer(let use) = kind.kind else {
      return figure.map(paths.contains) ?? !paths.isEmpty
    }
    // These figures also depend on the line's prices, which are not known here, so they cannot be excluded.
    let path = question.path(of: use)
    let isOfLine = ["brought", "unpriced", "balance"].contains { figure == "\(path).\($0)" }
    return paths.contains(figure) || (isOfLine && !paths.isEmpty)
  }

  public func rows(of line: Line, _ families: [FactFamily], _ catalog: Catalog) -> [FigureRow] {
    guard question.environment.contains(line.id.environment) else { return [] }
    return families.flatMap { family -> [FigureRow] in
      let selection = selection(family)
      return line.episodes(family, catalog).filter(selection.contains).flatMap { rows(of: $0, line) }
    }
  }

  private func rows(of episode: Episode, _ line: Line) -> [FigureRow] {
    let (t, outcome) = (question.at, episode.outcome(at: question.at))
    var paths = paths(episode.kind, outcome, from: episode.from)
    guard !paths.isEmpty else { return [] }
    var brought: [FigureRow] = []
    if case .offer(let use) = episode.kind.kind {
      let path = question.path(of: use)
      let offered = line.rows[episode.row]
      let isUnpriced = episode.isUnpriced(at: t)
      let names = ["\(path).brought"] + (isUnpriced ? [] : ["\(path).balance"])
      brought = line.rows.filter { $0.purchase > offered.purchase && $0.purchase <= t }.compactMap { row in
        row.price.map {
          FigureRow(
            names, row, of: line, at: row.purchase, amount: $0.amount,
            why: "bought \(Milliseconds.ago(t - row.purchase)), after \(offered.id)")
        }
      }
      if isUnpriced {
        paths.append("\(path).unpriced")
      } else {
        brought.append(
          FigureRow(
            ["\(path).balance"], offered, of: line, at: episode.from,
            amount: amount(of: episode).map { Money(micros: 0 - $0.micros, currency: $0.currency) },
            why: "bought \(Milliseconds.ago(t - offered.purchase)) for less than the standard price"))
      }
    }
    var row = FigureRow(
      paths, line.rows[episode.row], of: line, at: episode.from, amount: amount(of: episode),
      why: why(episode, outcome, line))
    if episode.kind.family != .offer { row.state = line.timeline.position(at: t)?.state }
    if outcome == .lasts, [.offer, .optOut, .endingSoon, .pendingConsent].contains(episode.kind.family) {
      row.timeLeft = max(0, line.rows[episode.row].expires - t)
    }
    return [row] + brought
  }

  private func amount(of episode: Episode) -> Money? {
    guard ![.optOut, .consent, .pendingConsent].contains(episode.kind.family),
      let currency = episode.kind.currency
    else { return nil }
    return episode.micros.map { Money(micros: $0, currency: currency) }
  }

  static func haveAmounts(_ figure: String) -> Bool {
    !figure.hasPrefix("price_increases.") && (!figure.hasPrefix("opt_outs.") || figure == "opt_outs.at_stake")
  }

  /// Whether the sums contain amounts for the figure's rows; for `unpriced` they contain only a count.
  static func areSummed(_ figure: String) -> Bool { !figure.hasSuffix(".unpriced") }

  private func why(_ episode: Episode, _ outcome: Episode.Outcome, _ line: Line) -> String {
    let row = line.rows[episode.row]
    let since = Milliseconds.ago(question.at - episode.from)
    let later = episode.next.map { "\(Milliseconds.text($0 - episode.from)) later" } ?? ""
    let end = "expires_date \(Milliseconds.ago(question.at - row.expires))"
    switch episode.kind.kind {
    case .retry(let retry):
      let what =
        "billing retry began \(since)\(retry.hadGrace ? " after grace" : "")\(retry.isTrial ? " of a trial" : "")"
      let ended = "ended unpaid \(Milliseconds.ago(question.at - episode.until))"
      return "\(what), \(outcome.name(followed: "recovered \(later)", lasts: "unpaid", over: ended))"
    case .offer(let use):
      let what = "bought \(since) as \(use.kind.rawValue)\(use.offer.map { " \($0)" } ?? "")"
      let next = use.next == .standard ? "a standard period" : "another period at an offer"
      let result = outcome.name(
        followed: "\(next) followed \(later)", lasts: end, over: "ended without a paid period after it")
      return "\(what), \(result)"
    case .optOut:
      let what = "auto-renew seen turned off \(since)"
      return "\(what), \(outcome == .followed ? "on again or renewed \(later)" : end)"
    case .consent:
      let what = "price consent request seen \(since)"
      let over = "expired without consent"
      return "\(what), \(outcome.name(followed: "accepted", lasts: "pending", over: over))"
    case .pendingConsent: return "price consent request pending, \(end)"
    case .endingSoon: return "auto_renew_status = 0, \(end)"
    default: return ""
    }
  }
}
