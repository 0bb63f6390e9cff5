import GRDB
import Subscriptions

/// What had been observed by an instant: every chain as the store knew it then.
struct EvidenceAsOf {
  private let db: Database
  let knownAt: Instant
  private let shapes: Shapes

  /// - Parameter knownAt: by default everything that the store knows.
  init(db: Database, knownAt: Instant = .distantFuture) {
    (self.db, self.knownAt) = (db, knownAt)
    shapes = Shapes(db: db)
  }

  /// Whether something was observed after an instant.
  static func isOlder(_ t: Instant, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM chains WHERE validated_at_ms > ?1)
          OR EXISTS (SELECT 1 FROM chains WHERE gone_at_ms > ?1)
          OR EXISTS (SELECT 1 FROM signed_terms WHERE signed_at_ms > ?1)
        """, arguments: [t])
      ?? false
  }

  func population(catalog: Catalog) throws -> Population {
    var chains: [Chain] = []
    var last = Int64.min
    while let page = try page(after: &last) { chains += page.compactMap { $0.observed(by: knownAt) } }
    return Population(chains, receipts: try receipts(), catalog: catalog)
  }

  /// Answers from everything that was known, on all processors: this thread reads, and derives what the others cannot keep up with.
  func report(_ question: Question, catalog: Catalog) throws -> Report {
    var ledger = QuestionLedger(question, catalog: catalog)
    let helpers = LedgerHelpers(ledger)
    var last = Int64.min
    while let page = try page(after: &last) {
      if !helpers.take(page, knownAt: knownAt) { ledger.add(page, knownAt: knownAt) }
    }
    helpers.finish(into: &ledger)
    return ledger.report(receipts: try receipts())
  }

  /// The next chains in the order of their numbers; nil at the end.
  private func page(after last: inout Int64) throws -> [ChainEvidence]? {
    let page = try ChainEvidence.fetch(
      .fetch(after: last, atMost: 200, db), knownAt: knownAt, shapes, db)
    guard let newest = page.last else { return nil }
    last = newest.record.id
    return page
  }

  private func receipts() throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts") ?? 0 }

  /// Chains in the order of their numbers, without those of which nothing had been observed.
  func chains(_ records: [ChainRecord]) throws -> [Chain] {
    try ChainEvidence.fetch(ChainPage(records), knownAt: knownAt, shapes, db).compactMap {
      $0.observed(by: knownAt)
    }
  }

  /// Nil where nothing of the chain had been observed.
  func chain(_ record: ChainRecord) throws -> Chain? {
    try ChainEvidence.fetch(ChainPage([record]), knownAt: knownAt, shapes, db)[0].observed(by: knownAt)
  }
}
