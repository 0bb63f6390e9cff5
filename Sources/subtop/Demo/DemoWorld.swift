import AppStore
import FakeAppStore
import Glibc
import Intake
import Listening
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization

/// Temporary store, and a fake App Store on loopback that fills it: a year of answers, then sweeps.
final class DemoWorld: Sendable {
  let store: ReceiptStore
  let clock: FakeClock
  /// Listener for notifications; `nil` if the demo receives none.
  let listener: BackgroundListener?
  private let server: FakeAppStoreServer
  private let options: SweepOptions
  private let folder: DemoFolder
  /// End of the period whose new customers have already been imported.
  private let handedOver: Mutex<Instant>
  /// Speed of the demo's clock: ten minutes per second.
  private static let livingSpeed = 600.0
  /// Number of days with Apple's reports, which contain a few customers that the store lacks.
  private static let reportedDays = 84
  private static let past = 365 * Milliseconds.day

  init(subscribers: Int, seed: UInt64, isLiving: Bool, isNotified: Bool) throws(Failure) {
    clock = FakeClock(startingAt: SystemClock.now, speed: isLiving ? Self.livingSpeed : 1)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    (configuration.subscribers, configuration.seed, configuration.stories) = (subscribers, seed, true)
    configuration.missingFromStore = [17, 23, 42]
    handedOver = Mutex(clock.now)
    let folder = try DemoFolder.make()
    self.folder = folder
    // Setting up a large demo takes a while, during which nothing else handles signals.
    let interruption = Interruption.ending { folder.remove() }
    defer {
      interruption.end()
      // After a signal another thread removes the folder, so this thread must not use it.
      if interruption.number != nil { pause() }
    }
    do {
      // Ten hours pass between two sweeps, so weekly checks would make fresh figures look stale.
      var policy = DuePolicy.standard
      (policy.active, policy.jitter) = (13 * Milliseconds.hour, 0.5)
      store = try ReceiptStore(path: folder.store, policy: policy)
      let notifications = DemoNotifications()
      var listening = ListenerOptions()
      (listening.port, listening.patience) = (0, nil)
      listener =
        isNotified
        ? BackgroundListener(store, listening, clock: { [clock] in clock.now }, admit: notifications.admit)
        : nil
      configuration.notificationAddress = try listener.map {
        try NotificationAddress(ListenerText.url(listening, port: $0.start()) + "/notifications")
      }
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
      notifications.take(signedBy: server.rootCertificate)
      // Notifications sent earlier would have been about unknown customers.
      server.postNotifications()
    } catch {
      folder.remove()
      throw Failure(Failure(error)?.code ?? .failed, "cannot set up the demo: \(error)")
    }
  }

  private static func fill(_ store: ReceiptStore, from server: FakeAppStoreServer, at now: Instant) throws {
    let catalog = server.store.population.stories?.catalogCSV ?? FakeCatalog.csv
    _ = try store.add(CatalogFile.read(Array(catalog.utf8)).items)
    let rates = RatesFile.read(Array(FakeRates.csv(until: now).utf8)).items.flatMap {
      $0.rates(reporting: FakeRates.base)
    }
    _ = try store.add(rates, reporting: FakeRates.base)
    let population = server.store.population
    let line = ProgressLine()
    var done = 0
    defer { line.clear() }
    let pages = { (_: [ImportSummary.Refusal]) -> ImportPage<ImportedAnswer> in
      var answers: [ImportedAnswer] = []
      while answers.count < 500, done < population.countAtFounding {
        answers += server.store.past(of: population[done], since: now - past, upTo: now)
        done += 1
      }
      if line.isTerminal {
        line.show(
          "simulating a year of \(population.countAtFounding) subscribers",
          share: Double(done) / Double(max(population.countAtFounding, 1)))
      }
      return answers.isEmpty ? .end : .items(answers)
    }
    _ = try store.add(pages: pages, at: now)
    let last = FakeReports.newestDay(at: now)
    let first = CivilDate(daysSince1970: last.daysSince1970 - reportedDays + 1)
    var files = FakeReports(of: population, days: first...last).files.makeIterator()
    let reports = { () -> ImportPage<AppleReportItem> in
      files.next().map { .items(AppleReportsFile.read(Array($0.text.utf8), named: $0.name).items) } ?? .end
    }
    _ = try store.addAppleReports(pages: reports, at: now, hash: ImportCommand.hash)
  }

  /// Imports the ids of the app's new customers.
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

  private func serverAPI() throws(SweepError) -> ServerAPIAccess {
    guard let root = server.rootCertificate, let pem = SharedSecret(server.serverAPIKeyPEM),
      let key = ServerAPIKey(
        issuerID: server.issuerID, keyID: server.keyID, pem: pem, clock: { SystemClock.now })
    else { throw .transport("the fake App Store has no key") }
    return ServerAPIAccess(verifier: SignatureVerifier(root: root)) { app in
      app.map { .key(key, app: $0, mayUseReceipts: true) } ?? .receipts
    }
  }

  /// Name in the dashboard's header, with the clock's speed, because sweeps take minutes of the demo's time.
  var name: String { "demo, \(Int(clock.speed) / 60) min/s" }

  func remove() {
    server.stop()
    listener?.end()
    folder.remove()
  }
}
