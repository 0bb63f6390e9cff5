import FakeAppStore
import Subscriptions

/// A server for the length of one test.
func withServer(
  faults: [FaultRate] = [], _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in },
  _ body: (FakeAppStoreServer, Int) async throws -> Void
) async throws {
  var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: Town.now))
  configuration.faults = faults
  change(&configuration)
  let server = FakeAppStoreServer(configuration)
  let port = try await server.start()
  defer { server.stop() }
  try await body(server, port)
}

extension Town {
  /// The question about a subscriber's receipt.
  static func question(_ subscriber: Subscriber = first(.paying)) -> [UInt8] {
    body(store.receipt(of: subscriber, at: now).receipt.base64)
  }

  /// The right answer to it.
  static func rightAnswer(_ subscriber: Subscriber = first(.paying)) -> [UInt8] {
    store.answer(to: question(subscriber), endpoint: .production, at: now).body
  }
}
