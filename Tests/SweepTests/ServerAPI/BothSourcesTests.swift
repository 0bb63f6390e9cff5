import AppStore
import FakeAppStore
import FoundationEssentials
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// One population, asked about through verifyReceipt, through the Server API, and through both by turns: what is known of a line, its
/// timeline and its events do not care where a row came from.
@Suite struct BothSourcesTests {
  private static let subscribers = 250

  private enum Source: CaseIterable {
    case verifyReceipt, serverAPI, byTurns

    /// - Parameter round: of the sweep, from 0.
    func asksServerAPI(in round: Int) -> Bool {
      switch self {
      case .verifyReceipt: false
      case .serverAPI: true
      case .byTurns: round % 2 == 1
      }
    }
  }

  @Test func theSameLivesComeToTheSameLines() async throws {
    let clock = FakeClock(fixedAt: CannedAnswer.purchase)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    configuration.subscribers = Self.subscribers
    let server = FakeAppStoreServer(configuration)
    _ = try await server.start()
    defer { server.stop() }
    // What the oldest receipts say is too little to compare.
    let handed = server.store.population.subscribers.filter { $0.kind != .legacy }.map {
      server.store.receipt(of: $0, at: clock.now)
    }
    let folder = TemporaryFolder()
    let stores = try Source.allCases.map { try ReceiptStore(path: folder.file("\($0).sqlite")) }
    for store in stores {
      _ = try store.add(
        handed.map { ImportedReceipt(data: $0.receipt, appUserID: $0.appUserID, bundleID: $0.bundleID) },
        at: clock.now)
    }
    for round in 0..<4 {
      for (source, store) in zip(Source.allCases, stores) {
        let summary = try await Self.sweep(
          store, of: server, at: clock, throughServerAPI: source.asksServerAPI(in: round))
        #expect(summary.counts.retryLater == 0, "\(source) \(round): \(summary.counts)")
      }
      let expected = try Self.known(stores[0], handed, at: clock.now)
      #expect(expected.count > Self.subscribers / 2)
      for (source, store) in zip(Source.allCases, stores).dropFirst() {
        let found = try Self.known(store, handed, at: clock.now)
        let strange = expected.filter { found[$0.key] != $0.value }.keys.sorted()
        #expect(strange.isEmpty, "\(source), round \(round)")
        if let first = strange.first, let one = expected[first], let other = found[first] {
          for (a, b) in zip(one.split(separator: "\n"), other.split(separator: "\n")) where a != b {
            Issue.record("\(first): \(a)\n instead of \(b)")
            break
          }
        }
      }
      clock.advance(by: 9 * Milliseconds.day + Milliseconds.hour)
    }
  }

  private static func sweep(
    _ store: ReceiptStore, of server: FakeAppStoreServer, at clock: FakeClock, throughServerAPI: Bool
  ) async throws -> SweepSummary {
    var options = SweepOptions(concurrency: 8)
    options.pause = Backoff(base: 10, longest: 50)
    options.fullAnswerEvery = 0
    options.production = try AppStoreEndpoint(server.url(.production) ?? "")
    options.sandbox = try AppStoreEndpoint(server.url(.sandbox) ?? "")
    options.serverAPI = try AppStoreEndpoint(server.serverAPIURL(.production) ?? "")
    options.serverAPISandbox = try AppStoreEndpoint(server.serverAPIURL(.sandbox) ?? "")
    let pem = try #require(SharedSecret(server.serverAPIKeyPEM))
    let real: @Sendable () -> Instant = { FakeClock.realNow }
    let key = ServerAPIKey(issuerID: server.issuerID, keyID: server.keyID, pem: pem, clock: real)
    let access = try ServerAPIAccess(verifier: SignatureVerifier(root: #require(server.rootCertificate))) {
      [key] app in
      guard let key, let app else { return .noKey }
      return .key(key, app: app, mayUseReceipts: true)
    }
    return try await Sweep.finished(
      store, serverAPI: throughServerAPI ? access : nil, options: options, clock: clock)
  }

  /// What is known of each chain, but for money and for what one source alone tells: receipts name the promotional offer behind an
  /// offer code too.
  private static func known(
    _ store: ReceiptStore, _ handed: [FakeStore.HandedOver], at t: Instant
  ) throws -> [String: String] {
    var known: [String: String] = [:]
    for user in Set(handed.compactMap(\.appUserID)) {
      for chain in try store.chains(matching: user.rawValue, at: t) {
        known["\(chain.environment.rawValue) \(chain.originalTransactionId)"] = text(of: chain)
      }
    }
    return known
  }

  private static func text(of chain: ChainReport) -> String {
    var lines: [String] = []
    for line in chain.lines {
      lines.append(
        "\(line.subscriptionGroupId?.rawValue ?? "") \(line.state) \(line.rule) \(line.currentTransactionId) "
          + "\(line.accessUntilMs.iso8601) \(line.productId) \(String(describing: line.autoRenew)) "
          + "\(line.expirationIntent ?? "-") \(line.priceConsentPending) \(line.changePending) \(line.familyShared)"
      )
      for row in line.transactions {
        lines.append(
          "  \(row.transactionId) \(row.kind) \(row.purchaseMs.iso8601) \(row.effectiveEndMs?.iso8601 ?? "-") "
            + "\(row.refunded) \(row.upgraded) \(row.upgradedAtMs?.iso8601 ?? "-") \(row.offerCodeRefName ?? "") "
            + "\(row.offerCodeRefName == nil ? row.promotionalOfferId ?? "" : "") \(row.quantity) \(row.firstObservedAtMs?.iso8601 ?? "-")"
        )
      }
      for event in line.events {
        // More or less than before is a matter of prices.
        let isOfMoney = event.flow.map { [.expansion, .contraction, .repriced].contains($0) } ?? false
        lines.append(
          "  \(event.type.rawValue) \(isOfMoney ? "-" : event.flow?.rawValue ?? "-") "
            + "\(event.effectiveAt.iso8601) \(event.productID)")
      }
    }
    for row in chain.oneTime { lines.append("once \(row.transactionId) \(row.productId) \(row.refunded)") }
    return lines.joined(separator: "\n")
  }
}
