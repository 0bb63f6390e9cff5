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
  /// Of a product, how many came to billing retry in the window, and what became of them.
  private(set) var outcomes: [ProductID: RecoveryFigures.Outcomes] = [:]
  private(set) var offers: [OfferKey: OfferFigures.Offer] = [:]
  /// Those that came to billing retry in each stretch of the window, and in the window before.
  private(set) var entered: [Int?: Int64] = [:]
  /// Every row behind a figure.
  public private(set) var rows = 0

  struct OfferKey: Hashable {
    var use: FactKind.OfferUse
    var product: ProductID
  }

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
        guard case .retry(let retry) = kind.kind else { continue }
        add(kind, retry.settled, cell, from: end, sum)
        guard !retry.isTrial, question.includes(kind) else { continue }
        if question.window.contains(end) {
          entered[question.window.stretch(of: end), default: 0] += sum.count
        } else if question.before.window.contains(end) {
          entered[nil, default: 0] += sum.count
        }
      }
      start = end
    }
    // Sums know of no instant: these look otherwise at this one.
    let unsettled = EpisodeSelection(
      .retry, .unsettled, after: cells.start, at: question.at, cells: cells.ends)
    for part in try ledger.episodes(unsettled) {
      guard case .retry(let retry) = part.key.kind.kind else { continue }
      let (cell, from) = (part.key.cell, cells.ends[part.key.cell])
      add(part.key.kind, retry.settled, cell, from: from, -part.sum)
      add(part.key.kind, part.key.outcome, cell, from: from, part.sum)
    }
  }

  private mutating func addOffers<L: Ledger>(from ledger: L) throws(L.Failure) {
    let (t, from) = (question.at, question.window.from)
    for part in [
      EpisodeSelection(.offer, after: from, at: t), EpisodeSelection(.optOut, after: from, at: t),
      EpisodeSelection(.consent, after: from, at: t),
      EpisodeSelection(.pendingConsent, .lasting, after: .distantPast, at: t),
      EpisodeSelection(.endingSoon, .lasting, after: t - Line.soon, at: t),
    ] {
      for sum in try ledger.episodes(part) { add(sum) }
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

  private mutating func add(
    _ kind: FactClass, _ outcome: Episode.Outcome, _ cell: Int, from: Instant, _ sum: FactSum
  ) {
    guard question.includes(kind) else { return }
    var key = EpisodeSum.Key(kind: kind, outcome: outcome, cell: cell)
    // What a class is counted in does not depend on whose it is.
    key.kind = FactClass(kind.kind, .production)
    let paths: [Int]
    if let found = known[key] {
      paths = found
    } else {
      paths = counting.paths(kind, outcome, from: from).map { place(of: $0) }
      known[key] = paths
    }
    guard !paths.isEmpty else { return }
    rows += Int(clamping: sum.count)
    let currency = place(of: kind.currency)
    for path in paths { values[currency].add(sum, at: path) }
    guard case .retry(let retry) = kind.kind, !retry.isTrial, question.window.contains(from) else { return }
    outcomes[kind.product, default: RecoveryFigures.Outcomes()].add(outcome, Int(clamping: sum.count))
  }

  private mutating func add(_ sum: EpisodeSum) {
    let (kind, outcome) = (sum.key.kind, sum.key.outcome)
    guard question.includes(kind) else { return }
    let paths = counting.paths(kind, outcome, from: question.at)
    guard !paths.isEmpty else { return }
    rows += Int(clamping: sum.sum.count)
    let currency = place(of: kind.currency)
    for path in paths {
      let path = place(of: path)
      values[currency].add(sum.sum, at: path)
    }
    guard case .offer(let use) = kind.kind else { return }
    for (code, brought) in sum.brought {
      let (currency, path) = (place(of: code), place(of: "\(use.path).brought"))
      values[currency].add(brought, at: path)
      rows += Int(clamping: brought.count)
    }
    if sum.key.isUnpriced {
      let (currency, path) = (place(of: nil as CurrencyCode?), place(of: "\(use.path).unpriced"))
      values[currency].add(FactSum(count: sum.sum.count), at: path)
    } else {
      let path = place(of: "\(use.path).balance")
      values[currency].add(sum.sum.taken, at: path)
      for (code, brought) in sum.brought { values[place(of: code)].add(brought, at: path) }
      rows += Int(clamping: sum.sum.count)
    }
    var key = OfferKey(use: use, product: kind.product)
    key.use.isConverted = false
    let reporting = question.reportingCurrency
    offers[key, default: OfferFigures.Offer(use.kind, offer: use.offer, product: kind.product, in: reporting)]
      .add(sum, use)
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

extension OfferFigures.Offer {
  fileprivate mutating func add(_ sum: EpisodeSum, _ use: FactKind.OfferUse) {
    let count = Int(clamping: sum.sum.count)
    started += count
    switch sum.key.outcome {
    case .followed where use.isConverted: converted += count
    case .followed: renewed += count
    case .lasts: running += count
    case .over: lost += count
    }
    let isUnpriced = sum.key.isUnpriced
    if isUnpriced { unpriced += count }
    if let currency = sum.key.kind.currency {
      cost.add(sum.sum, in: currency)
      if !isUnpriced { balance.add(sum.sum.taken, in: currency) }
    }
    for (currency, total) in sum.brought {
      brought.add(total, in: currency)
      if !isUnpriced { balance.add(total, in: currency) }
    }
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
