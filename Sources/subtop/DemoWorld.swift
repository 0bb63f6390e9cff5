import FakeAppStore
import Glibc
import Intake
import ReceiptStore
import Subscriptions
import Sweep

/// A store in a temporary folder and a fake App Store on loopback, filled through the same doors as real ones.
final class DemoWorld: Sendable {
  let store: ReceiptStore
  let clock: FakeClock
  private let server: FakeAppStoreServer
  private let options: SweepOptions
  private let folder: String
  private static let livingSpeed = 3600.0

  /// - Parameter isLiving: whether time passes an hour a second; otherwise it passes as it does.
  init(subscribers: Int, seed: UInt64, isLiving: Bool) throws(Failure) {
    clock = FakeClock(startingAt: SystemClock.now, speed: isLiving ? Self.livingSpeed : 1)
    var configuration = FakeAppStoreConfiguration(clock: clock)
    configuration.subscribers = subscribers
    configuration.seed = seed
    server = FakeAppStoreServer(configuration)
    let folder = try Self.temporaryFolder()
    self.folder = folder
    // Setting up a large demo takes a while, and nothing else hears a signal yet.
    let interruption = Interruption(hearing: { number in
      Self.remove(folder)
      Interruption.die(by: number)
    })
    defer {
      interruption.end()
      // Heard already: what is being taken away on the other thread is not to be worked on here.
      if interruption.number != nil { pause() }
    }
    do {
      _ = try server.start()
      // A day goes by in less than half a minute: with a check a week, figures would look stale that are not.
      var policy = DuePolicy.standard
      policy.active = Milliseconds.day / 2
      store = try ReceiptStore(path: folder + "/demo.sqlite", policy: policy)
      var options = SweepOptions(
        production: try AppStoreEndpoint(server.url(.production) ?? ""),
        sandbox: try AppStoreEndpoint(server.url(.sandbox) ?? ""))
      options.lease *= Int64(isLiving ? Self.livingSpeed : 1)
      self.options = options
      try Self.fill(store, from: server, at: clock.now)
    } catch {
      Self.remove(folder)
      throw Failure(.failed, "cannot set up the demo: \(error)")
    }
  }

  private static func fill(_ store: ReceiptStore, from server: FakeAppStoreServer, at now: Instant) throws {
    _ = try store.add(CatalogFile.read(Array(FakeCatalog.csv.utf8)).items)
    let receipts = server.store.receipts(at: now).map {
      ImportedReceipt(data: $0.receipt, appUserID: $0.appUserID, bundleID: $0.bundleID)
    }
    _ = try store.add(receipts, at: now)
  }

  func sweep(_ selection: SweepSelection, watcher: @escaping Sweep.Watcher) throws(SweepError) -> Sweep {
    guard let secret = SharedSecret(FakeStore.defaultSharedSecret) else {
      throw .transport("the fake App Store has no shared secret")
    }
    return try Sweep(
      selection, of: store, secrets: SharedSecrets(secret), options: options, by: "demo",
      clock: { [clock] in clock.now }, watcher: watcher)
  }

  /// Ends the fake App Store and takes the store away.
  func remove() {
    server.stop()
    Self.remove(folder)
  }

  private static func temporaryFolder() throws(Failure) -> String {
    let base = Environment.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
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
