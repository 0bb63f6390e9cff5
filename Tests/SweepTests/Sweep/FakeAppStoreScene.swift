import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport

/// A store with the receipts of a fake App Store's whole population.
///
/// The fake App Store answers on the threads that tests run on, so nobody here waits on one of them.
final class FakeAppStoreScene {
  static let subscribers = 400

  let store: ReceiptStore
  private let folder = TemporaryFolder()
  let clock: FakeClock
  let server: FakeAppStoreServer

  /// - Parameter latency: milliseconds that every answer takes longer.
  init(subscribers: Int = subscribers, latency: Int64 = 0) async throws {
    store = try ReceiptStore(path: folder.file("store.sqlite"))
    clock = FakeClock(fixedAt: CannedAnswer.purchase)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    configuration.subscribers = subscribers
    configuration.latency = latency
    server = FakeAppStoreServer(configuration)
    _ = try await server.start()
    let receipts = server.store.receipts(at: clock.now).map {
      ImportedReceipt(data: $0.receipt, appUserID: $0.appUserID, bundleID: $0.bundleID)
    }
    _ = try store.add(receipts, at: clock.now)
  }

  deinit { server.stop() }

  /// - Parameter isEnough: whether to cancel the sweep here.
  func sweep(
    _ selection: SweepSelection = .due, secret: String = FakeStore.defaultSharedSecret, concurrency: Int = 8,
    tries: Int = 2, until isEnough: @escaping @Sendable (SweepProgress) -> Bool = { _ in false }
  ) async throws -> SweepSummary {
    var options = SweepOptions(concurrency: concurrency)
    options.tries = tries
    options.pause = Backoff(base: 10, longest: 50)
    options.production = try AppStoreEndpoint(server.url(.production) ?? "")
    options.sandbox = try AppStoreEndpoint(server.url(.sandbox) ?? "")
    let (clock, settings, running) = (clock, options, Running())
    return try await withCheckedThrowingContinuation { continuation in
      do {
        let sweep = try Sweep(
          selection, of: store, secrets: SharedSecrets { _ in SharedSecret(secret) }, options: settings,
          clock: { clock.now },
          watcher: { event in
            switch event {
            case .progress(let progress): if isEnough(progress) { running.cancel() }
            case .finished(let summary): continuation.resume(returning: summary)
            case .failed(let error): continuation.resume(throwing: error)
            }
          })
        running.begin(sweep)
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Every panel's figures.
  func figures() throws -> [Figures] {
    try Panel.allCases.map {
      try store.report(Question(panel: $0, at: clock.now, windowDays: 90, environment: .all)).data
    }
  }
}

/// The sweep that a watcher wants to cancel.
private final class Running: Sendable {
  private let sweep = Mutex<Sweep?>(nil)

  func begin(_ started: Sweep) {
    sweep.withLock { $0 = started }
    started.start()
  }

  func cancel() { sweep.withLock { $0.take() }?.cancel() }
}
