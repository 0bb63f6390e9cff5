import AppStore
import FakeAppStore
import FoundationEssentials
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport

/// Fake App Store with a population, and stores that learn from any of its sources.
final class SourcesScene {
  let clock = FakeClock(fixedAt: CannedAnswer.purchase)
  let server: FakeAppStoreServer
  let verifier: SignatureVerifier
  private let folder = TemporaryFolder()
  private let key: ServerAPIKey
  private(set) var handed: [FakeStore.HandedOver] = []

  init(
    subscribers: Int, seed: UInt64 = 1, _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = FakeAppStoreConfiguration(clock: clock)
    (configuration.subscribers, configuration.seed) = (subscribers, seed)
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    _ = try server.start()
    guard let root = server.rootCertificate, let pem = SharedSecret(server.serverAPIKeyPEM),
      let key = ServerAPIKey(
        issuerID: server.issuerID, keyID: server.keyID, pem: pem, clock: { FakeClock.realNow })
    else { throw Unusable() }
    (verifier, self.key) = (SignatureVerifier(root: root), key)
    // Legacy receipts contain too little for a comparison.
    handed = server.store.population.subscribers.filter { $0.kind != .legacy }.map {
      server.store.receipt(of: $0, at: clock.now)
    }
  }

  deinit { server.stop() }

  struct Unusable: Error {}

  var users: [AppUserID] { Set(handed.compactMap(\.appUserID)).sorted() }

  /// - Parameter isPriced: Whether the store has the catalog.
  func store(_ name: String, isPriced: Bool = false) throws -> ReceiptStore {
    let store = try ReceiptStore(path: folder.file("\(name).sqlite"))
    if isPriced { _ = try store.add(FakeCatalog.entries) }
    _ = try store.add(
      handed.map { ImportedReceipt(data: $0.receipt, appUserID: $0.appUserID, bundleID: $0.bundleID) },
      at: clock.now)
    return store
  }

  // MARK: Sweeping

  func sweep(
    _ store: ReceiptStore, throughServerAPI: Bool, _ change: (inout SweepOptions) -> Void = { _ in }
  ) async throws -> SweepSummary {
    var changed = try options()
    change(&changed)
    let options = changed
    let (key, clock) = (key, clock)
    let access = ServerAPIAccess(verifier: verifier) { app in
      guard let app else { return .noKey }
      return .key(key, app: app, mayUseReceipts: true)
    }
    return try await Sweep.finished(
      of: store, serverAPI: throughServerAPI ? access : nil, options: options, clock: { clock.now })
  }

  private func options() throws -> SweepOptions {
    var options = SweepOptions(concurrency: 8)
    options.pause = Backoff(base: 10, longest: 50)
    options.limits = .patient
    options.fullAnswerEvery = 0
    options.production = try AppStoreEndpoint(server.url(.production) ?? "")
    options.sandbox = try AppStoreEndpoint(server.url(.sandbox) ?? "")
    options.serverAPI = try AppStoreEndpoint(server.serverAPIURL(.production) ?? "")
    options.serverAPISandbox = try AppStoreEndpoint(server.serverAPIURL(.sandbox) ?? "")
    return options
  }

  // MARK: Notifications

  /// Returns the notifications since an instant, oldest first, some under another id (METRICS §1.3).
  func notifications(after from: Instant) throws -> [SignedNotification] {
    var notifications: [SignedNotification] = []
    for environment in [StoreEnvironment.production, .sandbox] {
      let walk = NotificationHistoryWalk(
        of: FakeCatalog.bundleID, in: environment, key: key, options: try options(), onlyFailures: false)
      let earliest = clock.now - NotificationHistoryWalk.longest(in: environment)
      _ = try walk.run(from: max(from + 1, earliest), until: clock.now) { items, _, _ in
        for item in items {
          let body = try NotificationBody(decoding: Array(item.signedPayload.utf8))
          guard case .version2(let kept) = body else { throw Unusable() }
          notifications.append(try kept.verified(by: verifier, for: OwnApps()))
        }
      }
    }
    let others = strangers
    notifications.removeAll { $0.facts.map { others.contains($0.originalTransactionID) } ?? false }
    for place in notifications.indices { notifications[place].takeOtherIDs() }
    return notifications.sorted { ($0.signedAt, $0.uuid) < ($1.signedAt, $1.uuid) }
  }

  /// Chains of legacy subscribers, whose receipts are not in the stores.
  private var strangers: Set<OriginalTransactionID> {
    let people = server.store.population.subscribers.filter { $0.kind == .legacy }
    return Set(people.flatMap { $0.history(until: clock.now).transactions.map(\.originalTransactionID) })
  }

  func receive(
    _ notifications: [SignedNotification], into store: ReceiptStore
  ) throws -> [NotificationOutcome] {
    try store.receive(notifications.map(ReceivedNotification.signed), at: clock.now)
  }

  func pages(of store: ReceiptStore) throws -> [ImportedAnswer] {
    try users.flatMap { user in
      try store.signedRows(matching: user.rawValue).map { row in
        try KeptSignedData(decoding: Array(row.text.utf8)).verified(by: verifier)
      }
    }
  }
}

extension SignedNotification {
  /// Changes the ids of 3 % of the purchases, some to ids that sort before the old ones.
  fileprivate mutating func takeOtherIDs() {
    for place in rows.indices {
      for row in rows[place].answer.transactions.indices {
        let own = rows[place].answer.transactions[row]
        guard own.webOrderLineItemID != nil, let number = UInt64(own.transactionID.rawValue),
          case var random = Seeded(number), random.chance(3)
        else { continue }
        let other = TransactionID(random.chance(50) ? "\(number)7" : String("\(number)".dropFirst()))
        rows[place].answer.transactions[row].transactionID = other
        if facts?.transactionID == own.transactionID { facts?.transactionID = other }
      }
    }
  }
}

extension Sweep {
  static func finished(
    _ selection: SweepSelection = .all, of store: ReceiptStore, serverAPI: ServerAPIAccess? = nil,
    options: SweepOptions, clock: @escaping @Sendable () -> Instant
  ) async throws -> SweepSummary {
    try await withCheckedThrowingContinuation { continuation in
      do {
        let sweep = try Sweep(
          selection, of: store, secrets: SharedSecrets { _ in SharedSecret(FakeStore.defaultSharedSecret) },
          serverAPI: serverAPI, options: options, clock: clock,
          watcher: { event in
            switch event {
            case .progress: break
            case .finished(let summary): continuation.resume(returning: summary)
            case .failed(let error): continuation.resume(throwing: error)
            }
          })
        sweep.start()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
