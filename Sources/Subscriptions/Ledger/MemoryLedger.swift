/// The ledger of lines in memory: what every other one is held against, and what answers for what was known at a past instant.
public struct MemoryLedger: Ledger {
  private let population: Population
  /// In order of time.
  private let changes: [(at: Instant, kind: ChangeClass, sum: Turnover)]
  private let facts: [FactFamily: [Fact]]

  /// - Parameter families: of facts that it is to know; nil is all of them.
  public init(_ population: Population, _ families: Set<FactFamily>? = nil) {
    self.population = population
    changes = population.lines.filter { !$0.isFamilyShared }.flatMap(\.entries).compactMap { span in
      span.entry.map { (span.span.from, $0.kind, $0.sum) }
    }.sorted { $0.at < $1.at }
    let facts = population.facts(families ?? Set(FactFamily.allCases))
    self.facts = Dictionary(grouping: facts, by: \.kind.family).mapValues { $0.sorted { $0.at < $1.at } }
  }

  public func changes(after start: Instant?, through end: Instant) -> [ChangeClass: Turnover] {
    changes.part(after: start, through: end, \.at).reduce(into: [:]) { sums, change in
      sums[change.kind, default: Turnover()] += change.sum
    }
  }

  public func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) -> [FactClass: FactSum] {
    let sums = (facts[family] ?? []).part(after: start, through: end, \.at).reduce(
      into: [FactClass: FactSum]()
    ) { sums, fact in sums[fact.kind, default: FactSum()] += fact.sum }
    return sums.filter { !$0.value.isZero }
  }

  public func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    guard family == .due || family == .bought else { return [] }
    return population.lines.flatMap { line in
      line.rows.flatMap { row -> [Correction] in
        guard row.refundedAt.map({ $0 > window.to }) ?? line.mayYetPay(for: row, at: window.to) else {
          return []
        }
        let known = CountedRow(row, of: line, population.catalog)
        let then = CountedRow(row, of: line, population.catalog, at: window.to)
        return zip(known.facts, then.facts).flatMap { old, new -> [Correction] in
          guard old.kind != new.kind, old.kind.family == family, let at = known.dates[old.date],
            window.contains(at)
          else { return [] }
          let (place, sum) = (window.stretch(of: at), old.sum(known.dates, population.catalog.exchange))
          return [
            Correction(place: place, kind: old.kind, sum: -sum),
            Correction(place: place, kind: new.kind, sum: sum),
          ]
        }
      }
    }
  }

  public func receipts() -> Int { population.receipts }

  public func users(_ state: LineState, _ question: Question) -> Int {
    standing(state, question).reduce(into: Set<String>()) { $0.formUnion($1.line.userKeys) }.count
  }

  public func failing(_ question: Question) -> [BillingRetryFigures.Entry] {
    let entries = standing(.billingRetry, question).map { line, row in
      BillingRetryFigures.Entry(
        originalTransactionId: line.id.originalTransactionID, appUserId: line.users.min(),
        productId: row.productID, expired: row.expires, storefront: row.storefront, at: question.at)
    }
    return Array(entries.sorted(by: BillingRetryFigures.inOrder).prefix(question.limit))
  }

  public func upgrades(_ question: Question) -> [UpgradeFigures.Entry] {
    let entries = population.lines(in: question).flatMap { line in
      line.rows.compactMap { row -> UpgradeFigures.Entry? in
        guard question.includes(row.productID), let upgrade = row.upgrade, let instant = upgrade.instant,
          question.window.contains(instant)
        else { return nil }
        return UpgradeFigures.Entry(
          originalTransactionId: line.id.originalTransactionID, transactionId: row.id,
          fromProductId: row.productID, toProductId: upgrade.successorProductID, kind: upgrade.direction,
          upgradedAtMs: instant, confirmed: upgrade.isConfirmed, price: row.price?.amount,
          proratedRefundMicros: upgrade.proratedRefund?.micros, storefront: row.storefront)
      }
    }
    return Array(entries.sorted(by: UpgradeFigures.inOrder).prefix(question.limit))
  }

  public func events(_ question: Question) -> [LineEvent] {
    let events = population.events {
      question.includes($0.fact.kind) && question.window.contains($0.effectiveAt)
    }
    return Array(events.sorted(by: LineEvent.newestFirst).prefix(question.limit))
  }

  private func standing(_ state: LineState, _ question: Question) -> [(line: Line, row: Row)] {
    population.lines(in: question).compactMap { line in
      guard let position = line.timeline.position(at: question.at), position.state == state else {
        return nil
      }
      let row = line.rows[position.row]
      return question.includes(row.productID, row.storefront) ? (line, row) : nil
    }
  }
}

extension Array {
  /// Those in (start, end] of elements in order of time.
  fileprivate func part(
    after start: Instant?, through end: Instant, _ at: (Element) -> Instant
  ) -> ArraySlice<Element> {
    let first = start.map { start in lastPlace { at($0) <= start }.map { $0 + 1 } ?? 0 } ?? 0
    let last = lastPlace { at($0) <= end }.map { $0 + 1 } ?? 0
    return first < last ? self[first..<last] : []
  }
}

extension Population {
  /// Everything of some families.
  fileprivate func facts(_ families: Set<FactFamily>) -> [Fact] {
    var facts = lines.flatMap { $0.facts(catalog) }
    facts += oneTime.flatMap { CountedRow(oneTime: $0).datedFacts(catalog.exchange) }
    if families.contains(.event) { facts += events { _ in true }.map(\.fact) }
    return facts.filter { families.contains($0.kind.family) }
  }
}

extension Line {
  /// All that figures count of the line by dates, apart from its events.
  fileprivate func facts(_ catalog: Catalog) -> [Fact] {
    rows.flatMap { CountedRow($0, of: self, catalog).datedFacts(catalog.exchange) }
      + StandingLine(self).facts(validatedAt: validatedAt, catalog: catalog)
  }
}

extension LineEvent {
  /// What the event is counted as.
  public var fact: Fact {
    Fact(effectiveAt, FactClass(.event(newProduct: newProductID), environment, product: productID))
  }
}
