import Foundation
import GRDB
import ReceiptStore
import Subscriptions
import TestSupport

/// Copy of a store with a row in every table, for changes that subtop never makes.
struct CraftedStore {
  let folder = TemporaryFolder()
  var path: String { folder.file("store.sqlite") }

  init() throws {
    try FileManager.default.copyItem(atPath: Self.whole.get().1, toPath: path)
  }

  func write(_ sql: String, foreignKeys: Bool = false) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = foreignKeys
    try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { db in
      // Needed if SQLite was built with a protected schema.
      try db.execute(sql: "PRAGMA writable_schema = ON; \(sql)")
    }
  }

  func count(_ rows: String) throws -> Int {
    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(rows)") ?? 0 }
  }

  /// Writes an SQL expression that the column's declaration forbids, which SQLite only checks on writing.
  func fill(_ column: Column, with value: String) throws {
    let its = "type = 'table' AND name = '\(column.table)'"
    let sql = try DatabaseQueue(path: path).read {
      try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE \(its)") ?? ""
    }
    let loose = sql.replacing(") STRICT, ", with: ") ").replacing(") STRICT", with: ")").replacing(
      " NOT NULL", with: "")
    try write("UPDATE sqlite_schema SET sql = '\(loose.replacing("'", with: "''"))' WHERE \(its)")
    try write("UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)")
    try write("UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE \(its)")
  }

  struct Column: Hashable {
    var table: String
    var name: String
  }

  static let columns: [Column] =
    (try? DatabaseQueue(path: whole.get().1).read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' ORDER BY m.name, c.cid
          """
      ).map { Column(table: $0[0], name: $0[1]) }
    }) ?? []

  private static let whole = Result {
    let lived = try LivedWorld(3, .converted)
    let (store, folder) = (lived.store, TemporaryFolder())
    let sweep = try store.beginSweep(.all, by: "test", at: lived.last)
    _ = try store.claim(
      .all, for: sweep, started: lived.last, after: nil, limit: 1, lease: 60_000, at: lived.last)
    let trial = monthly("n", 0, 30) { $0.isTrialPeriod = true }
    var notification = makeNotification(.didRenew, trial, receivedAt: lived.last)
    notification.facts.cancellationDate = day(20)
    _ = try store.add([notification], at: lived.last)
    try lived.shelf.write(
      """
      INSERT INTO receipts (fingerprint, imported_at_ms, dead_reason, dead_at_ms) VALUES ('f', 0, 'gone', 0);
      INSERT INTO customers SELECT id, 'c', 'r', 'Production' FROM receipts LIMIT 1;
      INSERT INTO gone_receipts SELECT id, 0 FROM receipts LIMIT 1;
      INSERT INTO latest_receipts SELECT id, 'MII', 0 FROM receipts LIMIT 1;
      INSERT INTO inbox (digest, uuid, received_at_ms, body) VALUES ('d', 'u', 0, '{}');
      INSERT INTO backfills VALUES ('app', 'Production', 0, 0, 1);
      INSERT INTO alerts VALUES ('a', 'refunds > 5', 0, 0, NULL, NULL);
      INSERT INTO sweeps (started_at_ms, last_seen_at_ms, finished_at_ms, picked, validated, latency_p50_ms, latency_p95_ms)
        VALUES (0, 1, 1000, 30, 30, 1, 2);
      INSERT INTO sweep_statuses VALUES (2, 21005, 1, 0, 1);
      INSERT INTO sweep_http VALUES (2, 503, 1);
      INSERT INTO sweep_stopped_apps VALUES (2, 'app', 'key', 'k', 1);
      INSERT INTO sweep_receipts SELECT 2, id, 'changed', 0, 'r' FROM receipts LIMIT 1;
      INSERT INTO due_policy SELECT 'd' WHERE NOT EXISTS (SELECT 1 FROM due_policy);
      INSERT INTO signed_terms SELECT id, 0, 9990000, 'EUR', 0, 'DEU', 'PURCHASE', 'P1M', 'w', 'b', 1700000000000, 0, 'FULL', 1000, NULL, 0,
        'a', 0, 1, 12, 0, 1, 1, 'FREE_TRIAL' FROM transaction_rows;
      INSERT INTO renewal_terms SELECT chain_id, 'monthly', expires_date_ms, 0, 9990000, 'EUR', 0, 0, 'w', 'b', 'p', 1, 'b', 0, 1, 1
        FROM transaction_rows WHERE expires_date_ms IS NOT NULL GROUP BY chain_id;
      INSERT INTO signed_headers (header) VALUES ('h');
      INSERT INTO signed_rows SELECT chain_id, id, '', 0, 1, 'p', 's' FROM transaction_rows;
      INSERT INTO transaction_sightings SELECT id, 0, 5, 6, 1700000000000, 1700000000000, '1', 0, 0 FROM transaction_rows WHERE true
        ON CONFLICT DO NOTHING;
      """)
    try store.rebuild()
    try store.backUp(to: folder.file("whole.sqlite"), replacing: false)
    return (folder, folder.file("whole.sqlite"))
  }
}

extension CraftedStore {
  /// - Returns: Messages of the operations that failed.
  func use() -> [String] {
    var said: [String] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { said.append("\(error)") }
    }
    attempt {
      let store = try ReceiptStore(path: path, access: .existing)
      for use in Self.reports + Self.questions + Self.lists + Self.writing { attempt { try use(store) } }
    }
    return said
  }

  private static let now = day(130)
  private typealias Use = (ReceiptStore) throws -> Void

  private static var reports: [Use] {
    Panel.allCases.flatMap { panel -> [Use] in
      let asked = Question(panel: panel, at: now, windowDays: 100, environment: .all)
      var then = asked
      then.asKnownThen = true
      let known = then
      return [
        { _ = try $0.report(asked) }, { _ = try $0.report(known) }, { _ = try $0.rows(behind: asked) },
      ]
    }
  }

  private static var questions: [Use] {
    [
      { _ = try $0.status(at: now, check: true, withQueue: true) },
      { _ = try $0.status(at: now, asOf: day(60)) },
      { _ = try $0.evidenceLedger() }, { _ = try $0.quickCheck() },
      { _ = try $0.estimate(of: .all, at: now) },
      { store in
        for id in ["u1", "u2", "u0", "n"] {
          _ = try store.chains(matching: id, at: now)
          _ = try store.chains(matching: id, at: now, asKnownThen: true)
          _ = try store.signedRows(matching: id)
        }
      },
      { store in
        for id in 1...4 as ClosedRange<Int64> { _ = try store.chains(of: ReceiptID(rawValue: id), at: now) }
      },
    ]
  }

  private static var lists: [Use] {
    let receipts: [ReceiptQuestion] = [
      .due(), .failed(nil), .dead(nil), .inProgress, .status(0), .ofSweep(SweepID(rawValue: 2)),
    ]
    return [
      { _ = try $0.sweeps(limit: 10, at: now) }, { _ = try $0.inbox(atMost: 10) }, { _ = try $0.apps() },
      { _ = try $0.suggestions(for: "1", while: { true }) },
      { _ = try $0.suggestions(for: "pl", while: { true }) },
      { _ = try $0.knownNames() }, { _ = try $0.cohortOrigins() }, { _ = try $0.askableContents() },
      { _ = try $0.notBefore(at: now, longest: Milliseconds.day) },
      { _ = try $0.backfilled(BundleID("app"), in: .production, onlyFailures: false) },
      { _ = try $0.remembered([try AlertTests.state(.raised)]) },
      { store in for question in receipts { _ = try store.receipts(question, limit: 10, at: now) } },
    ]
  }

  private static var writing: [Use] {
    [
      { store in
        let sweep = try store.beginSweep(.all, by: "test", at: now)
        let claim = try store.claim(
          .all, for: sweep, started: now, after: nil, limit: 20, lease: 60_000, at: now)
        for receipt in claim.receipts {
          let answer = makeAnswer(at: now, monthly("n", 0, 30), monthly("m", 30, 160))
          let result = ReceiptOutcome.Result.answered(answer, status: 0, isPartial: true)
          _ = try store.record([ReceiptOutcome(receipt: receipt.id, result: result)], of: sweep, at: now)
        }
        try store.finish(sweep, SweepSummary(started: now, elapsed: 0, counts: SweepCounts()), at: now)
      },
      { _ = try $0.add([makeNotification(.didRenew, monthly("k", 60, 90), receivedAt: now)], at: now) },
      { _ = try $0.add([ImportedReceipt(data: ReceiptData(trusted: "MIInew"))], at: now) },
      { _ = try $0.takeUp([try AlertTests.state(.raised)], hasRecipient: true, patience: 1, at: now) },
      { _ = try $0.add([CatalogEntry.make("monthly", 1_000_000, group: "G", level: 2, from: day(90))]) },
      { _ = try $0.add(LivedWorld.rates(5), reporting: CurrencyCode("USD")) }, { try $0.rebuild() },
    ]
  }
}
