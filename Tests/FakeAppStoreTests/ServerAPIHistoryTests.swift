import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

/// What the Server API says of customers, read as a client reads it.
@Suite(.timeLimit(.minutes(10))) struct ServerAPIHistoryTests {
  @Test func pagesHaveTwentyRows() async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let pages = try await scene.pages(of: Town.ann)
      #expect(pages.count > 3 && pages.dropLast().allSatisfy { $0.signed.count == 20 && $0.hasMore })
      #expect(pages.last?.hasMore == false && pages.last?.signed.isEmpty == false)
      #expect(pages.allSatisfy { $0.bundleID == "com.example.lumen" && $0.environment == "Production" })
      let up = try pages.flatMap(\.signed).map(scene.transaction)
      let known = Town.ann.history(until: Town.now).all
      #expect(
        up.map(\.asReceiptsTell).sorted(by: Transaction.inOrder)
          == known.map(\.asReceiptsTell).sorted(by: Transaction.inOrder))
      let down = try await scene.rows(of: Town.ann, "sort=DESCENDING")
      #expect(down.map(\.transactionID) == up.map(\.transactionID).reversed())
      let compressed = await scene.get(
        "/inApps/v2/history/\(Town.ann.anyID)", headers: ["Accept-Encoding: gzip"])
      #expect(compressed.headers["content-encoding"] == "gzip")
    }
  }

  @Test("After a revision there is what is new or changed, and nothing else")
  func revisions() async throws {
    let clock = FakeClock(fixedAt: Town.now)
    let later = Town.now + 40 * Milliseconds.day
    var changes = 0
    try await withServer({ $0.clock = clock }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in Town.people.map(\.subscriber).filter({ $0.accountGoneFrom == nil }).prefix(150)
      where subscriber.anyID != "0" {
        clock.set(to: Town.now)
        let before = try #require(try await scene.pages(of: subscriber).last?.revision)
        #expect(try await scene.pages(of: subscriber, from: before).map(\.signed) == [[]])
        clock.set(to: later)
        let news = try await scene.rows(of: subscriber, from: before)
        let changed = Set(subscriber.history(until: later).all.map(\.asReceiptsTell))
          .subtracting(subscriber.history(until: Town.now).all.map(\.asReceiptsTell))
        #expect(Set(news.map(\.asReceiptsTell)) == changed)
        changes += changed.count
      }
    }
    #expect(changes > 50)
  }

  @Test("A filter leaves the rows that it names", arguments: [true, false]) func filters(
    _ isRevoked: Bool
  )
    async throws
  {
    let people = Town.people.filter { person in
      person.subscriber.accountGoneFrom == nil
        && Set(person.history.all.map { $0.cancellationDate == nil }).count == 2
    }
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      for (subscriber, history) in people.prefix(10) {
        let rows = try await scene.rows(of: subscriber, "productType=AUTO_RENEWABLE&revoked=\(isRevoked)")
        let wanted = history.transactions.filter { ($0.cancellationDate != nil) == isRevoked }
        #expect(Set(rows.map(\.transactionID)) == Set(wanted.map(\.transactionID)))
        // Python and others write booleans with a capital.
        let word = isRevoked ? "True" : "FALSE"
        let capital = try await scene.rows(of: subscriber, "productType=AUTO_RENEWABLE&revoked=\(word)")
        #expect(capital.map(\.transactionID) == rows.map(\.transactionID))
      }
    }
  }

  @Test func refuses() async throws {
    let (ann, tester) = (Town.first(.paying), Town.first(.tester).anyID)
    let id = ann.anyID
    let refusals: [(String, Int64)] = [
      ("v2/history/0", 4_000_006), ("v2/history/abc", 4_000_006), ("v2/history/", 4_000_006),
      ("v2/history/123456789012345678901", 4_000_006), ("v2/history/129999999999999", 4_040_010),
      ("v2/history/\(tester)", 4_040_010), ("v1/subscriptions/\(tester)", 4_040_010),
      ("v1/transactions/\(tester)", 4_040_010), ("v1/transactions/\(ann.appTransactionID)", 4_000_048),
      ("v2/history/\(id)?revision=nonsense", 4_000_005), ("v2/history/\(id)?revision=1_\(id)", 4_000_005),
      ("v2/history/\(id)?sort=UP", 4_000_021), ("v1/subscriptions/\(id)?status=6", 4_000_031),
    ]
    let gone = try #require(
      Town.people.first { $0.subscriber.accountGoneFrom.map { $0 <= Town.now } ?? false }?.subscriber)
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      func expect(_ code: Int64, _ exchange: HTTPExchange, _ path: String) {
        #expect(exchange.errorCode == code && exchange.status == Int(code / 10_000), "\(path)")
        #expect(exchange.headers["content-type"] == "application/json", "\(path)")
        #expect(exchange.answer?["errorMessage"]?.text?.isEmpty == false, "\(path)")
      }
      for (path, code) in refusals { expect(code, await scene.get("/inApps/" + path), path) }
      for (method, path) in [
        ("GET", "v2/history"), ("POST", "v2/history/1"), ("GET", "v3/history/1"), ("GET", "v2/history/1/2"),
        ("GET", "v1/notifications/history"), ("GET", "v1/lookup/1"), ("GET", ""), ("DELETE", "nonsense"),
        ("PUT", "v1/transactions/consumption/\(id)"),
      ] {
        for environment in [StoreEnvironment.production, .sandbox] {
          let exchange = await scene.get("/inApps/" + path, environment, method: method)
          expect(4_040_000, exchange, "\(method) \(path)")
        }
      }
      expect(4_040_000, await scene.get("/inApps"), "nothing below it")
      #expect(await scene.get("/inAppsElsewhere").answer == nil, "no path of the Server API")
      expect(4_040_010, await scene.get("/inApps/v2/history/\(id)", .sandbox), "at the sandbox")
      expect(4_040_001, await scene.history(gone), "deleted account")
      expect(4_040_001, await scene.statuses(gone), "deleted account")
    }
  }

  @Test func anyIDOfACustomerWillDo() async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      let ids = Town.ann.history(until: Town.now).transactions.map(\.transactionID.rawValue)
      for id in [ids[0], ids[30], ids[ids.count - 1], Town.ann.appTransactionID] {
        let page = try scene.page(await scene.get("/inApps/v2/history/\(id)"))
        #expect(try page.signed.map(scene.transaction).first?.transactionID.rawValue == ids[0])
      }
      let one = await scene.get("/inApps/v1/transactions/\(ids[30])")
      let text = try #require(one.answer?["signedTransactionInfo"]?.text)
      #expect(try scene.transaction(text).transactionID.rawValue == ids[30])
      _ = await scene.statuses(Town.ann)
      #expect(server.traffic.serverAPIRequests == [.history: 4, .transaction: 1, .statuses: 1])
      #expect(server.traffic.requests(about: Town.ann) == 6 && server.traffic.requests == 6)
    }
  }

  @Test(
    "What both APIs can say, they say alike", arguments: [0, 90].map { Town.now + $0 * Milliseconds.day })
  func withVerifyReceipt(_ t: Instant) async throws {
    let people = Town.people.map(\.subscriber).filter {
      $0.kind != .legacy && ($0.index % 20 == 0 || ($0.kind == .tester && $0.index % 3 == 0))
    }
    var (rows, infos, priced) = (0, 0, 0)
    try await withServer({ ($0.clock, $0.founded) = (FakeClock(fixedAt: t), Town.now) }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in people where subscriber.accountGoneFrom.map({ $0 > t }) ?? true {
        guard let id = subscriber.history(until: t).all.first?.transactionID.rawValue else { continue }
        let body = Town.body(Town.receipt(of: subscriber, at: t))
        let verified = Town.store.answer(to: body, endpoint: subscriber.endpoint, at: t).body
        let receipt = try #require(try VerifyReceiptResponse(decoding: verified).answer)
        let signed = try await scene.rows(of: subscriber, id: id)
        #expect(signed.allSatisfy { $0.terms?.signedAt == t })
        rows += signed.count
        for row in signed where row.terms?.storefront?.rawValue == "USA" {
          guard let entry = FakeCatalog.catalog.entry(for: row) else { continue }
          #expect(row.terms?.price?.micros == entry.price.micros)
          priced += 1
        }
        let lines = await scene.get("/inApps/v1/subscriptions/\(id)", subscriber.environment).answer?["data"]
        let told = (lines?.list ?? []).flatMap { $0["lastTransactions"]?.list ?? [] }
        let renewals = try told.compactMap { $0["signedRenewalInfo"]?.text }.map(scene.renewalInfo)
        #expect(Set(signed.map(\.asReceiptsTell)) == Set(receipt.transactions.map(\.asReceiptsTell)))
        #expect(Set(renewals.map(\.asReceiptsTell)) == Set(receipt.renewalInfos.map(\.asReceiptsTell)))
        infos += renewals.count
      }
    }
    #expect(rows > 800 && infos > 100 && priced > 0)
  }
}

extension RenewalInfo {
  /// Without what signed data says in another field.
  fileprivate var asReceiptsTell: RenewalInfo {
    var info = self
    info.priceIncreaseStatus = nil
    return info
  }
}
