import AppStore
import FakeAppStore
import Subscriptions
import TestSupport

/// Population that these tests share, at a fixed instant.
enum Town {
  static let now = Instant(parsing: "2026-06-15T12:00:00Z") ?? .distantPast
  static let population = FakePopulation(subscribers: 5000, seed: 1, founded: now)
  static let store = FakeStore(population: population)
  static let people = population.subscribers.map { (subscriber: $0, history: $0.history(until: now)) }
  static func first(_ kind: Subscriber.Kind) -> Subscriber {
    people.first { $0.subscriber.kind == kind && $0.subscriber.accountGoneFrom == nil }?.subscriber
      ?? population[0]
  }

  static func receipt(of subscriber: Subscriber = first(.paying), at t: Instant = now) -> String {
    store.receipt(of: subscriber, at: t).receipt.base64
  }

  static func body(
    _ receipt: String, password: String? = FakeStore.defaultSharedSecret, excludingOld: Bool = false
  ) -> [UInt8] {
    (try? VerifyReceiptBody(receipt, password: password, excludingOld: excludingOld).json) ?? []
  }

  static func question(_ subscriber: Subscriber = first(.paying)) -> [UInt8] { body(receipt(of: subscriber)) }

  /// Answer of the store itself, without a server and without faults.
  static func answer(
    to body: [UInt8] = question(), about subscriber: Subscriber = first(.paying)
  )
    -> FakeAnswer
  {
    store.answer(to: body, endpoint: subscriber.endpoint, at: now)
  }
}

extension SubscriberHistory {
  var all: [Transaction] { transactions + oneTime }
}

extension Subscriber {
  var endpoint: FakeEndpoint { environment == .sandbox ? .sandbox : .production }
}

func withServer(
  faults: [FaultRate] = [], _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in },
  _ body: (FakeAppStoreServer, Int) async throws -> Void
) async throws {
  var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: Town.now))
  configuration.faults = faults
  change(&configuration)
  let server = FakeAppStoreServer(configuration)
  let port = try server.start()
  defer { server.stop() }
  try await body(server, port)
}
