import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

/// Every fault of the fake verifyReceipt, alone and combined, at 30 % of all connections and requests.
@Suite(.tags(.long)) struct EveryFaultTests {
  static let subscribers = 120
  static let apps = 2

  /// Repeated sweeps with faults must end like one sweep without faults.
  @Test func everyReceiptEndsValidatedOrRightlyDead() async throws {
    let clean = try await FaultScene(subscribers: Self.subscribers, apps: Self.apps)
    let reference = try await clean.sweep()
    #expect(reference.stopped == nil && reference.counts.retryLater == 0)
    let scene = try await FaultScene(subscribers: Self.subscribers, apps: Self.apps)
    // Endless faults are tested alone: after a timeout, a receipt could have two requests at once.
    let faults = Fault.allCases.filter { $0.isOfReceipts && !$0.hasNoEnd }
    scene.setFaults(.sharing(0.3, among: faults))
    var sweeps = 0
    var requests = 0
    var isUnfinished = true
    while isUnfinished, sweeps < 100 {
      let summary = try await scene.sweep()
      sweeps += 1
      requests += summary.counts.requests
      #expect(summary.stopped != .interrupted)
      isUnfinished = try scene.isUnfinished
      scene.advance(by: 6 * Milliseconds.hour)
    }
    #expect(!isUnfinished, "after \(sweeps) sweeps receipts were still left")
    #expect(try scene.figures() == clean.figures())
    let (dead, rightlyDead) = (try scene.dead(), try clean.dead())
    #expect(dead == rightlyDead)
    #expect(try scene.store.status(at: scene.now, check: true).integrity == "ok")
    #expect(scene.server.traffic.requestsElsewhere == 0, "a redirect was followed")
    #expect(scene.server.traffic.mostAtOnceAboutOneReceipt == 1)
    let struck = scene.server.traffic.faults.count
    print(
      "\(requests) requests in \(sweeps) sweeps, \(scene.server.traffic.faults.values.reduce(0, +)) faults of \(struck) kinds of \(faults.count)"
    )
    #expect(struck > faults.count / 2)
  }

  @Test(arguments: Fault.allCases.filter(\.isOfReceipts)) func noFaultChangesStoredData(
    _ fault: Fault
  ) async throws {
    let scene = try await FaultScene(subscribers: 16, apps: 1)
    // Shorter limit for speed. Receipts that time out are swept again below.
    if fault.hasNoEnd { scene.longest = 400 }
    _ = try await scene.sweep()
    let known = try scene.figures()
    let dead = try scene.store.status(at: scene.now).dead
    scene.setFaults([FaultRate(fault, rate: 0.5)])
    _ = try await scene.sweep(.all, tries: 1)
    #expect(try scene.figures() == known)
    #expect(try scene.store.status(at: scene.now).dead == dead)
    scene.setFaults([])
    let after = try await scene.sweep(.all)
    #expect(after.counts.retryLater == 0 && after.counts.rejected == 0)
    #expect(try scene.figures() == known)
  }
}

extension Fault {
  /// Whether only the client's time limit ends it.
  var hasNoEnd: Bool { self == .stall || self == .drip }
}

/// Store and fake App Store with a fixed clock, while the sweep's clock advances.
final class FaultScene {
  let store: ReceiptStore
  let server: FakeAppStoreServer
  private let folder = TemporaryFolder()
  private let clock = SceneClock()
  private let founded: Instant
  private var hasFaults = false
  /// Time limit of requests in milliseconds while there are faults.
  var longest: Int?

  init(subscribers: Int, apps: Int) async throws {
    store = try ReceiptStore(path: folder.file("store.sqlite"))
    founded = clock.now
    var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: clock.now))
    configuration.subscribers = subscribers
    configuration.apps = apps
    configuration.faultSettings.giganticSize = 4 << 20
    configuration.faultSettings.slowness = 200
    configuration.faultSettings.dripInterval = 100
    // Retry-After is tested in SweepTroubleTests.
    configuration.faultSettings.retryAfter = 0
    server = FakeAppStoreServer(configuration)
    _ = try server.start()
    let receipts = server.store.receipts(at: clock.now).map {
      ImportedReceipt(data: $0.receipt, appUserID: $0.appUserID, bundleID: $0.bundleID)
    }
    _ = try store.add(receipts, at: clock.now)
  }

  deinit { server.stop() }

  /// Without faults there is no short time limit, so that slow machines pass.
  func setFaults(_ faults: [FaultRate]) {
    server.setFaults(faults)
    hasFaults = !faults.isEmpty
  }

  var now: Instant { clock.now }
  func advance(by milliseconds: Int64) { clock.advance(milliseconds) }

  var isUnfinished: Bool {
    get throws {
      let queue = try store.queue(at: clock.now)
      return queue.retrying > 0 || queue.due > 0
    }
  }

  func sweep(_ selection: SweepSelection = .due, tries: Int = 3) async throws -> SweepSummary {
    var options = SweepOptions(
      production: try AppStoreEndpoint(server.url(.production) ?? ""),
      sandbox: try AppStoreEndpoint(server.url(.sandbox) ?? ""), concurrency: 8)
    options.tries = tries
    options.limits = .patient
    options.pause = Backoff(base: 10, longest: 50)
    if hasFaults, let longest { options.limits.total = longest }
    options.limits.answerBytes = 2 << 20
    let clock = clock
    return try await Sweep.finished(selection, of: store, options: options, clock: { clock.now })
  }

  func dead() throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try store.queue(at: now).dead.map { ($0.reason, $0.count) })
  }

  func figures() throws -> [FigureValues] {
    try Panel.allCases.map {
      try store.report(Question(panel: $0, at: founded, windowDays: 90, environment: .all)).data
    }
  }
}
