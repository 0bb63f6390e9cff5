/// In-memory ledger, computed from chains.
///
/// A ledger that is pruned for a question keeps only what the question's report needs: opening balances
/// instead of earlier changes, nothing after the question's instant, and only the lines that lists and
/// corrections read.
public struct EvidenceLedger: Ledger, Sendable {
  public let catalog: Catalog
  public var receiptCount = 0
  public private(set) var lines: [Line] = []
  public private(set) var oneTime: [OneTimePurchase] = []
  /// Events that belong to a chain, but to none of its lines.
  private var chainEvents: [LineEvent] = []

  /// Question that the ledger is pruned for; `nil` if it is not pruned.
  private let asked: Question?
  private let families: Set<FactFamily>
  private let episodeFamilies: [FactFamily]
  /// Families whose facts count only if they are dated after `start`.
  private let windowFamilies: Set<FactFamily>
  private let start: Instant
  private let end: Instant

  private var changes = DatedSums<ChangeClass, ChangeSum>()
  private var facts: [FactFamily: DatedSums<FactClass, FactSum>] = [:]
  private var episodes: [FactFamily: [Episode]] = [:]
  private var newestEvents: NewestEvents?
  private var cohortCounts = CohortCounts()

  /// Creates an unpruned ledger for questions about a panel or, if `nil`, about any panel.
  public init(_ chains: [Chain], receipts: Int = 0, catalog: Catalog, panel: Panel? = nil) {
    (self.catalog, receiptCount) = (catalog, receipts)
    asked = nil
    let panels = (panel.map { [$0] } ?? Panel.allCases).map { PanelCounting($0) }
    families = Set(panels.flatMap(\.familiesRead))
    episodeFamilies = panels.flatMap(\.episodeFamilies)
    windowFamilies = families
    (start, end) = (.distantPast, .distantFuture)
    for chain in chains { add(chain) }
  }

  public init(for question: Question, catalog: Catalog) {
    (self.catalog, asked) = (catalog, question)
    let counting = PanelCounting(question.panel)
    families = counting.familiesRead
    episodeFamilies = counting.episodeFamilies
    windowFamilies = Set(counting.families).union([.retry, .offer, .offerRevenue])
    start = question.panel == .recovery ? RecoveryCells(question).start : question.before.window.from
    end = question.at
    newestEvents = NewestEvents(question)
  }

  public mutating func add(_ chain: Chain) {
    let purchases = OneTimePurchase.all(of: chain)
    for purchase in purchases {
      for fact in CountedRow(oneTime: purchase).datedFacts(catalog.exchange) { add(fact) }
    }
    if let asked {
      // One purchase is enough, because a report shows only whether there are any purchases.
      if oneTime.isEmpty { oneTime += purchases.filter(asked.includes).prefix(1) }
    } else {
      oneTime += purchases
    }
    let since = keepsWholeLines ? Instant.distantPast : start
    let chainLines = chain.lines(catalog: catalog, since: since)
    for line in chainLines { add(line) }
    guard let asked else {
      chainEvents += chain.ownEvents
      guard families.contains(.event) else { return }
      for event in Set(chainLines.flatMap(\.events) + chain.ownEvents) { add(event.fact) }
      return
    }
    guard asked.asksForEvents, let last = chain.lastInstant(after: start, through: end),
      families.contains(.event) || (last > asked.window.from && newestEvents?.mayHold(last) ?? false)
    else { return }
    for event in chain.events(catalog: catalog) {
      add(event.fact)
      if asked.includes(event) { newestEvents?.add(event) }
    }
  }

  /// Adds the content of another ledger, which must be pruned for the same question.
  public mutating func add(_ other: EvidenceLedger) {
    changes.add(other.changes)
    for (family, sums) in other.facts { facts[family, default: DatedSums()].add(sums) }
    episodes.merge(other.episodes) { $0 + $1 }
    lines += other.lines
    oneTime += other.oneTime
    if let events = other.newestEvents { newestEvents?.add(events) }
    cohortCounts.add(other.cohortCounts)
  }

  /// Whether the full history of lines is needed: for cohorts, and because requests for consent may be old.
  private var keepsWholeLines: Bool { asked?.panel == .cohorts || episodeFamilies.contains(.consent) }

  private mutating func add(_ line: Line) {
    for fact in StandingLine(line, at: asked?.at).facts(validatedAt: line.validatedAt, catalog: catalog) {
      add(fact)
    }
    if !line.isFamilyShared {
      if asked?.panel == .cohorts, let asked { cohortCounts.add(line, asked) }
      addChanges(of: line)
      for place in line.rows.indices where line.rows[place].price == nil || isCounted(line.rows[place]) {
        for fact in CountedRow(line.rows[place], of: line, catalog).datedFacts(catalog.exchange) { add(fact) }
      }
      addEpisodes(of: line)
    }
    if asked.map({ !line.isFamilyShared && line.isListed(for: $0) }) ?? true { lines.append(line) }
  }

  private mutating func addChanges(of line: Line) {
    let entries = line.entries(through: end)
    for entry in entries[(entries.lastPlace { $0.span.from <= start } ?? 0)...] {
      if entry.span.from <= start {
        let position = entry.position
        changes.add(
          ChangeSum(
            lines: 1, monthlyAfter: Int128(position.monthlyMicros), convertedAfter: position.converted),
          of: ChangeClass(old: nil, new: position.kind, flow: nil), at: start)
      } else if let (kind, sum) = entry.entry {
        changes.add(sum, of: kind, at: entry.span.from)
      }
    }
  }

  private mutating func addEpisodes(of line: Line) {
    for family in episodeFamilies {
      let selected = line.episodes(family, catalog).filter { episode in
        episode.from <= end && (episode.from > start || episode.outcome(at: end) == .lasts)
      }
      if !selected.isEmpty { episodes[family, default: []] += selected }
      for fact in selected.lazy.flatMap(\.facts) { add(fact) }
    }
  }

  private mutating func add(_ fact: Fact) {
    let family = fact.kind.family
    guard fact.at <= end, families.contains(family), fact.at > start || !windowFamilies.contains(family)
    else { return }
    facts[family, default: DatedSums()].add(fact.sum, of: fact.kind, at: fact.at)
  }

  private func isCounted(_ row: Row) -> Bool {
    func isIn(_ t: Instant?) -> Bool { t.map { $0 > start && $0 <= end } ?? false }
    return isIn(row.purchase) || isIn(row.expires) || isIn(row.deadFrom)
      || isIn(row.transaction.cancellationDate)
  }

  // MARK: Answers

  public func changes(after start: Instant?, through end: Instant) -> [ChangeClass: ChangeSum] {
    changes.sums(after: start, through: end)
  }

  public func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) -> [FactClass: FactSum] {
    facts[family]?.sums(after: start, through: end) ?? [:]
  }

  public func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    guard family == .due || family == .bought else { return [] }
    return lines.flatMap { line in
      line.rows.flatMap { row -> [Correction] in
        guard row.refundedAt.map({ $0 > window.to }) ?? line.mayYetPay(for: row, at: window.to) else {
          return []
        }
        let known = CountedRow(row, of: line, catalog)
        let then = CountedRow(row, of: line, catalog, at: window.to)
        return zip(known.facts, then.facts).flatMap { old, new -> [Correction] in
          guard old.kind != new.kind, old.kind.family == family, let at = known.dates[keyPath: old.date],
            window.contains(at)
          else { return [] }
          let (place, sum) = (window.stretch(of: at), old.sum(known.dates, catalog.exchange))
          return [(place, old.kind, -sum), (place, new.kind, sum)]
        }
      }
    }
  }

  public func cohorts(_ question: Question) -> CohortCounts {
    asked == nil ? lines.reduce(into: CohortCounts()) { $0.add($1, question) } : cohortCounts
  }

  public func episodes(_ selection: EpisodeSelection) -> [EpisodeSum] {
    (episodes[selection.family] ?? []).sums(selection)
  }

  public func corrections(_ selection: EpisodeSelection) -> [EpisodeSum] {
    (episodes[selection.family] ?? []).corrections(selection)
  }

  public func receipts() -> Int { receiptCount }

  public func hasOneTimePurchases(_ question: Question) -> Bool { oneTime.contains(where: question.includes) }

  public func failing(_ question: Question) -> FailingLines {
    func standing(_ state: LineState) -> [(line: Line, row: Row)] {
      lines(in: question).compactMap { line in
        guard let position = line.timeline.position(at: question.at), position.state == state else {
          return nil
        }
        let row = line.rows[position.row]
        return question.includes(row.productID, row.storefront) ? (line, row) : nil
      }
    }
    func users(_ standing: [(line: Line, row: Row)]) -> Int {
      standing.reduce(into: Set<String>()) { $0.formUnion($1.line.userKeys) }.count
    }
    let retrying = standing(.billingRetry)
    let entries = retrying.map { line, row in
      UnpaidEntry(
        originalTransactionId: line.id.originalTransactionID, appUserId: line.users.min(),
        productId: row.productID, expired: row.expires, storefront: row.storefront, mrr: row.monthly,
        converted: row.monthly.flatMap(row.converted), at: question.at)
    }
    return (
      users(retrying), users(standing(.grace)),
      Array(entries.sorted(by: UnpaidEntry.inOrder).prefix(question.limit))
    )
  }

  public func pendingConsents(_ question: Question) -> [PendingConsent] {
    let t = question.at
    let pending = lines(in: question).flatMap { line in
      line.pendingConsents.filter { $0.outcome(at: t) == .lasts && question.includes($0.kind) }.map {
        PendingConsent(
          line.id.originalTransactionID, user: line.users.min(), product: $0.kind.product,
          expires: line.rows[$0.row].expires, at: t)
      }
    }
    return Array(pending.sorted(by: PendingConsent.inOrder).prefix(question.limit))
  }

  public func upgrades(_ question: Question) -> [UpgradeEntry] {
    let entries = lines(in: question).flatMap { line in
      line.rows.compactMap { row -> UpgradeEntry? in
        guard question.includes(row.productID), let upgrade = row.upgrade, let instant = upgrade.instant,
          question.window.contains(instant)
        else { return nil }
        return UpgradeEntry(
          originalTransactionId: line.id.originalTransactionID, transactionId: row.id,
          fromProductId: row.productID, toProductId: upgrade.successorProductID, kind: upgrade.direction,
          upgradedAtMs: instant, confirmed: upgrade.isConfirmed, price: row.price?.amount,
          proratedRefundMicros: upgrade.proratedRefund?.single, storefront: row.storefront)
      }
    }
    return Array(entries.sorted(by: UpgradeEntry.inOrder).prefix(question.limit))
  }

  public func events(_ question: Question) -> [LineEvent] {
    if let newestEvents { return newestEvents.listed }
    var newest = NewestEvents(question)
    let events = Set(chainEvents + lines.flatMap(\.events))
    for event in events where question.includes(event) { newest.add(event) }
    return newest.listed
  }

  /// Returns the purchased lines in the question's environment (METRICS §1.5).
  private func lines(in question: Question) -> [Line] {
    lines.filter { question.environment.contains($0.id.environment) && !$0.isFamilyShared }
  }

  // MARK: Rows

  /// Returns the rows behind a panel's figures, or behind one figure, from an unpruned ledger.
  public func rows(_ question: Question, figure: String? = nil) -> FigureRows {
    let lines = lines(in: question)
    func newest(_ rows: [FigureRow]) -> [FigureRow] {
      Array(rows.sorted(by: FigureRow.order(behind: figure)).prefix(question.limit))
    }
    if question.panel == .cohorts {
      let cell = figure.flatMap(CohortCell.init(path:))
      let rows = lines.compactMap { $0.cohortRow(question, cell) }
      return FigureRows(count: rows.count, rows: newest(rows), behind: cell, question, cohorts(question))
    }
    let rows = self.rows(of: lines, question).filter { figure.map($0.figures.contains) ?? true }
    var found = FigureRows(
      count: rows.count, rows: newest(rows), behind: figure, question, sums(of: question.window),
      DatedCounts(question, from: self, summingRowsBehind: figure))
    if let figure, DueHorizon.of(figure) != nil {
      let facts = FactRows(question, catalog)
      found.forecast = lines.compactMap(facts.due).filter { $0.row.figures.contains(figure) }
        .reduce(into: RenewalForecast(in: question.reportingCurrency)) { $0.add($1.fact, at: $1.row.at) }
    }
    return found
  }

  private func rows(of lines: [Line], _ question: Question) -> [FigureRow] {
    let (counting, facts) = (PanelCounting(question.panel), FactRows(question, catalog))
    let (families, episodes) = (Set(facts.families), EpisodeCounting(question))
    var rows: [FigureRow] = []
    for line in lines {
      rows += counting.rows(of: line, question)
      rows += facts.rows(of: line, families)
      if facts.hasDueLines, let due = facts.due(line) { rows.append(due.row) }
      rows += episodes.rows(of: line, episodes.families, catalog)
    }
    return rows + oneTime.compactMap(facts.row)
  }
}

extension Question {
  fileprivate func includes(_ purchase: OneTimePurchase) -> Bool {
    environment.contains(purchase.environment) && purchase.transaction.purchaseDate <= at
  }
}

extension Line {
  /// Whether a list or a correction of a report may contain the line.
  fileprivate func isListed(for question: Question) -> Bool {
    if question.panel == .offers { return pendingConsents.contains { $0.outcome(at: question.at) == .lasts } }
    for t in [question.at, question.window.from] {
      if timeline.position(at: t)?.state.mayYetPay ?? false { return true }
    }
    return rows.contains { row in
      row.refundedAt.map { $0 > question.window.from } ?? false
        || (question.panel == .upgrades && row.upgrade?.instant.map(question.window.contains) ?? false)
    }
  }
}

struct DatedSums<Class: Hashable & Sendable, Sum: LedgerSum>: Sendable {
  /// Distinct classes, so that equal classes of entries share storage.
  private var classes: Set<Class> = []
  private var entries: [(at: Instant, kind: Class, sum: Sum)] = []

  mutating func add(_ sum: Sum, of kind: Class, at t: Instant) {
    entries.append((t, classes.insert(kind).memberAfterInsert, sum))
  }

  mutating func add(_ other: Self) {
    for entry in other.entries { add(entry.sum, of: entry.kind, at: entry.at) }
  }

  func sums(after start: Instant?, through end: Instant) -> [Class: Sum] {
    var sums: [Class: Sum] = [:]
    for entry in entries where entry.at <= end && start.map({ entry.at > $0 }) ?? true {
      sums[entry.kind, default: Sum()] += entry.sum
    }
    return sums.filter { !$0.value.isZero }
  }
}
