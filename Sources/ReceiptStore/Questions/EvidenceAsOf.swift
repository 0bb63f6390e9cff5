import Dispatch
import GRDB
import Glibc
import Subscriptions
import Synchronization

private final class PartialLedger: Sendable {
  let ledger: Mutex<EvidenceLedger>
  init(_ empty: EvidenceLedger) { ledger = Mutex(empty) }
}

/// Reads evidence as it was known at an instant, and derives chains, ledgers and reports from it.
struct EvidenceAsOf {
  private let db: Database
  let knownAt: Instant
  private let shapes: AttributeDictionary

  init(db: Database, knownAt: Instant = .distantFuture) {
    (self.db, self.knownAt) = (db, knownAt)
    shapes = AttributeDictionary(db: db)
  }

  /// Returns whether a validation, the end of an account or signed data is newer than an instant.
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

  /// - Parameter panel: Panel that the ledger is queried for; `nil` for all panels.
  func ledger(catalog: Catalog, panel: Panel? = nil) throws -> EvidenceLedger {
    var chains: [Chain] = []
    var last = Int64.min
    while let page = try ChainEvidence.fetch(after: &last, knownAt: knownAt, shapes, db) {
      chains += page.compactMap { $0.observed(by: knownAt) }
    }
    return EvidenceLedger(chains, receipts: try receipts(), catalog: catalog, panel: panel)
  }

  /// Computes a report from the evidence, deriving pages of chains in parallel, on up to four processors.
  func report(_ question: Question, catalog: Catalog) throws -> Report {
    var ledger = EvidenceLedger(for: question, catalog: catalog)
    let parts = (0..<max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))).map { _ in PartialLedger(ledger) }
    var last = Int64.min
    while true {
      var pages: [[ChainEvidence]] = []
      while pages.count < parts.count,
        let page = try ChainEvidence.fetch(after: &last, knownAt: knownAt, shapes, db)
      {
        pages.append(page)
      }
      if pages.isEmpty { break }
      DispatchQueue.concurrentPerform(iterations: pages.count) { [pages, knownAt] place in
        parts[place].ledger.withLock { ledger in
          for chain in pages[place].compactMap({ $0.observed(by: knownAt) }) { ledger.add(chain) }
        }
      }
    }
    for part in parts { ledger.add(part.ledger.withLock { $0 }) }
    ledger.receiptCount = try receipts()
    return ledger.report(question)
  }

  private func receipts() throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts") ?? 0 }

  func chains(_ records: [ChainRecord]) throws -> [Chain] {
    try ChainEvidence.fetch(ChainPage(records), knownAt: knownAt, shapes, db).compactMap {
      $0.observed(by: knownAt)
    }
  }

  func chain(_ record: ChainRecord) throws -> Chain? {
    try ChainEvidence.fetch(ChainPage([record]), knownAt: knownAt, shapes, db)[0].observed(by: knownAt)
  }
}
