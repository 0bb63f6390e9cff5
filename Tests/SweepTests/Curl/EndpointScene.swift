import Dispatch
import FakeAppStore
import Subscriptions
import Sweep
import TestSupport

/// Fake App Store, optionally behind TLS, on the threads of the tests, which therefore must not block.
final class EndpointScene {
  enum Line: String, CaseIterable { case plain, tls, http2 }

  let server: FakeAppStoreServer
  private let nginx: Nginx?
  /// Time since the server became reachable, before any delay.
  let begun: Stopwatch
  private let url: String
  private let authority: String?
  private let folder = TemporaryFolder()
  private let bodies: [SecretBytes]

  /// - Parameters:
  ///   - certificate: Server certificate of the proxy.
  ///   - delay: Milliseconds before TLS handshakes are answered.
  init(
    _ line: Line, showing certificate: ServerCertificate.Kind = .good, after delay: Int = 0,
    faults: [Fault] = [], change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: CannedAnswer.purchase))
    configuration.subscribers = 20
    configuration.faults = faults.map { FaultRate($0, rate: 1) }
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    let port = try server.start()
    guard let secret = SharedSecret(FakeStore.defaultSharedSecret) else {
      throw CannedServerError(call: "a shared secret", code: 0)
    }
    bodies = try server.store.receipts(at: CannedAnswer.purchase).map {
      try secret.question(about: $0.receipt.base64, excludingOldTransactions: false)
    }
    if line == .plain {
      (nginx, authority, url, begun) = (nil, nil, server.url() ?? "", Stopwatch())
    } else {
      let (nginx, shown) = (try Nginx(), try ServerCertificate(certificate, in: folder))
      (self.nginx, authority) = (nginx, shown.authority)
      url = "https://127.0.0.1:\(nginx.port)\(FakeEndpoint.production.rawValue)"
      begun = Stopwatch()
      try nginx.start(before: port, showing: shown, http2: line == .http2, after: delay)
    }
  }

  deinit { server.stop() }

  func connections(of requests: Int) async throws -> Int {
    guard let nginx else { return server.traffic.connections }
    return try await nginx.connections(of: requests).count
  }

  func ask(
    _ count: Int = 1, concurrency: Int = 4, limits: TransferLimits = .patient
  ) async throws -> [TransferResult] {
    let queue = DispatchQueue(label: "subtop.sweep")
    var limits = limits
    limits.certificates = limits.certificates ?? authority.map(CertificateBundle.init(path:))
    let engine = try TransferEngine<Int>(queue: queue, limits: limits)
    let endpoint = try AppStoreEndpoint(url)
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

extension TransferLimits {
  /// Limits that no slow machine reaches.
  static let patient = TransferLimits(connect: 240_000, total: 240_000, silence: 240)
}
