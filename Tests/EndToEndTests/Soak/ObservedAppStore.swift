import FakeAppStore
import Subscriptions

/// An App Store within the tests' own process, so that they see what came to it. It knows the people of `World`.
final class ObservedAppStore: Sendable {
  let server: FakeAppStoreServer
  /// Stands still; tests move it.
  let clock: FakeClock
  private let port: Int

  init(_ change: (inout FakeAppStoreConfiguration) -> Void = { _ in }) async throws {
    clock = FakeClock(fixedAt: Instant(parsing: World.now) ?? FakeClock.realNow)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    port = try server.start()
  }

  /// One whose answers take hours, a byte now and then: a sweep gives a silent App Store up after twenty seconds.
  static func holding(
    _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) async throws -> ObservedAppStore {
    try await ObservedAppStore {
      $0.faults = [FaultRate(.drip, rate: 1)]
      ($0.faultSettings.dripInterval, $0.faultSettings.patience) = (500, 3 * Milliseconds.hour)
      change(&$0)
    }
  }

  deinit { server.stop() }

  /// What has `subtop` ask here.
  var options: [String] {
    let url = "http://127.0.0.1:\(port)"
    return ["--production-url", "\(url)/verifyReceipt", "--sandbox-url", "\(url)/sandbox/verifyReceipt"]
  }

  /// The first receipts of the population, as `subtop import receipts` reads them.
  func receipts(_ count: Int) -> String {
    server.store.receipts(at: clock.now).prefix(count).map { $0.jsonLine + "\n" }.joined()
  }
}
