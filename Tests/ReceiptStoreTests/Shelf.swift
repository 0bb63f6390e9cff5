import Foundation
import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

struct Shelf {
  let folder = TemporaryFolder()
  let store: ReceiptStore

  var path: String { folder.file("store.sqlite") }

  init(catalog: [CatalogEntry] = World.catalog, policy: DuePolicy = .standard) throws {
    store = try ReceiptStore(path: folder.file("store.sqlite"), policy: policy)
    _ = try store.add(catalog)
  }

  init(_ answer: Answer) throws {
    try self.init()
    try take(answer, for: try keep(someReceipt))
  }

  static func withReceipt() throws -> (Shelf, ReceiptID) {
    let shelf = try Shelf()
    return (shelf, try shelf.keep(someReceipt))
  }

  @discardableResult
  func keep(_ world: World) throws -> [ReceiptID] {
    try world.stories.map { try keep($0.receipt) }
  }

  func keep(_ receipt: ImportedReceipt, at now: Instant = day(-300)) throws -> ReceiptID {
    _ = try store.add([receipt], at: now)
    let fingerprint = try raw {
      try String.fetchAll($0, sql: "SELECT receipt_data FROM receipt_contents ORDER BY receipt_id")
    }
    let place = try #require(fingerprint.lastIndex(of: receipt.data?.base64 ?? ""))
    return ReceiptID(rawValue: Int64(place + 1))
  }

  func live(_ world: World, until t: Instant = .distantFuture) throws {
    let ids = try keep(world)
    let outcomes = zip(ids, world.stories).flatMap { id, story in
      story.outcomes.map { (at: $0.at, ReceiptOutcome(receipt: id, result: $0.result)) }
    }
    for (at, outcome) in outcomes.sorted(by: { $0.at < $1.at }) where at <= t {
      _ = try store.record([outcome], of: nil, at: at)
    }
  }

  /// Records an answer, by default at its request date.
  @discardableResult
  func take(
    _ answer: Answer, for receipt: ReceiptID, at now: Instant? = nil, isPartial: Bool = false
  ) throws -> RecordedOutcome {
    let result = ReceiptOutcome.Result.answered(answer, status: 0, isPartial: isPartial)
    let outcome = ReceiptOutcome(receipt: receipt, result: result)
    return try #require(try store.record([outcome], of: nil, at: now ?? answer.requestDate ?? day(0)).first)
  }

  /// Returns the receipts that a sweep would claim, and releases them.
  func claim(_ selection: SweepSelection, at now: Instant, limit: Int = 10) throws -> [DueReceipt] {
    let sweep = try store.beginSweep(selection, by: "test", at: now)
    let claim = try store.claim(
      selection, for: sweep, started: now, after: nil, limit: limit, lease: 60_000, at: now)
    try store.finish(sweep, SweepSummary(started: now, elapsed: 0, counts: SweepCounts()), at: now)
    return claim.receipts
  }

  func raw<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try DatabaseQueue(path: path).read(body)
  }

  /// Whether reports are computed from stored sums.
  func answersFromSums() throws -> Bool {
    try raw { try Bool.fetchOne($0, sql: "SELECT is_complete FROM ledger_state") } == true
  }

  func write(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  /// - Parameter series: Number of the series; all if `nil`.
  func changeSums(of series: Int? = nil, _ change: (inout PackedSums.Element) -> Void) throws {
    try DatabaseQueue(path: path).write { db in
      for row in try GRDB.Row.fetchAll(
        db, sql: "SELECT * FROM sums WHERE series = ifnull(?, series)", arguments: [series])
      {
        let packed: Data = row["packed"]
        var sums = try packed.withUnsafeBytes { try PackedSums.unpack($0) }
        for place in sums.indices { change(&sums[place]) }
        try db.execute(
          sql: "UPDATE sums SET packed = ? WHERE series = ? AND grain = ? AND at = ?",
          arguments: [
            Data(PackedSums.pack(sums)), row["series"] as Int64, row["grain"] as Int64, row["at"] as Int64,
          ])
      }
    }
  }

  /// Runs the body while another connection holds the write lock.
  func holding(_ body: () throws -> Void) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try body()
        return .rollback
      }
    }
  }

  /// Sorted rows of a table as text, without row numbers.
  func table(_ name: String, without left: Set<String> = ["id"]) throws -> [String] {
    try raw { db in
      try GRDB.Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { row in
        row.filter { !left.contains($0.0) }.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
      }.sorted()
    }
  }
}

func makeAnswer(
  at t: Instant, _ rows: Transaction..., infos: [RenewalInfo] = [], lagging: Set<TransactionID> = [],
  bundle: String? = "app"
) -> Answer {
  var answer = Answer(
    environment: .production, bundleID: bundle.map(BundleID.init), requestDate: t, transactions: rows)
  answer.renewalInfos = infos
  answer.lagging = lagging
  return answer
}

func monthly(
  _ id: String, _ from: Int, _ to: Int, change: (inout Transaction) -> Void = { _ in }
) -> Transaction {
  .make(id, purchase: day(from), expires: day(to), change: change)
}

let someReceipt = ImportedReceipt(data: ReceiptData(trusted: "MIIB"), appUserID: AppUserID("u"))

extension RecordedOutcome {
  var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
}
