/// What the figures of a panel come to that count episodes, by their paths.
public struct EpisodeCounts: Sendable {
  public struct Count: Sendable {
    public fileprivate(set) var rows = 0
    public fileprivate(set) var amounts: Amounts
  }

  private let question: Question
  private let counting: EpisodeCounting
  private var places: [String: Int] = [:]
  private var currencies: [CurrencyCode?: Int] = [:]
  /// By the place of a currency, and of a path.
  private var values: [[FactSum]] = []
  private var known: [EpisodeSum.Key: [Int]] = [:]
  private var offerSums: [OfferKey: OfferSums] = [:]
  private var offersBefore: [OfferKey: Int64] = [:]
  /// Of a product, how many came to billing retry in the window, and what became of them.
  private(set) var outcomes: [ProductID: RecoveryFigures.Outcomes] = [:]
  /// Those that came to billing retry in each stretch of the window, and in the window before.
  private(set) var entered: [Int?: Int64] = [:]
  /// Every row behind a figure.
  public private(set) var rows = 0

  private init(_ question: Question) {
    self.question = question
    counting = EpisodeCounting(question)
  }

  /// Of the panel that is asked for; most count none.
  public init<L: Ledger>(_ question: Question, from ledger: L) throws(L.Failure) {
    self.init(question)
    if question.panel == .recovery { try addRetries(from: ledger) }
    if question.panel == .offers { try addOffers(from: ledger) }
  }

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
    let selection = EpisodeSelection(.retry, after: cells.start, at: question.at, cells: cells.ends)
    for part in try ledger.corrections(selection) { add(part, from: cells.ends[part.key.cell]) }
  }

  private mutating func addOffers<L: Ledger>(from ledger: L) throws(L.Failure) {
    let (t, from) = (question.at, question.window.from)
    for (kind, sum) in try ledger.facts(.offer, after: from, through: t) {
      add(EpisodeSum(kind: kind, outcome: kind.kind.settledOutcome, sum), from: t)
    }
    for (kind, sum) in try ledger.facts(.offer, after: question.before.window.from, through: from) {
      guard case .offer(let use) = kind.kind, use.offer != nil, question.includes(kind) else { continue }
      offersBefore[OfferKey(kind: use.kind, offer: use.offer, product: kind.product), default: 0] += sum.count
    }
    for (kind, sum) in try ledger.facts(.offerRevenue, after: from, through: t) {
      guard case .offerRevenue(let use) = kind.kind, let currency = kind.currency else { continue }
      let offer = kind.with(.offer(use))
      add(
        EpisodeSum(kind: offer, outcome: offer.kind.settledOutcome, brought: [currency: sum]), from: t)
    }
    for part in try ledger.corrections(EpisodeSelection(.offer, after: from, at: t)) { add(part, from: t) }
    for part in [
      EpisodeSelection(.optOut, after: from, at: t), EpisodeSelection(.consent, after: from, at: t),
      EpisodeSelection(.pendingConsent, .lasting, after: .distantPast, at: t),
      EpisodeSelection(.endingSoon, .lasting, after: t - Line.soon, at: t),
    ] {
      for sum in try ledger.episodes(part) { add(sum, from: t) }
    }
  }

  /// Nothing where no figure has the path.
  public subscript(path: String) -> Count {
    var count = Count(amounts: Amounts(in: question.reportingCurrency))
    guard let place = places[path] else { return count }
    for (currency, index) in currencies where place < values[index].count {
      let sum = values[index][place]
      count.rows += Int(clamping: sum.count)
      guard let currency, sum.count != 0 else { continue }
      count.amounts.add(Money(micros: sum.micros, currency: currency), sum.converted)
    }
    return count
  }

  /// How many rows are behind a figure; nil is all of them together.
  public func rows(behind figure: String?) -> Int { figure.map { self[$0].rows } ?? rows }

  /// Adds how many came to billing retry along the window: of nothing else is there a course, since what became of the last of them is to come.
  func add(to trend: inout Trend) {
    for (place, count) in entered where count != 0 { trend.add(count, to: "entered", at: place) }
  }

  /// Paths that begin so.
  func paths(_ prefix: String) -> [String] { places.keys.filter { $0.hasPrefix(prefix) } }

  /// - Parameter from: an instant that is as good as when they began.
  private mutating func add(_ sum: EpisodeSum, from: Instant) {
    let (kind, outcome) = (sum.key.kind, sum.key.outcome)
    guard question.includes(kind) else { return }
    var key = sum.key
    // What a class is counted in depends neither on whose it is nor on which currency it has.
    key.kind = FactClass(kind.kind, .production, currency: kind.currency.map { _ in CurrencyCode("") })
    let paths: [Int]
    if let found = known[key] {
      paths = found
    } else {
      paths = counting.paths(kind, outcome, from: from).map { place(of: $0) }
      known[key] = paths
    }
    guard !paths.isEmpty else { return }
    rows += Int(clamping: sum.sum.count)
    let currency = place(of: kind.currency)
    for path in paths { values[currency].add(sum.sum, at: path) }
    switch kind.kind {
    case .retry(let retry):
      guard !retry.isTrial, question.window.contains(from) else { return }
      outcomes[kind.product, default: RecoveryFigures.Outcomes()].add(outcome, Int(clamping: sum.sum.count))
    case .offer(let use): add(sum, of: use)
    default: break
    }
  }

  /// What offers brought, and what that comes to beside their cost.
  private mutating func add(_ sum: EpisodeSum, of use: FactKind.OfferUse) {
    let kind = sum.key.kind
    let brought = place(of: "\(use.path).brought")
    for (code, later) in sum.brought {
      values[place(of: code)].add(later, at: brought)
      rows += Int(clamping: later.count)
    }
    if use.isUnpriced {
      values[place(of: nil as CurrencyCode?)].add(
        FactSum(count: sum.sum.count), at: place(of: "\(use.path).unpriced"))
    } else {
      let balance = place(of: "\(use.path).balance")
      values[place(of: kind.currency)].add(sum.sum.taken, at: balance)
      for (code, later) in sum.brought { values[place(of: code)].add(later, at: balance) }
      rows += Int(clamping: sum.sum.count)
    }
    offerSums[OfferKey(kind: use.kind, offer: use.offer, product: kind.product), default: OfferSums()]
      .add(sum, use)
  }

  /// By kind, offer and product.
  var offers: [OfferFigures.Offer] {
    offerSums.map { key, sums in
      var offer = OfferFigures.Offer(
        key.kind, offer: key.offer, product: key.product, in: question.reportingCurrency)
      sums.tell(&offer)
      offer.startedBefore = Int(clamping: offersBefore[key] ?? 0)
      return offer
    }
  }

  private mutating func place(of path: String) -> Int {
    if let known = places[path] { return known }
    let new = places.count
    places[path] = new
    return new
  }

  private mutating func place(of currency: CurrencyCode?) -> Int {
    if let known = currencies[currency] { return known }
    let new = values.count
    currencies[currency] = new
    values.append([])
    return new
  }
}

extension [FactSum] {
  fileprivate mutating func add(_ sum: FactSum, at place: Int) {
    if place >= count { self += Array(repeating: FactSum(), count: place + 1 - count) }
    self[place] += sum
  }
}

extension RecoveryFigures.Outcomes {
  fileprivate mutating func add(_ outcome: Episode.Outcome, _ count: Int) {
    entered += count
    switch outcome {
    case .followed: recovered += count
    case .lasts: stillRetrying += count
    case .over: lost += count
    }
  }
}

private struct OfferKey: Hashable {
  var kind: PeriodKind
  var offer: String?
  var product: ProductID
}

/// Parts that cancel each other leave no amount, also none of zero.
private struct OfferSums {
  private var counts: [Episode.Outcome: Int64] = [:]
  private var converted: Int64 = 0
  private var unpriced: Int64 = 0
  private var cost: [CurrencyCode: FactSum] = [:]
  private var brought: [CurrencyCode: FactSum] = [:]
  private var balance: [CurrencyCode: FactSum] = [:]

  mutating func add(_ sum: EpisodeSum, _ use: FactKind.OfferUse) {
    let count = sum.sum.count
    counts[sum.key.outcome, default: 0] += count
    if sum.key.outcome == .followed, use.next == .standard { converted += count }
    if use.isUnpriced { unpriced += count }
    if let currency = sum.key.kind.currency {
      cost[currency, default: FactSum()] += sum.sum
      if !use.isUnpriced { balance[currency, default: FactSum()] += sum.sum.taken }
    }
    for (currency, later) in sum.brought {
      brought[currency, default: FactSum()] += later
      if !use.isUnpriced { balance[currency, default: FactSum()] += later }
    }
  }

  func tell(_ offer: inout OfferFigures.Offer) {
    func count(_ outcome: Episode.Outcome) -> Int { Int(clamping: counts[outcome] ?? 0) }
    offer.started = Int(clamping: counts.values.reduce(0, +))
    (offer.running, offer.lost) = (count(.lasts), count(.over))
    offer.converted = Int(clamping: converted)
    offer.renewed = count(.followed) - offer.converted
    offer.unpriced = Int(clamping: unpriced)
    for (currency, sum) in cost where sum.count != 0 { offer.cost.add(sum, in: currency) }
    for (currency, sum) in brought where sum.count != 0 { offer.brought.add(sum, in: currency) }
    for (currency, sum) in balance where sum.count != 0 { offer.balance.add(sum, in: currency) }
  }
}

extension Amounts {
  fileprivate mutating func add(_ sum: FactSum, in currency: CurrencyCode) {
    add(Money(micros: sum.micros, currency: currency), sum.converted)
  }
}

extension FactSum {
  /// The same rows, of which the amount is taken off.
  fileprivate var taken: FactSum {
    let converted = Converted(micros: 0 &- converted.micros, unconverted: converted.unconverted)
    return FactSum(count: count, micros: 0 &- micros, converted: converted)
  }
}
