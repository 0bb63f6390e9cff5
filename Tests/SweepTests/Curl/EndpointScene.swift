import Dispatch
import FakeAppStore
import SecureFakeAppStore
import Subscriptions
import Sweep
import TestSupport

/// A fake App Store with receipts to ask it about, over what a test wants to have between.
///
/// It answers on the threads that tests run on, so nobody here waits on one of them.
final class EndpointScene {
  enum Line: String, CaseIterable { case plain, tls, http2 }

  static var isAvailable: Bool { ImpostorServer.isAvailable }

  let server: FakeAppStoreServer
  /// What a client must trust; nil where there is nothing to trust.
  let authority: String?
  private let folder = TemporaryFolder()
  private let bodies: [SecretBytes]

  /// - Parameter identity: with what the server proves itself.
  init(
    _ line: Line, identity: KeyPath<FakeCertificates, FakeTLS.Identity> = \.good,
    faults: [Fault] = [], change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: CannedAnswer.purchase))
    configuration.subscribers = 20
    configuration.faults = faults.map { FaultRate($0, rate: 1) }
    change(&configuration)
    if line == .plain {
      authority = nil
      server = FakeAppStoreServer(configuration)
    } else {
      let certificates = try FakeCertificates(madeIn: folder.path)
      var tls = FakeTLS(certificates[keyPath: identity], impostors: certificates.tls.impostors)
      tls.offersHTTP2 = line == .http2
      authority = certificates.authority
      server = FakeAppStoreServer(configuration, tls: tls)
    }
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
    limits.certificates = limits.certificates ?? authority.map(CertificateBundle.init(path:))
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
