import FakeAppStore
import Subscriptions

/// App Store in the test process with the population of `World`, for inspecting requests.
final class ObservedAppStore: Sendable {
  let server: FakeAppStoreServer
  let clock: FakeClock
  private let port: Int

  init(_ change: (inout FakeAppStoreConfiguration) -> Void = { _ in }) async throws {
    clock = FakeClock(fixedAt: Instant(parsing: World.now) ?? FakeClock.realNow)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    port = try server.start()
  }

  /// App Store whose answers drip for hours, since sweeps give up on silence after twenty seconds.
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

  var options: [String] {
    let url = "http://127.0.0.1:\(port)"
    return ["--production-url", "\(url)/verifyReceipt", "--sandbox-url", "\(url)/sandbox/verifyReceipt"]
  }

  func receipts(_ count: Int) -> String {
    server.store.receipts(at: clock.now).prefix(count).map { $0.jsonLine + "\n" }.joined()
  }
}
