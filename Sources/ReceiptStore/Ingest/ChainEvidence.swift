import GRDB
import Subscriptions

struct ChainEvidence: Sendable {
  var record: ChainRecord
  var transactions: [StoredTransaction]
  var renewals: [(rowID: Int64, observation: RenewalObservation)]
  /// Intervals of equal values of a transaction; none if it never changed and only full answers showed it.
  var runs: [StoredRun]
  var notifications: [ServerNotification]
  var renewalTerms: [RenewalTerms]
  var holders: ChainHolders

  /// Log of the chain's validations, decoded on each access, so that parallel derivations decode in parallel.
  var log: ValidationLog { record.log }

  /// Returns the page of chains after the id `last`, and sets `last` to the page's last id; `nil` at the end.
  static func fetch(
    after last: inout Int64, knownAt: Instant = .distantFuture, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [ChainEvidence]? {
    let page = try fetch(.fetch(after: last, atMost: 200, db), knownAt: knownAt, shapes, db)
    guard let newest = page.last else { return nil }
    last = newest.record.id
    return page
  }

  static func fetch(
    _ page: ChainPage, knownAt: Instant = .distantFuture, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [ChainEvidence] {
    let transactions = try StoredTransaction.fetch(page, knownAt: knownAt, shapes, db)
    let renewals = try StoredRenewal.fetch(page, db)
    let runs = try StoredRun.fetch(page, db)
    let notifications = try NotificationRecord.fetch(page, db)
    let terms = try StoredRenewalTerms(db: db).fetch(page)
    let holders = try ChainHolders.fetch(page, db)
    return page.records.indices.map { place in
      ChainEvidence(
        record: page.records[place], transactions: transactions[place], renewals: renewals[place],
        runs: runs[place], notifications: notifications[place], renewalTerms: terms[place],
        holders: holders[place])
    }
  }

  /// Returns the chain as it was known at an instant, or `nil` if nothing had been observed.
  func observed(by t: Instant) -> Chain? {
    let chain = domain(knownAt: t)
    return chain.transactions.isEmpty && chain.renewals.isEmpty && chain.notifications.isEmpty ? nil : chain
  }

  func domain(knownAt: Instant = .distantFuture) -> Chain {
    let log = log
    let known = log.known(at: knownAt)
    var chain = Chain(
      environment: record.environment, originalTransactionID: record.original,
      renewals: renewals.map(\.observation).filter { $0.observedAt <= knownAt }, validatedAt: known.all.last)
    chain.notifications = notifications.filter { $0.observedAt <= knownAt }
    add(to: &chain, log: log, knownAt: knownAt)
    chain.goneAt = record.goneAt.flatMap { $0 <= knownAt ? $0 : nil }
    chain.holders = holders.users.filter { $0.value <= knownAt }
    (chain.users, chain.bundleID) = (Set(chain.holders.keys), holders.app)
    chain.renewalTerms = renewalTerms.filter { $0.signedAt <= knownAt }
    chain.renewalsConfirmedAt = known.withRenewals.last
    (chain.validations, chain.renewalValidations) = (known.all.sorted, known.withRenewals.sorted)
    return chain
  }

  private func add(to chain: inout Chain, log: ValidationLog, knownAt: Instant) {
    // Most chains need no histories, because their transactions never changed. A refund reversal names only
    // one id of a purchase, so the sightings of its other ids are needed, too.
    let isReversed = chain.notifications.contains { $0.type == .refundReversed }
    let histories = runs.isEmpty && !isReversed ? nil : StoredHistories(runs, log: log)
    for stored in transactions where stored.sighting.first <= knownAt {
      var (row, sighting) = (stored.transaction, stored.sighting)
      // Assign only if there are terms, because any assignment copies shared storage.
      if let terms = row.terms { row.terms = terms.known(at: knownAt) }
      if let histories, case let sightings = histories.sightings(of: stored),
        sightings.haveChanged || isReversed
      {
        let ends = sightings.known(at: knownAt, log: log).knownEnds(log)
        guard let (first, present) = ends.first.flatMap({ first in ends.last.map { (first, $0) } }) else {
          continue
        }
        row.ends = present.ends
        sighting = Sighting(first: first.from, latest: present.from)
        if ends.count > 1 || isReversed { chain.endsHistory[row.transactionID] = ends }
      }
      chain.transactions.append(row)
      chain.sightings[row.transactionID] = sighting
    }
  }
}
