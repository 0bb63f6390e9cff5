/// What the figures of a panel come to that count episodes, by their paths.
public struct EpisodeCounts: Sendable {
  public struct Count: Sendable {
    public fileprivate(set) var rows = 0
    public fileprivate(set) var amounts: Amounts
  }

  private let question: Question
  private let counting: EpisodeCounting
  private var places: [Name: Int] = [:]
  private var currencies: [CurrencyCode?: Int] = [:]
  /// By the place of a currency, and of a name.
  private var values: [[FactSum]] = []
  private var known: [EpisodeSum.Key: Known] = [:]
  private var offerKeys: Set<OfferKey> = []
  private var offersBefore: [OfferKey: Int64] = [:]
  /// Those that came to billing retry in each stretch of the window, and in the window before.
  private(set) var entered: [Int?: Int64] = [:]
  /// Every row behind a figure.
  public private(set) var rows = 0

  private struct Name: Hashable {
    var path: String
    /// Nil is all of them.
    var product: ProductID?
  }

  /// What a class is counted in.
  private struct Known {
    var places: [Int]
    /// Of its paths, those that are told of each product as well.
    var byProduct: [String]
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

  /// Nothing where no figure has the path, or none is told of products by themselves.
  public subscript(path: String, product: ProductID? = nil) -> Count {
    var count = Count(amounts: Amounts(in: question.reportingCurrency))
    guard let place = places[Name(path: path, product: product)] else { return count }
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
    for (place, count) in entered where count != 0 { trend.add(Int128(count), to: "entered", at: place) }
  }

  /// Paths that begin so.
  func paths(_ prefix: String) -> [String] {
    places.keys.filter { $0.product == nil && $0.path.hasPrefix(prefix) }.map(\.path)
  }

  /// Those that a figure is told of.
  func products(_ path: String) -> [ProductID] {
    places.keys.compactMap { $0.path == path ? $0.product : nil }
  }

  /// - Parameter from: an instant that is as good as when they began.
  private mutating func add(_ sum: EpisodeSum, from: Instant) {
    let (kind, outcome) = (sum.key.kind, sum.key.outcome)
    guard question.includes(kind) else { return }
    var key = sum.key
    // What a class is counted in depends neither on whose it is nor on which currency it has.
    key.kind = FactClass(kind.kind, .production, currency: kind.currency.map { _ in CurrencyCode("") })
    let counted: Known
    if let found = known[key] {
      counted = found
    } else {
      let paths = counting.paths(kind, outcome, from: from)
      counted = Known(
        places: paths.map { place(of: Name(path: $0)) },
        byProduct: paths.filter(EpisodeCounting.isToldByProduct))
      known[key] = counted
    }
    guard !counted.places.isEmpty else { return }
    rows += Int(clamping: sum.sum.count)
    let currency = place(of: kind.currency)
    for place in counted.places { values[currency].add(sum.sum, at: place) }
    for path in counted.byProduct {
      values[currency].add(sum.sum, at: place(of: Name(path: path, product: kind.product)))
    }
    if case .offer(let use) = kind.kind { add(sum, of: use) }
  }

  /// What offers brought, and what that comes to beside their cost.
  private mutating func add(_ sum: EpisodeSum, of use: FactKind.OfferUse) {
    let kind = sum.key.kind
    func add(_ sum: FactSum, _ currency: CurrencyCode?, to figure: String) {
      let index = place(of: currency)
      for product in [nil, kind.product] {
        values[index].add(sum, at: place(of: Name(path: "\(use.path).\(figure)", product: product)))
      }
    }
    for (code, later) in sum.brought {
      add(later, code, to: "brought")
      rows += Int(clamping: later.count)
    }
    if use.isUnpriced {
      add(FactSum(count: sum.sum.count), nil, to: "unpriced")
    } else {
      add(sum.sum.taken, kind.currency, to: "balance")
      for (code, later) in sum.brought { add(later, code, to: "balance") }
      rows += Int(clamping: sum.sum.count)
    }
    offerKeys.insert(OfferKey(kind: use.kind, offer: use.offer, product: kind.product))
  }

  /// By kind, offer and product.
  var offers: [FigureValues] {
    offerKeys.map { key in
      func count(_ figure: String) -> Count {
        self["\(FactKind.OfferUse.path(key.kind, key.offer)).\(figure)", key.product]
      }
      var offer = FigureValues()
      (offer[text: "kind"], offer[text: "offer"]) = (key.kind.rawValue, key.offer)
      offer[text: "product_id"] = key.product.rawValue
      offer["started"] = count("started").rows
      // Of an offer with an identifier alone: what began then the window tells no more than its end.
      offer["started_before"] = Int(clamping: offersBefore[key] ?? 0)
      for name in ["running", "converted", "renewed", "lost"] { offer[name] = count(name).rows }
      for name in ["cost", "brought"] { offer[amounts: name] = count(name).amounts }
      offer["unpriced"] = count("unpriced").rows
      offer[amounts: "balance"] = count("balance").amounts
      return offer
    }.sorted { left, right in
      left["started"] == right["started"]
        ? left.offerPath < right.offerPath : left["started"] > right["started"]
    }
  }

  private mutating func place(of name: Name) -> Int {
    if let known = places[name] { return known }
    let new = places.count
    places[name] = new
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

private struct OfferKey: Hashable {
  var kind: PeriodKind
  var offer: String?
  var product: ProductID
}

extension FactSum {
  /// The same rows, of which the amount is taken off.
  fileprivate var taken: FactSum {
    let converted = Converted(micros: 0 - converted.micros, unconverted: converted.unconverted)
    return FactSum(count: count, micros: 0 &- micros, converted: converted)
  }
}
