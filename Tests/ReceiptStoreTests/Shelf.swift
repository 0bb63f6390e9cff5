import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// A store in a folder of its own, with the receipts of a world.
struct Shelf {
  let folder = TemporaryFolder()
  let store: ReceiptStore

  var path: String { folder.file("store.sqlite") }

  init(catalog: [CatalogEntry] = World.catalog) throws {
    store = try ReceiptStore(path: folder.file("store.sqlite"))
    _ = try store.add(catalog)
  }

  /// Keeps the receipts of a world, in its order, without an answer yet.
  @discardableResult
  func keep(_ world: World) throws -> [ReceiptID] {
    try world.stories.map { try keep($0.receipt) }
  }

  func keep(_ receipt: ImportedReceipt, at now: Instant = day(-300)) throws -> ReceiptID {
    _ = try store.add([receipt], at: now)
    let fingerprint = try raw {
      try String.fetchAll($0, sql: "SELECT receipt_data FROM receipts ORDER BY id")
    }
    let place = try #require(fingerprint.lastIndex(of: receipt.data.base64))
    return ReceiptID(rawValue: Int64(place + 1))
  }

  /// Everything that was said, day after day; and who went.
  func live(_ world: World, until t: Instant = .distantFuture) throws {
    let ids = try keep(world)
    var told: [(at: Instant, ReceiptOutcome)] = []
    for (id, story) in zip(ids, world.stories) {
      for answer in story.answers {
        told.append(
          (answer.requestDate ?? day(0), ReceiptOutcome(receipt: id, result: .answered(answer, status: 0))))
      }
      if let gone = story.goneAt { told.append((gone, ReceiptOutcome(receipt: id, result: .accountGone))) }
    }
    for (at, outcome) in told.sorted(by: { $0.at < $1.at }) where at <= t {
      _ = try store.record([outcome], at: at)
    }
  }

  /// One answer to one receipt, at Apple's time.
  @discardableResult
  func take(
    _ answer: Answer, for receipt: ReceiptID, at now: Instant? = nil
  ) throws -> RecordedOutcome {
    let outcome = ReceiptOutcome(receipt: receipt, result: .answered(answer, status: 0))
    return try #require(try store.record([outcome], at: now ?? answer.requestDate ?? day(0)).first)
  }

  /// The file as another program reads it.
  func raw<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try DatabaseQueue(path: path).read(body)
  }

  func write(_ sql: String) throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
  }

  /// A table's rows as text, without row numbers, in an order of their own.
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

/// The lines in which two reports differ, so that a failure can be read.
func differences(_ left: Report, _ right: Report) -> [String] {
  guard left != right else { return [] }
  var (a, b) = ("", "")
  dump(left, to: &a)
  dump(right, to: &b)
  let (x, y) = (a.split(separator: "\n").map(String.init), b.split(separator: "\n").map(String.init))
  return y.difference(from: x).map { change in
    switch change {
    case .remove(_, let line, _): "-" + line
    case .insert(_, let line, _): "+" + line
    }
  }
}
