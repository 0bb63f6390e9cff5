import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerAPIHistoryTests {
  private static let long = Town.people.filter {
    $0.history.transactions.count > 60 && $0.subscriber.environment == .production
      && $0.subscriber.accountGoneFrom == nil
  }.map(\.subscriber)

  @Test func pagesHaveTwentyRows() async throws {
    let subscriber = try #require(Self.long.first)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let pages = try await scene.pages(of: subscriber)
      #expect(pages.count > 3 && pages.dropLast().allSatisfy { $0.signed.count == 20 && $0.hasMore })
      #expect(pages.last?.hasMore == false && pages.last?.signed.isEmpty == false)
      #expect(pages.allSatisfy { $0.bundleID == "com.example.lumen" && $0.environment == "Production" })
      let rows = try pages.flatMap(\.signed).map(scene.transaction)
      let known = subscriber.history(until: Town.now)
      #expect(
        rows.map(\.asReceiptsTell).sorted(by: Transaction.inOrder)
          == (known.transactions + known.oneTime).map(\.asReceiptsTell).sorted(by: Transaction.inOrder))
    }
  }

  @Test("After a revision there is what is new or changed, and nothing else")
  func revisions() async throws {
    let clock = FakeClock(fixedAt: Town.now)
    var changes = 0
    try await withServer({ $0.clock = clock }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in Town.people.map(\.subscriber).filter({ $0.accountGoneFrom == nil }).prefix(150)
      where subscriber.anyID != "0" {
        clock.set(to: Town.now)
        let before = try #require(try await scene.pages(of: subscriber).last?.revision)
        #expect(try await scene.pages(of: subscriber, from: before).map(\.signed) == [[]])
        let later = Town.now + 40 * Milliseconds.day
        clock.set(to: later)
        let news = try await scene.pages(of: subscriber, from: before).flatMap(\.signed).map(
          scene.transaction)
        let (old, new) = (subscriber.history(until: Town.now), subscriber.history(until: later))
        let changed = Set((new.transactions + new.oneTime).map(\.asReceiptsTell))
          .subtracting((old.transactions + old.oneTime).map(\.asReceiptsTell))
        #expect(Set(news.map(\.asReceiptsTell)) == changed)
        changes += changed.count
      }
    }
    #expect(changes > 50)
  }

  /// Those whose history has a second page when a row of the first is refunded.
  private static let refunded = Town.people.flatMap { person -> [(Subscriber, Transaction, Instant)] in
    let (subscriber, rows) = (person.subscriber, person.history.transactions)
    guard subscriber.environment == .production, subscriber.accountGoneFrom == nil, rows.count > 20,
      Set(rows.map(\.originalTransactionID)).count == 1
    else { return [] }
    return rows[10..<20].compactMap { row in row.cancellationDate.map { (subscriber, row, $0) } }
      .filter { subscriber, _, date in subscriber.history(until: date - 1).transactions.count > 20 }
  }

  @Test("A change between two pages moves its row to the end, where it comes with the newer word")
  func changesWhilePaging() async throws {
    let clock = FakeClock(fixedAt: Town.now)
    var seen = 0
    try await withServer({ ($0.clock, $0.founded) = (clock, Town.now) }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for (subscriber, row, date) in Self.refunded.prefix(3) {
        clock.set(to: date - 1)
        let first = try scene.page(await scene.history(subscriber))
        clock.set(to: date)
        let rest = try await scene.pages(of: subscriber, from: first.revision)
        let firstRows = try first.signed.map(scene.transaction)
        let restRows = try rest.flatMap(\.signed).map(scene.transaction)
        let twice = Set(firstRows.map(\.transactionID)).intersection(restRows.map(\.transactionID))
        #expect(twice == [row.transactionID] && restRows.last?.transactionID == row.transactionID)
        #expect(firstRows.first { $0.transactionID == row.transactionID }?.cancellationDate == nil)
        let newest = (firstRows + restRows).reduce(into: [:]) { $0[$1.transactionID] = $1.asReceiptsTell }
        let known = subscriber.history(until: date)
        #expect(Set(newest.values) == Set((known.transactions + known.oneTime).map(\.asReceiptsTell)))
        seen += 1
      }
    }
    #expect(seen == 3)
  }

  struct Filter: Sendable, CustomTestStringConvertible {
    let query: String
    let holds: @Sendable (Transaction) -> Bool
    var testDescription: String { query }

    init(_ query: String, _ holds: @escaping @Sendable (Transaction) -> Bool) {
      (self.query, self.holds) = (query, holds)
    }

    static let middle = Town.now - 300 * Milliseconds.day
    static let all = [
      Filter("revoked=true") { $0.cancellationDate != nil },
      Filter("revoked=false") { $0.cancellationDate == nil },
      Filter("productType=AUTO_RENEWABLE") { $0.expiresDate != nil },
      Filter("productType=CONSUMABLE&productType=NON_CONSUMABLE") { $0.expiresDate == nil },
      Filter("productId=com.example.lumen.plus.monthly") { $0.productID.rawValue.hasSuffix("plus.monthly") },
      Filter("productId=com.example.lumen.plus.monthly&productId=com.example.lumen.pro.monthly&revoked=false")
      {
        ["plus.monthly", "pro.monthly"].contains($0.productID.rawValue.dropFirst(18))
          && $0.cancellationDate == nil
      },
      Filter("startDate=\(middle.rawValue)") { $0.purchaseDate >= middle },
      Filter("endDate=\(middle.rawValue)") { $0.purchaseDate < middle },
      Filter("subscriptionGroupIdentifier=21450002") {
        $0.subscriptionGroupIdentifier?.rawValue == "21450002"
      },
      Filter("inAppOwnershipType=FAMILY_SHARED") { $0.inAppOwnershipType == .familyShared },
      Filter("inAppOwnershipType=PURCHASED") { $0.inAppOwnershipType == .purchased },
    ]
  }

  @Test(arguments: Filter.all) func filters(_ filter: Filter) async throws {
    let people = Town.people.map(\.subscriber).filter { $0.accountGoneFrom == nil && $0.anyID != "0" }
    var (wanted, others) = (0, 0)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in people[1000..<1080] {
        let known = subscriber.history(until: Town.now)
        let all = known.transactions + known.oneTime
        let rows = try await scene.pages(of: subscriber, filter.query).flatMap(\.signed).map(
          scene.transaction)
        #expect(Set(rows.map(\.transactionID)) == Set(all.filter(filter.holds).map(\.transactionID)))
        wanted += rows.count
        others += all.count - rows.count
      }
    }
    #expect(wanted > 0 && others > 0)
  }

  @Test func descendingIsTheOtherWayRound() async throws {
    let subscriber = try #require(Self.long.first)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let up = try await scene.pages(of: subscriber).flatMap(\.signed).map(scene.transaction)
      let down = try await scene.pages(of: subscriber, "sort=DESCENDING").flatMap(\.signed).map(
        scene.transaction)
      #expect(down.map(\.transactionID) == up.map(\.transactionID).reversed())
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let path: String
    let code: Int64
    var environment = StoreEnvironment.production
    var testDescription: String { "\(path) \(code)" }

    static let ann = Town.first(.paying).anyID
    static let tester = Town.first(.tester).anyID
    static let all = [
      Refusal(path: "v2/history/0", code: 4_000_006), Refusal(path: "v2/history/abc", code: 4_000_006),
      Refusal(path: "v2/history/", code: 4_000_006), Refusal(path: "v2/history/-12", code: 4_000_006),
      Refusal(path: "v2/history/123456789012345678901", code: 4_000_006),
      Refusal(path: "v2/history/129999999999999", code: 4_040_010),
      Refusal(path: "v2/history/999999999999999", code: 4_040_010),
      Refusal(path: "v2/history/\(tester)", code: 4_040_010),
      Refusal(path: "v2/history/\(ann)", code: 4_040_010, environment: .sandbox),
      Refusal(path: "v1/subscriptions/\(tester)", code: 4_040_010),
      Refusal(path: "v1/transactions/\(tester)", code: 4_040_010),
      Refusal(path: "v1/transactions/\(Town.first(.paying).appTransactionID)", code: 4_000_048),
      Refusal(path: "v2/history/\(ann)?revision=nonsense", code: 4_000_005),
      Refusal(path: "v2/history/\(ann)?revision=1_\(ann)", code: 4_000_005),
      Refusal(path: "v2/history/\(ann)?revision=", code: 4_000_005),
      Refusal(path: "v2/history/\(ann)?sort=UP", code: 4_000_021),
      Refusal(path: "v2/history/\(ann)?revoked=1", code: 4_000_030),
      Refusal(path: "v2/history/\(ann)?productType=THING", code: 4_000_022),
      Refusal(path: "v2/history/\(ann)?productId=", code: 4_000_023),
      Refusal(path: "v2/history/\(ann)?inAppOwnershipType=MINE", code: 4_000_026),
      Refusal(path: "v2/history/\(ann)?startDate=today", code: 4_000_015),
      Refusal(path: "v2/history/\(ann)?endDate=-1", code: 4_000_016),
      Refusal(path: "v2/history/\(ann)?startDate=5&endDate=4", code: 4_000_013),
      Refusal(path: "v1/subscriptions/\(ann)?status=6", code: 4_000_031),
    ]
  }

  @Test(arguments: Refusal.all) func refuses(_ refusal: Refusal) async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let exchange = await scene.get("/inApps/" + refusal.path, refusal.environment)
      #expect(exchange.errorCode == refusal.code && exchange.status == Int(refusal.code / 10_000))
      #expect(exchange.headers["content-type"] == "application/json")
      #expect(exchange.answer?["errorMessage"]?.text?.isEmpty == false)
    }
  }

  @Test func anyIDOfACustomerWillDo() async throws {
    let subscriber = try #require(Self.long.first)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let ids = subscriber.history(until: Town.now).transactions.map(\.transactionID.rawValue)
      for id in [ids[0], ids[30], ids[ids.count - 1], subscriber.appTransactionID] {
        let page = try scene.page(await scene.get("/inApps/v2/history/\(id)"))
        #expect(try page.signed.map(scene.transaction).first?.transactionID.rawValue == ids[0])
      }
      let one = await scene.get("/inApps/v1/transactions/\(ids[30])")
      let text = try #require(one.answer?["signedTransactionInfo"]?.text)
      #expect(try scene.transaction(text).transactionID.rawValue == ids[30])
    }
  }

  @Test("Whose account was deleted is not found any more") func deletedAccounts() async throws {
    let gone = try #require(
      Town.people.first { $0.subscriber.accountGoneFrom.map { $0 <= Town.now } ?? false }?.subscriber)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      #expect(await scene.history(gone).errorCode == 4_040_001)
      #expect(await scene.statuses(gone).errorCode == 4_040_001)
    }
  }

  @Test(
    "There is nothing else here",
    arguments: [
      ("GET", "/inApps/v2/history"), ("POST", "/inApps/v2/history/1"), ("GET", "/inApps/v3/history/1"),
      ("GET", "/INAPPS/v2/history/1"), ("GET", "/inApps/v2/history/1/2"), ("GET", "/inApps"),
      ("GET", "/inApps/v1/notifications/history"), ("GET", "/other/inApps/v2/history/1"),
    ])
  func noSuchPage(_ method: String, _ path: String) async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let exchange = await scene.get(path, method: method)
      #expect(exchange.status == 404 && exchange.answer == nil)
    }
  }
}
