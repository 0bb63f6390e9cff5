import AppStore
import FakeAppStore
import Glibc
import Intake
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization

/// A store in a temporary folder and a fake App Store on loopback, filled through the same doors as real ones: with the answers of a past year,
/// and then with what its sweeps and notifications bring.
final class DemoWorld: Sendable {
  let store: ReceiptStore
  let clock: FakeClock
  /// Nil where none are received.
  private let notifications: DemoNotifications?
  private let server: FakeAppStoreServer
  private let options: SweepOptions
  private let folder: String
  /// Up to when the app has handed its new customers over.
  private let handedOver: Mutex<Instant>
  /// Ten minutes a second.
  private static let livingSpeed = 600.0
  /// How long the store has been watching its customers when the demonstration begins.
  private static let past = 365 * Milliseconds.day

  /// - Parameters:
  ///   - isLiving: whether time passes ten minutes a second; otherwise it passes as it does.
  ///   - isNotified: whether the App Store posts what happens as it happens.
  init(subscribers: Int, seed: UInt64, isLiving: Bool, isNotified: Bool) throws(Failure) {
    clock = FakeClock(startingAt: SystemClock.now, speed: isLiving ? Self.livingSpeed : 1)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    (configuration.subscribers, configuration.seed, configuration.stories) = (subscribers, seed, true)
    handedOver = Mutex(clock.now)
    let folder = try Self.temporaryFolder()
    self.folder = folder
    // Setting up a large demo takes a while, and nothing else hears a signal yet.
    let interruption = Interruption.removing { Self.remove(folder) }
    defer {
      interruption.end()
      // Heard already: what is being taken away on the other thread is not to be worked on here.
      if interruption.number != nil { pause() }
    }
    do {
      // Between two sweeps ten hours pass: with a check a week, figures would look stale that are not.
      var policy = DuePolicy.standard
      (policy.active, policy.jitter) = (13 * Milliseconds.hour, 0.5)
      store = try ReceiptStore(path: folder + "/demo.sqlite", policy: policy)
      notifications = isNotified ? try DemoNotifications(store, clock) : nil
      configuration.notificationAddress = notifications?.address
      // Nobody is known yet of whom they tell.
      configuration.postsFromTheStart = false
      server = FakeAppStoreServer(configuration)
      _ = try server.start()
      var options = SweepOptions(
        production: try AppStoreEndpoint(server.url(.production) ?? ""),
        sandbox: try AppStoreEndpoint(server.url(.sandbox) ?? ""))
      options.serverAPI = try AppStoreEndpoint(server.serverAPIURL(.production) ?? "")
      options.serverAPISandbox = try AppStoreEndpoint(server.serverAPIURL(.sandbox) ?? "")
      options.lease *= Int64(isLiving ? Self.livingSpeed : 1)
      self.options = options
      try Self.fill(store, from: server, at: clock.now)
      notifications?.take(signedBy: server.rootCertificate)
      server.postNotifications()
    } catch {
      Self.remove(folder)
      let code = (error as? StoreError).map { Failure($0).code } ?? .failed
      throw Failure(code, "cannot set up the demo: \(error)")
    }
  }

  private static func fill(_ store: ReceiptStore, from server: FakeAppStoreServer, at now: Instant) throws {
    let catalog = server.store.population.stories?.catalogCSV ?? FakeCatalog.csv
    _ = try store.add(CatalogFile.read(Array(catalog.utf8)).items)
    let rates = RatesFile.read(Array(FakeRates.csv(until: now).utf8)).items.flatMap {
      $0.rates(reporting: FakeRates.base)
    }
    _ = try store.add(rates, reporting: FakeRates.base)
    let past = DemoPast(of: server.store, since: now - past, upTo: now)
    defer { past.end() }
    _ = try store.add(pages: { _ in past.next().map(ImportPage.items) ?? .end }, at: now)
  }

  /// What the app knows of its new customers: who they are, and an id to ask about them with.
  private func handOver() throws(StoreError) {
    let now = clock.now
    let since = handedOver.withLock { since in
      defer { since = now }
      return since
    }
    guard since < now else { return }
    let customers = server.store.population.arrivals(in: since..<now).compactMap { subscriber in
      let handed = server.store.receipt(of: subscriber, at: now)
      return ReceiptContents(handed.receipt)?.customerID.map {
        ImportedReceipt(.customer($0), appUserID: handed.appUserID, bundleID: handed.bundleID)
      }
    }
    if !customers.isEmpty { _ = try store.add(customers, at: now) }
  }

  func sweep(_ selection: SweepSelection, watcher: @escaping Sweep.Watcher) throws(SweepError) -> Sweep {
    do throws(StoreError) {
      try handOver()
    } catch {
      throw .store("\(error)")
    }
    guard let secret = SharedSecret(FakeStore.defaultSharedSecret) else {
      throw .transport("the fake App Store has no shared secret")
    }
    return try Sweep(
      selection, of: store, secrets: SharedSecrets(secret), serverAPI: try serverAPI(), options: options,
      by: "demo", clock: { [clock] in clock.now }, watcher: watcher)
  }

  /// Whoever is asked is the fake App Store, and what it signs is believed.
  private func serverAPI() throws(SweepError) -> ServerAPIAccess {
    guard let root = server.rootCertificate, let pem = SharedSecret(server.serverAPIKeyPEM),
      let key = ServerAPIKey(
        issuerID: server.issuerID, keyID: server.keyID, pem: pem, clock: { SystemClock.now })
    else { throw .transport("the fake App Store has no key") }
    return ServerAPIAccess(verifier: SignatureVerifier(root: root)) { app in
      app.map { .key(key, app: $0, mayUseReceipts: true) } ?? .receipts
    }
  }

  /// For the head, which says how fast the clock runs: a sweep of five seconds takes fifty minutes by it.
  var name: String { "demo, \(Int(clock.speed) / 60) min/s" }

  /// Receives what the App Store posts; nil where it posts nothing.
  var listener: BackgroundListener? { notifications?.listener }

  /// Ends the fake App Store and takes the store away.
  func remove() {
    server.stop()
    listener?.end()
    Self.remove(folder)
  }

  private static func temporaryFolder() throws(Failure) -> String {
    let base = Environment.filled("TMPDIR") ?? "/tmp"
    var template = Array((base + "/subtop-demo.XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .store, "cannot make a temporary folder in \(base): \(errorText()); set TMPDIR to another")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func remove(_ folder: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(folder + "/demo.sqlite" + suffix) }
    rmdir(folder)
  }
}
