/// Everything that the figures are computed from: lines, one-time purchases, and how many receipts hold them.
///
/// `MemoryLedger` answers from it; the store answers the same questions from its derived rows, and a test holds the two equal.
public struct Population: Sendable {
  public var lines: [Line]
  public var oneTime: [OneTimePurchase]
  /// What happened to chains apart from their lines.
  public var chainEvents: [LineEvent]
  public var receipts: Int
  public var catalog: Catalog

  public init(_ chains: [Chain], receipts: Int, catalog: Catalog) {
    lines = chains.flatMap { $0.lines(catalog: catalog) }
    oneTime = chains.flatMap { chain in
      chain.oneTime.map { OneTimePurchase(chain: chain, transaction: $0) }
    }
    chainEvents = chains.flatMap(\.ownEvents)
    self.receipts = receipts
    self.catalog = catalog
  }

  /// METRICS §1.5.
  func lines(in question: Question) -> [Line] {
    lines.filter { question.environment.contains($0.id.environment) && !$0.isFamilyShared }
  }

  /// Each once.
  func events(where isIncluded: (LineEvent) -> Bool) -> Set<LineEvent> {
    var events = Set(chainEvents.filter(isIncluded))
    for line in lines { events.formUnion(line.events.filter(isIncluded)) }
    return events
  }
}

/// What of a population is no sum, whoever adds up the rest.
extension Population {
  /// `Ledger.corrections`.
  func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    guard family == .due || family == .bought else { return [] }
    return lines.flatMap { line in
      line.rows.flatMap { row -> [Correction] in
        guard row.refundedAt.map({ $0 > window.to }) ?? line.mayYetPay(for: row, at: window.to) else {
          return []
        }
        let known = CountedRow(row, of: line, catalog)
        let then = CountedRow(row, of: line, catalog, at: window.to)
        return zip(known.facts, then.facts).flatMap { old, new -> [Correction] in
          guard old.kind != new.kind, old.kind.family == family, let at = known.dates[old.date],
            window.contains(at)
          else { return [] }
          let (place, sum) = (window.stretch(of: at), old.sum(known.dates, catalog.exchange))
          return [
            Correction(place: place, kind: old.kind, sum: -sum),
            Correction(place: place, kind: new.kind, sum: sum),
          ]
        }
      }
    }
  }

  func failing(_ question: Question) -> FailingLines {
    FailingLines(
      users: users(.billingRetry, question), usersInGrace: users(.grace, question), rows: retrying(question))
  }

  private func users(_ state: LineState, _ question: Question) -> Int {
    standing(state, question).reduce(into: Set<String>()) { $0.formUnion($1.line.userKeys) }.count
  }

  private func retrying(_ question: Question) -> [UnpaidEntry] {
    let entries = standing(.billingRetry, question).map { line, row in
      UnpaidEntry(
        originalTransactionId: line.id.originalTransactionID, appUserId: line.users.min(),
        productId: row.productID, expired: row.expires, storefront: row.storefront, at: question.at)
    }
    return Array(entries.sorted(by: UnpaidEntry.inOrder).prefix(question.limit))
  }

  func pendingConsents(_ question: Question) -> [PendingConsent] {
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

  func upgrades(_ question: Question) -> [UpgradeEntry] {
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

  private func standing(_ state: LineState, _ question: Question) -> [(line: Line, row: Row)] {
    lines(in: question).compactMap { line in
      guard let position = line.timeline.position(at: question.at), position.state == state else {
        return nil
      }
      let row = line.rows[position.row]
      return question.includes(row.productID, row.storefront) ? (line, row) : nil
    }
  }
}
