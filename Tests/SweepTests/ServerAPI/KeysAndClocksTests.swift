import AppStore
import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// Keys that are wrong, clocks that are, apps without a release and limits, over the fake App Store: nothing is lost by any of them, and
/// a right key afterwards finds everything as it was.
@Suite struct KeysAndClocksTests {
  struct Key: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// By which this machine's clock is ahead.
    var ahead: Int64 = 0
    var keyID = FakeStore.defaultKeyID
    var issuerID = FakeStore.defaultIssuerID
    var isAnothers = false
    /// By how much the clock is said to be ahead; nil where the key is taken.
    var saysAhead: ClosedRange<Int64>?
  }

  /// A busy machine takes its time between signing and reading.
  private static let agrees: ClosedRange<Int64> = -5 * Milliseconds.minute...5 * Milliseconds.minute

  private static func about(_ milliseconds: Int64) -> ClosedRange<Int64> {
    milliseconds + agrees.lowerBound...milliseconds + agrees.upperBound
  }

  static let keys = [
    Key(testDescription: "the right one"),
    Key(testDescription: "a clock that is half a minute ahead", ahead: 30_000),
    Key(testDescription: "a clock that is half an hour behind", ahead: -30 * Milliseconds.minute),
    Key(
      testDescription: "a clock that is twenty minutes ahead", ahead: 20 * Milliseconds.minute,
      saysAhead: about(20 * Milliseconds.minute)),
    Key(
      testDescription: "a clock that is two hours behind", ahead: -2 * Milliseconds.hour,
      saysAhead: about(-2 * Milliseconds.hour)),
    Key(testDescription: "another team's key", isAnothers: true, saysAhead: agrees),
    Key(testDescription: "another key id", keyID: "ANOTHER", saysAhead: agrees),
    Key(testDescription: "another issuer", issuerID: "0-0-0-0-0", saysAhead: agrees),
  ]

  @Test(arguments: keys) func aRefusedKeyIsNamedAndNothingChanges(_ one: Key) async throws {
    let scene = try await SourcesScene(subscribers: 20, seed: 5)
    let store = try scene.store("store")
    let anothers = one.isAnothers ? ES256Key.generate()?.pem : scene.server.serverAPIKeyPEM
    let pem = try #require(anothers.flatMap { SharedSecret($0) })
    let ahead = one.ahead
    let made = ServerAPIKey(
      issuerID: one.issuerID, keyID: one.keyID, pem: pem, clock: { FakeClock.realNow + ahead })
    let key = try #require(made)
    let summary = try await scene.sweep(store, throughServerAPI: true, with: key)
    let status = try store.status(at: scene.clock.now, check: false)
    #expect(status.dead == 0)
    guard let says = one.saysAhead else {
      #expect(summary.stopped == nil && summary.counts.validated == summary.counts.picked)
      return
    }
    #expect(summary.stopped == .keyRefused && summary.counts.validated == 0)
    #expect(summary.counts.givenBack == summary.counts.picked && status.transactions == 0)
    let refused = try #require(summary.stoppedApps.first?.refusedKey)
    #expect(refused.keyID == one.keyID)
    #expect(refused.clockAheadMs.map(says.contains) == true, "\(refused)")
    let afterwards = try await scene.sweep(store, throughServerAPI: true)
    #expect(afterwards.stopped == nil && afterwards.counts.validated == afterwards.counts.picked)
  }

  /// In production all of its tokens are refused; whoever tests it is known in the sandbox.
  @Test func anAppWithoutARelease() async throws {
    let scene = try await SourcesScene(subscribers: 60, seed: 6) {
      $0.unreleasedApps = [FakeCatalog.bundleID]
    }
    let store = try scene.store("store")
    let summary = try await scene.sweep(store, throughServerAPI: true)
    let testers = scene.server.store.population.subscribers.filter { $0.kind == .tester }.count
    #expect(testers > 0 && summary.counts.validated == testers)
    #expect(try store.status(at: scene.clock.now, check: false).dead == 0, "a 401 says nothing of a customer")
  }

  /// The fake allows fewer requests a second than Apple: whoever is refused is asked about again, and nobody is given up.
  @Test func aLimitThatIsReached() async throws {
    let scene = try await SourcesScene(subscribers: 40, seed: 7) { $0.serverAPIRate = 10 }
    let store = try scene.store("store")
    var (refusals, sweeps, validated) = (0, 0, 0)
    let begun = ContinuousClock.now
    while validated < scene.handed.count, sweeps < 40 {
      let summary = try await scene.sweep(store, throughServerAPI: true)
      refusals += summary.counts.http[429] ?? 0
      (sweeps, validated) = (sweeps + 1, summary.counts.validated)
      #expect(summary.stopped == nil || summary.stopped == .unavailable)
      #expect(try store.status(at: scene.clock.now, check: false).dead == 0)
    }
    #expect(validated == scene.handed.count, "\(sweeps) sweeps, \(refusals) refusals")
    // A machine that is too busy for ten a second comes to no limit.
    #expect(refusals > 0 || ContinuousClock.now - begun > .seconds(1), "\(sweeps) sweeps")
    let unlimited = try await SourcesScene(subscribers: 40, seed: 7)
    let other = try unlimited.store("store")
    _ = try await unlimited.sweep(other, throughServerAPI: true)
    let expected = try KnownChains(other, at: scene.clock.now, hasMoney: true)
    let differences = try KnownChains(store, at: scene.clock.now, hasMoney: true).differences(from: expected)
    #expect(differences == [])
  }
}
