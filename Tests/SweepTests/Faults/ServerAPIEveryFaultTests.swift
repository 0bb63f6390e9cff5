import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite(.tags(.long)) struct ServerAPIEveryFaultTests {
  private static let faults = Fault.allCases.filter(\.isOfServerAPI)

  private static func scene(subscribers: Int) async throws -> SourcesScene {
    try await SourcesScene(subscribers: subscribers, seed: 3) {
      $0.faultSettings.giganticSize = 4 << 20
      $0.faultSettings.slowness = 200
      $0.faultSettings.dripInterval = 100
      $0.faultSettings.retryAfter = 0
    }
  }

  private static func bounded(_ options: inout SweepOptions) { options.limits.answerBytes = 2 << 20 }

  private struct Known {
    let chains: KnownChains
    let figures: PlainFigures
    let dead: Int

    init(_ store: ReceiptStore, at t: Instant) throws {
      chains = try KnownChains(store, at: t, hasMoney: true)
      figures = try PlainFigures(store, at: [t], hasMoney: true)
      dead = try store.status(at: t, check: false).dead
    }

    func differences(from other: Known) -> [String] {
      chains.differences(from: other.chains) + figures.differences(from: other.figures)
        + (dead == other.dead ? [] : ["\(dead) dead instead of \(other.dead)"])
    }
  }

  @Test(arguments: faults) func noFaultChangesStoredData(_ fault: Fault) async throws {
    let scene = try await Self.scene(subscribers: 14)
    let store = try scene.store("store")
    _ = try await scene.sweep(store, throughServerAPI: true)
    let known = try Known(store, at: scene.clock.now)
    #expect(known.chains.texts.count > 8)
    scene.server.setFaults([FaultRate(fault, rate: 0.5)])
    _ = try await scene.sweep(store, throughServerAPI: true) {
      Self.bounded(&$0)
      $0.tries = 1
      if fault.hasNoEnd { $0.limits.total = 400 }
    }
    let during = try Known(store, at: scene.clock.now).differences(from: known)
    #expect(during.prefix(3) == [], "\(during.count)")
    scene.server.setFaults([])
    let after = try await scene.sweep(store, throughServerAPI: true)
    #expect(after.stopped == nil && after.counts.retryLater == 0 && after.counts.rejected == 0)
    let afterwards = try Known(store, at: scene.clock.now).differences(from: known)
    #expect(afterwards.prefix(3) == [], "\(afterwards.count)")
  }

  @Test func allFaultsTogetherLoseAndDuplicateNothing() async throws {
    let scene = try await Self.scene(subscribers: 60)
    let (peaceful, store) = (try scene.store("peaceful"), try scene.store("under fire"))
    _ = try await scene.sweep(peaceful, throughServerAPI: true)
    let expected = try Known(peaceful, at: scene.clock.now)
    let faults = Self.faults.filter { !$0.hasNoEnd }
    scene.server.setFaults(.sharing(0.2, among: faults))
    var (sweeps, requests) = (0, 0)
    while sweeps < 40,
      try KnownChains(store, at: scene.clock.now, hasMoney: true).texts.count < expected.chains.texts.count
    {
      let summary = try await scene.sweep(store, throughServerAPI: true, Self.bounded)
      #expect(summary.stopped != .interrupted)
      (sweeps, requests) = (sweeps + 1, requests + summary.counts.requests)
    }
    let struck = scene.server.traffic.faults
    scene.server.setFaults([])
    let last = try await scene.sweep(store, throughServerAPI: true)
    #expect(last.stopped == nil && last.counts.retryLater == 0)
    let differences = try Known(store, at: scene.clock.now).differences(from: expected)
    #expect(differences.prefix(3) == [], "\(differences.count)")
    #expect(scene.server.traffic.mostAtOnceAboutOneReceipt == 1)
    #expect(try store.status(at: scene.clock.now, check: true).integrity == "ok")
    print(
      "the Server API: \(requests) requests in \(sweeps) sweeps, \(struck.values.reduce(0, +)) faults of \(struck.count) kinds of "
        + "\(faults.count)")
    #expect(struck.count > faults.count / 3)
  }
}
