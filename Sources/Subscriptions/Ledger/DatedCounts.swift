/// Counts of facts and episodes by figure path, in a question's window and in the previous window.
public struct DatedCounts: Sendable {
  private let counting: PanelCounting
  private let question: Question
  private let stretches: Int
  private let summed: String??
  private let breakdowns: [String: MovementSplit]
  /// Cache of the courses (see `courses`) that facts of each class are added to.
  private var known: [CountedClass: [Part]] = [:]
  /// Index of each course (a figure's series of sums) by currency, which is `nil` if the course counts rows.
  private var courses: [Name: [CurrencyCode?: Int]] = [:]
  /// Sums of all courses (series of sums, see `courses`), one course after the other.
  ///
  /// Each course has one sum for each stretch of the window, then one for the previous window.
  private var values: [RowSum] = []
  /// Instants at which memberships in the Small Business Program begin and end.
  private let memberships: [Instant]

  private let episodes: EpisodeCounting
  private var knownEpisodes: [EpisodeSum.Key: KnownEpisode] = [:]
  private var offerKeys: Set<OfferKey> = []
  private var offersBefore: [OfferKey: Int64] = [:]
  /// Number of paid lines that entered billing retry, by index of the stretch; `nil` is the previous window.
  private var entered: [Int?: Int64] = [:]
  private var episodeRows = 0

  private struct Name: Hashable {
    /// Path of a figure; `nil` for the rows of a family and for totals.
    var path: String?
    var family: FactFamily?
    var part: MovementPart?
    var total: RowTotal?
  }

  enum RowTotal { case amounts, proceeds }

  private struct CountedClass: Hashable {
    var kind: FactClass
    /// Number of instants in `DatedCounts.memberships` that precede the facts; the commission depends on it.
    var memberships: Int
  }

  private struct OfferKey: Hashable {
    var kind: PeriodKind
    var offer: String?
    var product: ProductID
  }

  private struct Part {
    var course: Int
    var unit: CountedFact.Unit
  }

  /// - Parameter summed: Figure whose rows `totals(_:)` adds up; `.some(nil)` means every figure, `nil` none.
  public init<L: Ledger>(
    _ question: Question, from ledger: L, summingRowsBehind summed: String?? = nil
  ) throws(L.Failure) {
    (self.question, self.summed) = (question, summed)
    counting = PanelCounting(question.panel)
    episodes = EpisodeCounting(question)
    breakdowns = Dictionary(
      FigureTable.of(question.panel).breakdowns.filter(\.isInJSON).flatMap { breakdown in
        breakdown.figures.map { ($0.path, breakdown.split) }
      }, uniquingKeysWith: { first, _ in first })
    memberships = question.smallBusinessProgram.instants
    // Episodes have no trends, apart from the number of entries, which `entered` counts.
    stretches = counting.families.isEmpty ? 1 : question.window.stretchEnds.count
    let earlier = question.before.window
    for family in counting.families {
      var start = question.window.from
      for (place, end) in question.window.stretchEnds.enumerated() {
        try add(family, after: start, through: end, at: place, from: ledger)
        start = end
      }
      try add(family, after: earlier.from, through: earlier.to, at: nil, from: ledger)
    }
    for family in counting.standingFamilies {
      try add(family, after: nil, through: question.at, at: 0, from: ledger)
    }
    for family in counting.families {
      for (asked, isBefore) in [(question, false), (question.before, true)] {
        // `cohort.refunded` has no trend, so the previous window needs no correction.
        if isBefore, family == .bought { continue }
        let ends = asked.window.stretchEnds
        // The old and the new class use the commission at the stretch's end, so their proceeds cancel out.
        for correction in try ledger.corrections(family, asked.window) {
          guard question.includes(correction.kind) else { continue }
          add(
            correction.sum, to: parts(of: correction.kind, at: ends[correction.place]),
            at: isBefore ? nil : correction.place)
        }
      }
    }
    if question.panel == .recovery { try addRetries(from: ledger) }
    if question.panel == .offers { try addOffers(from: ledger) }
  }

  public subscript(path: String) -> Int { rows(of: Name(path: path)) }

  /// Returns the number of rows behind a figure or, if `nil`, behind all figures of the family.
  public func rows(behind figure: String?, of family: FactFamily) -> Int {
    rows(of: Name(path: figure, family: figure == nil ? family : nil))
  }

  /// Returns the number of rows behind a figure or, if `nil`, behind all figures of the panel.
  public func rows(behind figure: String?) -> Int {
    // Lines due within a day or a week are also due within a month, so only the last family is counted.
    figure.map { self[$0] }
      ?? (counting.families + counting.standingFamilies.suffix(1)).reduce(episodeRows) {
        $0 + rows(behind: nil, of: $1)
      }
  }

  func amounts(_ path: String, of part: MovementPart? = nil) -> Amounts {
    let sums = (courses[Name(path: path, part: part)] ?? [:]).mapValues(sum)
    return Amounts(sums, in: question.reportingCurrency)
  }

  func rows(_ path: String, of part: MovementPart) -> Int { rows(of: Name(path: path, part: part)) }

  func parts(_ path: String, by split: MovementSplit) -> Set<MovementPart> {
    Set(
      courses.keys.filter { $0.path == path && $0.part?.split == split && rows(of: $0) != 0 }
        .compactMap(\.part))
  }

  /// Returns the total amounts or proceeds of the rows behind the figure `summed`, by currency.
  func totals(_ total: RowTotal) -> [CurrencyCode?: RowSum] {
    (courses[Name(total: total)] ?? [:]).mapValues(sum)
  }

  func paths(_ prefix: String) -> Set<String> {
    Set(courses.keys.compactMap { $0.part == nil && $0.path?.hasPrefix(prefix) ?? false ? $0.path : nil })
  }

  /// Lengths of the periods that came due; `nil` is an unknown length.
  var periods: [Period?] {
    let ends = ".due"
    return courses.keys.filter { $0.path?.hasSuffix(ends) ?? false && rows(of: $0) != 0 }.map {
      let period = $0.path?.dropLast(ends.count).split(separator: ".").last
      return period.flatMap { Period(parsing: String($0)) }
    }
  }

  func add(to trend: inout Trend) {
    // The recovery panel has only this trend, because the outcomes of the latest entries are not known yet.
    for (place, count) in entered where count != 0 { trend.add(Int128(count), to: "entered", at: place) }
    for (name, byCurrency) in courses where question.panel != .recovery {
      guard let path = name.path, name.part == nil, counting.panel.happens(path) else { continue }
      for (currency, course) in byCurrency {
        let course = values[course * (stretches + 1)..<(course + 1) * (stretches + 1)]
        guard course.contains(where: { $0.rows != 0 }) else { continue }
        for (place, sum) in course.enumerated() {
          let value = currency == nil ? Int128(sum.rows) : sum.micros
          trend.add(value, to: path, currency, at: place < stretches ? place : nil)
          guard currency != nil, question.reportingCurrency != nil else { continue }
          trend.add(sum.converted.micros, to: path, at: place < stretches ? place : nil)
        }
      }
    }
  }

  private func rows(of name: Name) -> Int {
    (courses[name] ?? [:]).values.reduce(0) { $0 + Int(clamping: sum(of: $1).rows) }
  }

  private func sum(of course: Int) -> RowSum {
    values[course * (stretches + 1)..<course * (stretches + 1) + stretches].reduce(into: RowSum(), +=)
  }

  private mutating func add<L: Ledger>(
    _ family: FactFamily, after start: Instant?, through end: Instant, at place: Int?, from ledger: L
  ) throws(L.Failure) {
    var start = start
    let ends =
      family == .bought
      ? question.smallBusinessProgram.parts(after: start ?? .distantPast, through: end) : [end]
    for end in ends {
      let passed = memberships.count { $0 <= end }
      for (kind, sum) in try ledger.facts(family, after: start, through: end) {
        let key = CountedClass(kind: kind, memberships: passed)
        var counted = known[key]
        if counted == nil {
          counted = question.includes(kind) ? parts(of: kind, at: end) : []
          known[key] = counted
        }
        add(sum, to: counted ?? [], at: place)
      }
      start = end
    }
  }

  /// Adds a sum to courses, in the stretch with index `place` or, if `nil`, in the previous window.
  private mutating func add(_ sum: FactSum, to parts: [Part], at place: Int?) {
    for part in parts { values[part.course * (stretches + 1) + (place ?? stretches)].add(sum, as: part.unit) }
  }

  /// Returns the courses for the facts of a class; the Small Business Program at `t` decides the commission.
  private mutating func parts(of kind: FactClass, at t: Instant) -> [Part] {
    var new: [Part] = []
    for counted in counting.counted(kind, question, at: t) {
      new.append(Part(course: course(of: Name(family: kind.family), nil), unit: .rows))
      for part in counted.parts {
        let currency: CurrencyCode? = if case .rows = part.unit { nil } else { kind.currency }
        new.append(Part(course: course(of: Name(path: part.path), currency), unit: part.unit))
        guard let slice = slice(of: kind, part.path) else { continue }
        new.append(Part(course: course(of: Name(path: part.path, part: slice), currency), unit: part.unit))
      }
      // Lines due within a day or a week are also due within a month. Their amounts must count once.
      guard let summed, let currency = kind.currency,
        summed.map({ figure in counted.parts.contains { $0.path == figure } })
          ?? [nil, .month].contains(kind.family.horizon)
      else { continue }
      for part in counted.parts {
        let total: RowTotal
        switch part.unit {
        case .rows: continue
        case .amount, .sale: total = .amounts
        case .proceeds: total = .proceeds
        }
        new.append(Part(course: course(of: Name(total: total), currency), unit: part.unit))
      }
    }
    return new
  }

  private func slice(of kind: FactClass, _ path: String) -> MovementPart? {
    breakdowns[path].map {
      MovementPart($0, $0 == .product ? kind.product.rawValue : kind.storefront?.rawValue)
    }
  }

  private mutating func course(of name: Name, _ currency: CurrencyCode?) -> Int {
    if let known = courses[name]?[currency] { return known }
    let new = values.count / (stretches + 1)
    courses[name, default: [:]][currency] = new
    values += Array(repeating: RowSum(), count: stretches + 1)
    return new
  }

  // MARK: Episodes

  private mutating func addRetries<L: Ledger>(from ledger: L) throws(L.Failure) {
    let cells = RecoveryCells(question)
    var start = cells.start
    for (cell, end) in cells.ends.enumerated() {
      for (kind, sum) in try ledger.facts(.retry, after: start, through: end) {
        add(EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, cell: cell, sum), from: end)
        guard case .retry(let retry) = kind.kind, !retry.isTrial, question.includes(kind) else { continue }
        if question.window.contains(end) {
          entered[question.window.stretch(of: end), default: 0] += sum.count
        } else if question.before.window.contains(end) {
          entered[nil, default: 0] += sum.count
        }
      }
      start = end
    }
    for part in try ledger.corrections(episodes.selection(.retry)) {
      add(part, from: cells.ends[part.key.cell])
    }
  }

  private mutating func addOffers<L: Ledger>(from ledger: L) throws(L.Failure) {
    let (t, from) = (question.at, question.window.from)
    for (kind, sum) in try ledger.facts(.offer, after: from, through: t) {
      add(EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, sum), from: t)
    }
    let before = question.before.window
    for (kind, sum) in try ledger.facts(.offer, after: before.from, through: before.to) {
      guard case .offer(let use) = kind.kind, use.offer != nil, question.includes(kind) else { continue }
      offersBefore[OfferKey(kind: use.kind, offer: use.offer, product: kind.product), default: 0] += sum.count
    }
    for (kind, sum) in try ledger.facts(.offerRevenue, after: from, through: t) {
      guard case .offerRevenue(let use) = kind.kind, let currency = kind.currency else { continue }
      let offer = kind.with(.offer(use))
      add(EpisodeSum(kind: offer, outcome: offer.kind.settledOutcome, brought: [currency: sum]), from: t)
    }
    for part in try ledger.corrections(episodes.selection(.offer)) { add(part, from: t) }
    for family in [FactFamily.optOut, .consent, .pendingConsent, .endingSoon] {
      for sum in try ledger.episodes(episodes.selection(family)) { add(sum, from: t) }
    }
  }

  /// - Parameter from: Start of the episodes, or another instant that makes the same figures count them.
  private mutating func add(_ sum: EpisodeSum, from: Instant) {
    let (kind, outcome) = (sum.key.kind, sum.key.outcome)
    guard question.includes(kind) else { return }
    // Paths do not depend on product, storefront or environment, so the cache key leaves these out.
    var key = sum.key
    key.kind = FactClass(kind.kind, .production, currency: kind.currency)
    let counted: KnownEpisode
    if let known = knownEpisodes[key] {
      counted = known
    } else {
      let paths = episodes.paths(kind, outcome, from: from)
      counted = KnownEpisode(
        parts: paths.map { part($0, kind.currency) },
        byProduct: paths.filter { breakdowns[$0] != nil || $0.hasPrefix("offers.") }
      )
      knownEpisodes[key] = counted
    }
    guard !counted.parts.isEmpty else { return }
    episodeRows += Int(clamping: sum.sum.count)
    add(sum.sum, to: counted.parts, at: 0)
    add(sum.sum, to: counted.byProduct.map { part($0, kind.currency, of: kind.product) }, at: 0)
    if case .offer(let use) = kind.kind { add(sum, of: use) }
  }

  /// Adds an offer's figures: `brought` is the revenue from later purchases, `balance` is `brought` − cost.
  ///
  /// If the cost or the price of a later purchase is unknown, the use counts in `unpriced`, not in `balance`.
  private mutating func add(_ sum: EpisodeSum, of use: FactKind.OfferUse) {
    let kind = sum.key.kind
    func add(_ sum: FactSum, _ currency: CurrencyCode?, to figure: String) {
      let path = "\(question.path(of: use)).\(figure)"
      self.add(sum, to: [part(path, currency), part(path, currency, of: kind.product)], at: 0)
    }
    for (code, later) in sum.brought {
      add(later, code, to: "brought")
      episodeRows += Int(clamping: later.count)
    }
    if use.isUnpriced {
      add(FactSum(count: sum.sum.count), nil, to: "unpriced")
    } else {
      add(sum.sum.negated, kind.currency, to: "balance")
      for (code, later) in sum.brought { add(later, code, to: "balance") }
      episodeRows += Int(clamping: sum.sum.count)
    }
    offerKeys.insert(OfferKey(kind: use.kind, offer: use.offer, product: kind.product))
  }

  private struct KnownEpisode {
    var parts: [Part]
    var byProduct: [String]
  }

  private mutating func part(
    _ path: String, _ currency: CurrencyCode?, of product: ProductID? = nil
  ) -> Part {
    Part(
      course: course(of: Name(path: path, part: product.map(MovementPart.product)), currency), unit: .amount)
  }

  /// Figures of each combination of kind, offer and product, most uses first.
  var offers: [FigureValues] {
    offerKeys.map { key in
      let (path, part) = (FactKind.OfferUse.path(key.kind, key.offer), MovementPart.product(key.product))
      var offer = FigureValues()
      (offer[text: "kind"], offer[text: "offer"]) = (key.kind.rawValue, key.offer)
      offer[text: "product_id"] = key.product.rawValue
      offer["started"] = rows("\(path).started", of: part)
      // `addOffers` does not count uses in the previous window of offers without an identifier.
      offer["started_before"] = Int(clamping: offersBefore[key] ?? 0)
      for name in ["running", "converted", "renewed", "lost"] {
        offer[name] = rows("\(path).\(name)", of: part)
      }
      for name in ["cost", "brought"] { offer[amounts: name] = amounts("\(path).\(name)", of: part) }
      offer["unpriced"] = rows("\(path).unpriced", of: part)
      offer[amounts: "balance"] = amounts("\(path).balance", of: part)
      return offer
    }.sorted { left, right in
      left["started"] == right["started"]
        ? left.offerPath < right.offerPath : left["started"] > right["started"]
    }
  }
}
