import FoundationEssentials
import Subscriptions

/// Settings of a fake App Store: its population, credentials, faults and clock.
public struct FakeAppStoreConfiguration: Sendable {
  public var subscribers = 5000
  public var seed: UInt64 = 1
  /// Whether the population has the events of `Stories` and new customers continue to arrive.
  public var stories = false
  public var port = 0
  /// Number of apps, assigned to subscribers in turn; `FakeCatalog.bundleID(ofApp:)` returns their ids.
  public var apps = 1
  public var sharedSecret = FakeStore.defaultSharedSecret
  public var issuerID = FakeStore.defaultIssuerID
  public var keyID = FakeStore.defaultKeyID
  public var notificationAddress: NotificationAddress?
  public var reports = FakeReports.Options()
  /// Indices of subscribers that only Apple's reports contain.
  public var missingFromStore: Set<Int> = []
  public var faults: [FaultRate] = []
  public var faultSettings = FaultSettings()
  public var latency: Int64 = 0
  public var clock: FakeClock

  public init(clock: FakeClock = FakeClock(startingAt: FakeClock.realNow)) { self.clock = clock }

  var store: FakeStore {
    var population = FakePopulation(
      subscribers: subscribers, seed: seed, founded: clock.now, apps: apps, stories: stories)
    population.missingFromStore = missingFromStore
    var store = FakeStore(population: population)
    store.sharedSecret = sharedSecret
    return store
  }
}

/// Address that notifications are posted to: plain HTTP on the local machine.
public struct NotificationAddress: Sendable, Hashable {
  public let host: String
  public let port: Int
  public let path: String

  public struct Problem: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  public init(_ text: String) throws(Problem) {
    func problem(_ reason: String) -> Problem {
      Problem(description: "cannot post notifications to this address: \(reason)")
    }
    guard text.hasPrefix("http://"), let url = URL(string: text) else {
      throw problem("it must begin with http:// and be on this machine")
    }
    let host = url.host() ?? ""
    guard ["127.0.0.1", "localhost", "::1"].contains(host), url.user() == nil else {
      throw problem("the fake App Store posts only to 127.0.0.1, localhost and [::1]")
    }
    let port = url.port ?? 80
    guard (1...65_535).contains(port) else { throw problem("its port is not from 1 to 65535") }
    let query = url.query().map { "?\($0)" } ?? ""
    (self.host, self.port, path) = (host, port, (url.path().isEmpty ? "/" : url.path()) + query)
  }
}
