import Dispatch
import FakeAppStore
import Subscriptions
import Sweep
import TestSupport

/// A fake App Store with receipts to ask it about, over what a test wants to have between.
///
/// It answers on the threads that tests run on, so nobody here waits on one of them.
final class EndpointScene {
  enum Line: String, CaseIterable { case plain }

  let server: FakeAppStoreServer
  private let bodies: [SecretBytes]

  init(
    _ line: Line, faults: [Fault] = [], change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: CannedAnswer.purchase))
    configuration.subscribers = 20
    configuration.faults = faults.map { FaultRate($0, rate: 1) }
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    _ = try await server.start()
    guard let secret = SharedSecret(FakeStore.defaultSharedSecret) else {
      throw CannedServerError(call: "a shared secret", code: 0)
    }
    bodies = server.store.receipts(at: CannedAnswer.purchase).map {
      RequestBody.verifyReceipt(
        receiptData: $0.receipt.base64, password: secret, excludingOldTransactions: false)
    }
  }

  deinit { server.stop() }

  /// Asks about one receipt after another, again from the first after the last.
  func ask(
    _ count: Int = 1, concurrency: Int = 4, limits: TransferLimits = TransferLimits()
  ) async throws
    -> [TransferResult]
  {
    let queue = DispatchQueue(label: "subtop.sweep")
    var limits = limits
    // The answers are kept until the last has come.
    limits.bytesInFlight = .max
    let engine = try TransferEngine<Int>(queue: queue, limits: limits)
    let endpoint = try AppStoreEndpoint(server.url() ?? "")
    let bodies = bodies
    return await withCheckedContinuation { continuation in
      queue.async {
        var results: [TransferResult] = []
        var sent = 0
        _ = engine.run(
          concurrency: concurrency,
          next: { _ in
            sent += 1
            guard sent <= count else { return .exhausted }
            return .transfer(Transfer(to: endpoint, body: bodies[sent % bodies.count]), sent)
          }, finish: { _, result in results.append(result) })
        continuation.resume(returning: results)
      }
    }
  }
}
