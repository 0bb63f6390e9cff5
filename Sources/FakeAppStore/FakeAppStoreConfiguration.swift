import Subscriptions

/// How a fake App Store is to behave.
public struct FakeAppStoreConfiguration: Sendable {
  public var subscribers = 5000
  public var seed: UInt64 = 1
  /// The instant at which the population is as described; nil is the clock's own beginning.
  public var founded: Instant?
  /// Whether the population has a past with stories in it, and customers go on coming.
  public var stories = false
  /// On 127.0.0.1; 0 takes a free one.
  public var port = 0
  /// How many apps the subscribers use, by turns: `FakeCatalog.bundleID(ofApp:)` names them.
  public var apps = 1
  /// The secret of every app that has none of its own.
  public var sharedSecret = FakeStore.defaultSharedSecret
  /// App-specific shared secrets: such an app takes no other.
  public var sharedSecrets: [BundleID: String] = [:]
  /// Who bears the Server API's key.
  public var issuerID = FakeStore.defaultIssuerID
  public var keyID = FakeStore.defaultKeyID
  /// Requests a second that the Server API takes for each app and endpoint, and a tenth of it in the sandbox; nil is no limit.
  public var serverAPIRate: Int?
  /// Apps without a release: in production the Server API believes none of their tokens.
  public var unreleasedApps: Set<BundleID> = []
  /// Where notifications of what happens are posted to; nil is nowhere.
  public var notificationAddress: NotificationAddress?
  /// Whether they are posted from the start on; otherwise from `postNotifications()` on, with those that came due meanwhile.
  public var postsFromTheStart = true
  public var faults: [FaultRate] = []
  public var faultSettings = FaultSettings()
  /// Whether answers are compressed for a client that says `Accept-Encoding: gzip`.
  public var compresses = true
  /// Milliseconds that every answer takes longer.
  public var latency: Int64 = 0
  /// Bytes by which every receipt is longer.
  public var receiptPadding = 0
  public var clock: FakeClock

  public init(clock: FakeClock = FakeClock(startingAt: FakeClock.realNow)) { self.clock = clock }

  var store: FakeStore {
    let population = FakePopulation(
      subscribers: subscribers, seed: seed, founded: founded ?? clock.now, apps: apps, stories: stories)
    return FakeStore(
      population: population, sharedSecret: sharedSecret, sharedSecrets: sharedSecrets,
      receiptPadding: receiptPadding)
  }
}
