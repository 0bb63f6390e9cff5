import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct CustomerTests {
  private let folder = TemporaryFolder()
  private let now = Instant(milliseconds: 1_767_225_600_000)

  private func store() throws -> ReceiptStore { try ReceiptStore(path: folder.file("s.sqlite")) }

  private func imported(
    _ id: String, user: String? = nil, app: String? = "com.example.pro"
  ) -> ImportedReceipt {
    ImportedReceipt(
      .customer(CustomerID(id)), appUserID: user.map { AppUserID($0) }, bundleID: app.map { BundleID($0) })
  }

  private func row(_ id: String, chain: String, from start: Instant) -> Transaction {
    var row = Transaction(
      transactionID: TransactionID(id), originalTransactionID: OriginalTransactionID(chain),
      productID: ProductID("monthly"), purchaseDate: start, expiresDate: start + 30 * Milliseconds.day)
    row.subscriptionGroupIdentifier = SubscriptionGroupID("21")
    return row
  }

  private func history(_ rows: [Transaction], revision: String?, at t: Instant) -> CustomerHistory {
    var answer = Answer(environment: .production, bundleID: BundleID("com.example.pro"), requestDate: t)
    answer.transactions = rows
    return CustomerHistory(answer: answer, rows: [], revision: revision)
  }

  @Test func anIdIsDueAtOnceAndImportedOnce() throws {
    let store = try store()
    #expect(try store.add([imported("2000"), imported("2000"), imported("2001")], at: now).new == 2)
    #expect(try store.add([imported("2000")], at: now).new == 0)
    let due = try due(store)
    #expect(due.map(\.customer) == [CustomerID("2000"), CustomerID("2001")])
    #expect(due.allSatisfy { $0.data == nil && $0.revision == nil })
  }

  /// Apps and users of repeated imports of one id, and the numbers of corrections and of due customers.
  private static let corrected: [(apps: [String?], users: [String?], moved: Int, count: Int)] = [
    (["com.example.por", "com.example.pro"], [nil, nil], 1, 1),
    (["com.example.por", "com.example.pro", "com.example.por"], [nil, nil, nil], 2, 1),
    (["com.example.por", "com.example.pro"], ["u-1", "u-1"], 1, 1),
    (["com.example.por", "com.example.pro"], [nil, "u-1"], 1, 1),
    ([nil, "com.example.pro"], [nil, "u-1"], 0, 1),
    ([nil, "com.example.pro", nil], [nil, nil, nil], 0, 1), (["com.example.pro", nil], [nil, "u-1"], 0, 1),
    (["com.example.pro", nil], ["u-1", "u-2"], 0, 2),
    (["com.example.por", "com.example.por", "com.example.pro"], ["u-1", "u-2", "u-1"], 2, 2),
  ]

  @Test(arguments: corrected)
  func anIdOfAMistypedAppIsCorrected(
    _ apps: [String?], _ users: [String?], _ moved: Int, _ count: Int
  ) throws {
    let store = try store()
    var movedSoFar = 0
    for (place, (app, user)) in zip(apps, users).enumerated() {
      let at = now - 10 + Int64(place)
      _ = try store.add([imported("2001", app: "com.example.other")], at: at)
      let summary = try store.add([imported("2000", user: user, app: app)], at: at)
      movedSoFar += summary.moved
      #expect(summary.mended == 0 && summary.givenUp == 0)
    }
    #expect(movedSoFar == moved)
    let due = try due(store).filter { $0.customer == CustomerID("2000") }
    #expect(due.count == count && due.allSatisfy { $0.bundleID?.rawValue == apps.compactMap(\.self).last })
    #expect(try store.status(at: now).receipts == count + 1)
  }

  /// The app that an answer confirmed is kept, and the mistaken import is given up.
  @Test func anIdThatWasAnsweredKeepsItsApp() throws {
    let store = try store()
    _ = try store.add([imported("2000")], at: now)
    let rows = [row("2000", chain: "2000", from: now - Milliseconds.day)]
    _ = try record(history(rows, revision: "r1", at: now), in: store, at: now)
    #expect(try store.add([imported("2000", app: "com.example.por")], at: now) == .init(new: 1))
    #expect(try due(store).map(\.bundleID?.rawValue) == ["com.example.por"])
    #expect(try store.add([imported("2000")], at: now) == .init(givenUp: 1))
    #expect(try store.status(at: now).dead == 1 && store.status(at: now).dueNow == 0)
    #expect(try store.add([imported("2000")], at: now) == .init())
    #expect(try store.add([imported("2000", app: "com.example.por")], at: now) == .init())
    #expect(try store.status(at: now).dead == 1)
  }

  /// If one import names two apps for an id, only Apple knows which is right, so both are asked.
  @Test func anIdThatOneImportNamesForTwoAppsIsOfBoth() throws {
    let store = try store()
    let both = [imported("2000"), imported("2000", app: "com.example.por")]
    #expect(try store.add(both, at: now - 2) == .init(new: 2))
    for later in [now - 1, now] { #expect(try store.add(both, at: later) == .init()) }
    #expect(try due(store).count == 2)
  }

  @Test func theUserOfAnIdMayComeLater() throws {
    let store = try store()
    _ = try store.add([imported("2000")], at: now)
    #expect(try store.add([imported("2000", user: "u-1")], at: now).new == 0)
    #expect(try store.add([imported("2000", user: "u-2")], at: now).new == 1)
    #expect(try store.status(at: now, check: false).receipts == 2)
  }

  @Test func anIdOfAKnownChainIsItsReceipts() throws {
    let store = try store()
    let answer = Answer(
      environment: .production, bundleID: BundleID("com.example.pro"), requestDate: now,
      transactions: [row("2005", chain: "2000", from: now - Milliseconds.day)])
    _ = try store.add([ImportedAnswer(answer: answer, status: 0)], at: now)
    #expect(try store.status(at: now, check: false).dueNow == 0, "there was nothing to ask with")
    #expect(try store.add([imported("2005", user: "u-1")], at: now).new == 0)
    let due = try due(store)
    #expect(due.map(\.customer) == [CustomerID("2005")])
    #expect(due.first?.originalTransactionIDs == [OriginalTransactionID("2000")])
    #expect(try store.chains(matching: "2000", at: now).first?.appUserIds == [AppUserID("u-1")])
  }

  @Test func theRevisionIsKeptWithItsEnvironmentAndAnUnchangedAnswerWritesLittle() throws {
    let store = try store()
    _ = try store.add([imported("2000")], at: now)
    let rows = [row("2000", chain: "2000", from: now - Milliseconds.day)]
    let first = try record(history(rows, revision: "r1", at: now), in: store, at: now)
    guard case .changed = first else {
      Issue.record("the first answer is news")
      return
    }
    let later = now + Milliseconds.day / 2
    _ = try record(history([], revision: "r1", at: later), isPartial: true, in: store, at: later)
    let again = try record(
      history([], revision: "r1", at: later + 1000), isPartial: true, in: store, at: later + 1000)
    #expect(again == .unchanged)
    let due = try store.claim(
      .all, for: try store.beginSweep(.all, by: "test", at: later + 2000), started: later + 2000, after: nil,
      limit: 10, lease: 1000, at: later + 2000)
    #expect(due.receipts.first?.revision == "r1")
    #expect(due.receipts.first?.environment == .production)
  }

  private func record(
    _ history: CustomerHistory, isPartial: Bool = false, in store: ReceiptStore, at t: Instant
  ) throws -> RecordedOutcome {
    let id = ReceiptID(rawValue: 1)
    let outcome = ReceiptOutcome(receipt: id, result: .signed(history, isPartial: isPartial))
    return try #require(try store.record([outcome], of: nil, at: t).first)
  }

  private func due(_ store: ReceiptStore) throws -> [DueReceipt] {
    let sweep = try store.beginSweep(.due, by: "test", at: now)
    return try store.claim(
      .due, for: sweep, started: now, after: nil, limit: 10, lease: 1000, at: now
    ).receipts
  }
}
