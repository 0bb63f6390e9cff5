/// Outcomes of offers, opt-outs and price increases (METRICS §5).
extension ReferenceModel.Scope {
  var offers: [String: JSON] {
    [
      "offers": .list(byOffer), "price_increases": priceIncreases, "pending": .list(pending.map(\.row)),
      "opt_outs": optOuts,
    ]
  }

  private struct Offer: Hashable {
    var kind: String
    var name: String?
    var product: String

    init(_ row: ReferenceModel.Row) {
      (kind, name, product) = (row.kind, row.code ?? row.promotion, row.product)
    }
  }

  private var byOffer: [JSON] {
    let started = rows { $0.row.kind != "standard" && question.holds($0.row.start) }
    let grouped = Dictionary(grouping: started) { Offer($0.period.row) }
    let length = question.instant - question.from
    let before = Dictionary(
      grouping: rows { line in
        line.row.kind != "standard" && line.row.start > question.from - length
          && line.row.start <= question.from
      }
    ) { Offer($0.period.row) }
    return grouped.map { offer, started in
      let outcomes = started.map(outcome)
      let costs = started.map { cost(of: $0.period) }
      let brought = started.map { line, period in later(than: period, in: line).map(\.paid) }
      let priced = zip(costs, brought).filter { $0 != nil && !$1.contains { $0 == nil } }
      let balance = priced.flatMap { cost, later in
        later + [cost.map { .init(currency: $0.currency, micros: -$0.micros) }]
      }
      var figures: [String: JSON] = [
        "kind": .text(offer.kind), "offer": .known(offer.name), "product_id": .text(offer.product),
        "started": .count(started.count),
        "started_before": .count(offer.name == nil ? 0 : before[offer]?.count ?? 0), "cost": amounts(costs),
        "brought": amounts(brought.flatMap(\.self)),
        "unpriced": .count(started.count - priced.count), "balance": amounts(balance),
      ]
      for name in ["running", "converted", "renewed", "lost"] {
        figures[name] = .count(outcomes.count { $0 == name })
      }
      return .object(figures)
    }
  }

  private func later(
    than period: ReferenceModel.Period, in line: ReferenceModel.Line
  ) -> [ReferenceModel.Period] {
    line.periods.filter { $0.row.start > period.row.start && $0.row.start <= question.instant }
  }

  private func outcome(_ line: ReferenceModel.Line, _ period: ReferenceModel.Period) -> String {
    if let next = later(than: period, in: line).first(where: { !$0.isTrial }) {
      return next.row.kind == "standard" ? "converted" : "renewed"
    }
    let position = line.position(at: question.instant)
    let isRunning = position.map { ["trial", "paid"].contains($0.set) && $0.row.id == period.id } ?? false
    return isRunning ? "running" : "lost"
  }

  private func cost(of period: ReferenceModel.Period) -> ReferenceModel.Amount? {
    guard let price = period.price,
      let standard = prices.standard(period.row.product, at: period.row.start),
      standard.currency == price.currency
    else { return nil }
    return .init(currency: price.currency, micros: standard.micros - price.micros)
  }

  private var priceIncreases: JSON {
    let asked = lines.flatMap { line in line.consents.map { (line: line, request: $0) } }
      .filter { question.holds($0.request.asked) && isAsked($0.request.position) }
    let outcomes = asked.map { line, request in
      if let agreed = request.agreed, agreed <= question.instant { return "agreed" }
      let isOver = request.over.map { $0 <= question.instant } ?? false
      let isRunning = ["trial", "active"].contains(line.position?.state)
      return isRunning && !isOver && line.isAsked(at: question.instant) ? "running" : "lapsed"
    }
    let lost = changes.filter { isAsked($0.old) && $0.flow == "lost" && $0.reason == "3" }
    var figures: [String: JSON] = [
      "asked": .count(asked.count), "lost": .count(lost.count), "pending": .count(pending.count),
    ]
    for name in ["agreed", "running", "lapsed"] { figures[name] = .count(outcomes.count { $0 == name }) }
    return .object(figures)
  }

  private var pending: [(line: ReferenceModel.Line, row: JSON)] {
    lines { ["trial", "active"].contains($0.state) }.compactMap { line in
      guard line.consent(at: question.instant) == false, let end = line.position?.row.end else { return nil }
      let days = (end - question.instant) / ReferenceModel.day
      return (
        line,
        .object([
          "original_transaction_id": .text(line.chain.id), "expires_ms": .count(end),
          "product_id": .known(line.position?.row.row.product), "days_left": .count(days),
        ])
      )
    }
  }

  private var optOuts: JSON {
    let turnedOff = lines.flatMap(\.optOuts).filter { question.holds($0.at) && isAsked($0.position) }
    let outcomes = turnedOff.map { optOut in
      if let back = optOut.back, back <= question.instant { return "turned_on_again" }
      return question.instant < max(optOut.end, optOut.back ?? optOut.end) ? "running" : "lapsed"
    }
    let week = 7 * ReferenceModel.day
    let atStake = lines { position in
      ["trial", "active"].contains(position.state) && position.row.end > question.instant
        && position.row.end <= question.instant + week
    }.filter { $0.renewal?.autoRenew == false }
    var figures: [String: JSON] = [
      "turned_off": .count(turnedOff.count), "at_stake": .count(atStake.count),
      "at_stake_mrr": monthly(of: atStake),
    ]
    for name in ["turned_on_again", "lapsed", "running"] {
      figures[name] = .count(outcomes.count { $0 == name })
    }
    return .object(figures)
  }
}

extension ReferenceModel.Line {
  private func renewal(at moment: Int) -> ReferenceModel.Renewal? {
    let last = snapshots.last { $0.at <= moment }
    return position(at: moment).flatMap { position in last?.renewal(for: position.row) }
  }

  /// Whether the customer accepted the price increase; `nil` if Apple asked for no consent.
  fileprivate func consent(at moment: Int) -> Bool? {
    let consents = renewal(at: moment)?.consents ?? []
    if consents.contains("0") { return false }
    return consents.contains("1") ? true : nil
  }

  private var moments: [Int] {
    let first = course.first?.from ?? .max
    return Set(course.map(\.from) + snapshots.map(\.at)).filter { $0 >= first }.sorted()
  }

  /// Known consent at each moment, without requests on ended periods.
  ///
  /// A request ends only if no later answer in the running period contains it.
  private var consentsKnown: [(at: Int, consent: Bool?, period: String?, isRunning: Bool)] {
    var known: [(at: Int, consent: Bool?, period: String?, isRunning: Bool)] = []
    for moment in moments {
      let position = position(at: moment)
      let isRunning = ["trial", "active"].contains(position?.state)
      let consent = isRunning || known.last?.consent != nil ? consent(at: moment) : nil
      if consent != nil, let last = known.lastIndex(where: { $0.consent != nil }),
        known[last].period == position?.row.id
      {
        for gap in known.indices where gap > last { known[gap].consent = known[last].consent }
      }
      known.append((moment, consent, position?.row.id, isRunning))
    }
    return known
  }

  fileprivate func isAsked(at moment: Int) -> Bool {
    consentsKnown.last { $0.at <= moment }?.consent == false
  }

  /// Times at which each request was seen, accepted or renewed, and replaced or withdrawn.
  fileprivate var consents: [(asked: Int, agreed: Int?, over: Int?, position: ReferenceModel.Position)] {
    let known = consentsKnown
    func isAsking(_ place: Int) -> Bool {
      let before = place > 0 ? known[place - 1].consent : nil
      return known[place].consent != nil && (before == nil || before == true && known[place].consent == false)
    }
    return known.indices.filter(isAsking).compactMap { place in
      let rest = known[(place + 1)...].indices.prefix { known[$0].consent != nil && !isAsking($0) }
      let next = place + 1 + rest.count
      let over = next < known.endIndex ? known[next].at : nil
      var agreed = ([place] + rest).first { known[$0].consent == true }
      if agreed == nil, next < known.endIndex, known[next].isRunning,
        known[next].period != known[place].period
      {
        agreed = known.indices.first { $0 > place && known[$0].period == known[next].period }
      }
      return position(at: known[place].at).map { (known[place].at, agreed.map { known[$0].at }, over, $0) }
    }
  }

  /// Times at which auto-renew was seen off, seen on again or renewed, and the end of the period.
  fileprivate var optOuts: [(at: Int, back: Int?, end: Int, position: ReferenceModel.Position)] {
    zip(moments, moments.dropFirst()).compactMap { before, now in
      guard renewal(at: before)?.autoRenew == true, renewal(at: now)?.autoRenew == false,
        let position = position(at: now), ["trial", "active"].contains(position.state)
      else { return nil }
      let end = position.row.effectiveEnd
      guard now < end else { return nil }
      let renewed = periods.first {
        $0.row.start > now && $0.row.start <= end + ReferenceModel.day && !$0.isDeadFromItsPurchase
      }
      let on = moments.first { $0 > now && $0 < end && renewal(at: $0)?.autoRenew == true }
      return (now, [renewed?.row.start, on].compactMap(\.self).min(), end, position)
    }
  }
}
