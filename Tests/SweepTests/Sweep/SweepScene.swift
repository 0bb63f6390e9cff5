import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport

/// Store with receipts, and an App Store with canned replies.
final class SweepScene {
  let server: CannedServer
  let store: ReceiptStore
  private let folder = TemporaryFolder()
  let clock: SceneClock
  var secrets: SharedSecrets

  static let secret = "5ecre7"

  init(
    receipts: Int, app: String? = nil, user: String? = nil, clock: SceneClock = SceneClock(),
    _ reply: @escaping @Sendable (CannedCall) -> CannedReply
  ) throws {
    self.clock = clock
    server = try CannedServer { request in
      (try? CannedCall(request)).map(reply) ?? .answer("no request of verifyReceipt", status: 400)
    }
    store = try ReceiptStore(path: folder.file("store.sqlite"))
    secrets = SharedSecrets { _ in SharedSecret(SweepScene.secret) }
    let imported = (0..<receipts).map { number in
      ImportedReceipt(
        data: CannedReceipt.data(Self.receipt(number), app: app), appUserID: user.map { AppUserID($0) },
        bundleID: app.map { BundleID($0) })
    }
    _ = try store.add(imported, at: clock.now)
  }

  deinit { server.close() }

  var calls: [CannedCall] { server.requests.compactMap { try? CannedCall($0) } }

  static func receipt(_ number: Int) -> String { "MII\(100_000 + number)" }

  func options(
    tries: Int = 1, _ change: (inout SweepOptions) -> Void = { _ in }
  ) throws -> SweepOptions {
    var options = SweepOptions(tries: tries)
    options.production = try AppStoreEndpoint("http://127.0.0.1:\(server.port)/verifyReceipt")
    options.sandbox = try AppStoreEndpoint("http://127.0.0.1:\(server.port)/sandbox/verifyReceipt")
    change(&options)
    return options
  }

  func sweep(
    _ selection: SweepSelection = .due, tries: Int = 1,
    options change: (inout SweepOptions) -> Void = { _ in }, watcher: @escaping Sweep.Watcher = { _ in }
  ) throws -> Sweep {
    let clock = clock
    return try Sweep(
      selection, of: store, secrets: secrets, options: options(tries: tries, change), clock: { clock.now },
      chance: { 0.5 }, watcher: watcher)
  }

  func status() throws -> StoreStatus { try store.status(at: clock.now, check: false) }

  func chains(_ receipts: Range<Int>) throws -> [[LineEntry]] {
    try receipts.flatMap { try store.chains(matching: Self.receipt($0) + "0", at: clock.now) }.map(\.lines)
  }
}

extension SweepOptions {
  /// Options with limits that no slow machine reaches, and next to no wait before a retry.
  init(tries: Int) {
    self.init()
    (self.tries, limits) = (tries, .patient)
    if tries > 1 { pause = Backoff(base: 1, longest: 1) }
  }
}

/// Clock that only advances explicitly.
final class SceneClock: Sendable {
  static let standard = (CannedAnswer.purchase + Milliseconds.hour).rawValue
  private let instant = Mutex(Instant(milliseconds: standard))

  var now: Instant { instant.withLock { $0 } }

  func advance(_ milliseconds: Int64) { instant.withLock { $0 = $0 + milliseconds } }
}
