import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// Both APIs tell of one life: whatever both can say, they say alike.
@Suite(.timeLimit(.minutes(5))) struct AgreementTests {
  static let instants = [-200, -3, 0, 25, 90].map { Town.now + $0 * Milliseconds.day }

  @Test(arguments: instants) func withVerifyReceipt(_ t: Instant) async throws {
    let clock = FakeClock(fixedAt: t)
    let people = Town.people.map(\.subscriber).filter {
      $0.index % 20 == 0 || ($0.kind == .tester && $0.index % 3 == 0) || $0.kind == .legacy
    }
    var (rows, infos, customers) = (0, 0, 0)
    try await withServer({ ($0.clock, $0.founded) = (clock, Town.now) }) { server, port in
      let scene = try ServerAPIScene(server, port)
      for subscriber in people {
        let known = subscriber.history(until: t)
        let id = (known.transactions + known.oneTime).first?.transactionID.rawValue
        guard let id, subscriber.accountGoneFrom.map({ $0 > t }) ?? true else { continue }
        let receipt = try #require(try Self.answer(to: subscriber, at: t))
        var pages: [ServerAPIScene.Page] = []
        while pages.last?.hasMore ?? true {
          let revision = pages.last.map { "?revision=\($0.revision)" } ?? ""
          pages.append(
            try scene.page(await scene.get("/inApps/v2/history/\(id)\(revision)", subscriber.environment)))
        }
        let signed = try pages.flatMap(\.signed).map(scene.transaction)
        let byID = Dictionary(uniqueKeysWithValues: signed.map { ($0.transactionID, $0.asReceiptsTell) })
        if subscriber.kind == .legacy {
          for row in receipt.transactions { #expect(byID[row.transactionID]?.dates == row.dates) }
        } else {
          for row in receipt.transactions { #expect(byID[row.transactionID] == row.asReceiptsTell) }
          #expect(Set(receipt.transactions.map(\.transactionID)) == Set(byID.keys))
        }
        #expect(signed.allSatisfy { $0.terms?.signedAt == t })
        rows += signed.count
        customers += 1
        let statuses = await scene.get("/inApps/v1/subscriptions/\(id)", subscriber.environment)
        let last = (statuses.answer?["data"]?.list ?? []).flatMap { $0["lastTransactions"]?.list ?? [] }
        let told = try last.compactMap { $0["signedRenewalInfo"]?.text }.map(scene.renewalInfo)
        guard subscriber.kind != .legacy else { continue }
        #expect(Set(told.map(\.asReceiptsTell)) == Set(receipt.renewalInfos.map(\.asReceiptsTell)))
        infos += told.count
      }
    }
    #expect(customers > 150 && rows > 800 && infos > 100)
  }

  private static func answer(to subscriber: Subscriber, at t: Instant) throws -> Answer? {
    let receipt = Town.store.receipt(of: subscriber, at: t).receipt.base64
    let endpoint = subscriber.environment == .sandbox ? FakeEndpoint.sandbox : .production
    let body = Town.store.answer(to: Town.body(receipt), endpoint: endpoint, at: t).body
    return try VerifyReceiptResponse(decoding: body).answer
  }

  @Test("What Apple's statuses say is what the lines are") func statuses() async throws {
    var seen: [Int64: Int] = [:]
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      for person in Town.people
      where person.subscriber.accountGoneFrom == nil && person.subscriber.index % 5 == 0 {
        let exchange = await scene.statuses(person.subscriber)
        for item in exchange.answer?["data"]?.list.flatMap({ $0["lastTransactions"]?.list ?? [] }) ?? [] {
          guard case .number(let status) = item["status"],
            let chain = item["originalTransactionId"]?.text,
            let line = person.lines.first(where: { $0.id.originalTransactionID.rawValue == chain })
          else { continue }
          seen[status, default: 0] += 1
          #expect(line.verdict(at: Town.now)?.state.status == status, "\(person.subscriber.index)")
        }
      }
    }
    #expect(Set(seen.keys) == [1, 2, 3, 4, 5], "\(seen)")
  }
}

extension Transaction {
  /// What receipts of iOS 6 tell as well.
  fileprivate var dates: [Instant?] { [purchaseDate, originalPurchaseDate, expiresDate, cancellationDate] }
}

extension RenewalInfo {
  /// Without what signed data says in another field.
  fileprivate var asReceiptsTell: RenewalInfo {
    var info = self
    info.priceIncreaseStatus = nil
    return info
  }
}

extension LineState {
  fileprivate var status: Int64 {
    switch self {
    case .trial, .active: 1
    case .grace: 4
    case .billingRetry: 3
    case .revoked: 5
    default: 2
    }
  }
}
