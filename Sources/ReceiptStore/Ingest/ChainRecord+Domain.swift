import GRDB
import Subscriptions

extension ChainRecord {
  /// The chain in the domain's terms, as it was known at an instant.
  func domain(
    _ transactions: [StoredTransaction], _ renewals: [StoredRenewal], knownAt: Instant = .distantFuture,
    _ db: Database
  ) throws -> Chain {
    let log = try log(db)
    let known = log.known(at: knownAt)
    var chain = Chain(
      environment: environment, originalTransactionID: original,
      renewals: renewals.map(\.observation).filter { $0.observedAt <= knownAt }, validatedAt: known.all.last)
    try add(transactions, to: &chain, log: log, knownAt: knownAt, db)
    chain.notifications = try NotificationRecord.fetch(chain: self, knownAt: knownAt, db)
    chain.goneAt = goneAt.flatMap { $0 <= knownAt ? $0 : nil }
    chain.hold(try holders(knownAt: knownAt, db))
    chain.bundleID = try bundleID(db)
    chain.renewalTerms = try StoredRenewalTerms(db: db).fetch(chain: self, knownAt: knownAt)
    chain.renewalsConfirmedAt = known.withRenewals.last
    (chain.validations, chain.renewalValidations) = (known.all.sorted, known.withRenewals.sorted)
    return chain
  }

  /// A chain of which nothing is in the store but who holds it.
  func empty(_ db: Database) throws -> Chain {
    var chain = Chain(environment: environment, originalTransactionID: original)
    chain.goneAt = goneAt
    chain.hold(try holders(knownAt: .distantFuture, db))
    chain.bundleID = try bundleID(db)
    return chain
  }

  /// The transactions with the ends that they were known to have.
  private func add(
    _ transactions: [StoredTransaction], to chain: inout Chain, log: ValidationLog, knownAt: Instant,
    _ db: Database
  ) throws {
    let histories = try StoredHistories(chain: self, log: log, db)
    for stored in transactions where stored.sighting.first <= knownAt {
      var (row, sighting) = (stored.transaction, stored.sighting)
      row.terms = row.terms?.known(at: knownAt)
      let sightings = histories.sightings(of: stored)
      if sightings.haveChanged {
        let ends = sightings.known(at: knownAt, log: log).knownEnds(log)
        guard let (first, present) = ends.first.flatMap({ first in ends.last.map { (first, $0) } }) else {
          continue
        }
        row.ends = present.ends
        sighting = Sighting(first: first.from, latest: present.from)
        if ends.count > 1 { chain.endsHistory[row.transactionID] = ends }
      }
      chain.transactions.append(row)
      chain.sightings[row.transactionID] = sighting
    }
  }

  /// The app of the receipts that hold the chain.
  private func bundleID(_ db: Database) throws -> BundleID? {
    let statement = try db.cachedStatement(sql: "SELECT \(Self.bundleID(ofChain: "?"))")
    return try BundleID.fetchOne(statement, arguments: [id])
  }

  /// The same as an SQL expression.
  static func bundleID(ofChain chain: String) -> String {
    """
    (SELECT q.bundle_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
      WHERE k.chain_id = \(chain) AND q.bundle_id IS NOT NULL ORDER BY q.id LIMIT 1)
    """
  }
}

extension Chain {
  mutating func hold(_ holders: [AppUserID: Instant]) {
    self.holders = holders
    users = Set(holders.keys)
  }
}
