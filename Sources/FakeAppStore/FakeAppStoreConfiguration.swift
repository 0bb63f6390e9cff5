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

/// Where notifications are posted to: over HTTP, on this machine alone.
public struct NotificationAddress: Sendable, Hashable {
  public let host: String
  public let port: Int
  /// With what comes after it.
  public let path: String

  /// Why an address is refused, in a sentence.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    public let description: String
  }

  public init(_ text: String) throws(Problem) {
    guard text.hasPrefix("http://") else {
      throw Problem(
        description:
          "notifications cannot be posted there: the address has to begin with http:// and to be on this machine"
      )
    }
    let rest = text.dropFirst(7)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let place = rest.dropFirst(authority.count)
    let (name, number) = Self.parts(of: authority)
    guard ["127.0.0.1", "localhost", "[::1]"].contains(name) else {
      throw Problem(
        description:
          "notifications cannot be posted there: the fake App Store posts to 127.0.0.1, localhost and [::1] alone"
      )
    }
    guard let port = number.isEmpty ? 80 : Int(number), (1...65_535).contains(port) else {
      throw Problem(description: "notifications cannot be posted there: its port is none from 1 to 65535")
    }
    host = name == "[::1]" ? "::1" : String(name)
    self.port = port
    path = place.first == "/" ? String(place) : "/" + place
  }

  private static func parts(of authority: Substring) -> (Substring, Substring) {
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[end...].lastIndex(of: ":") else { return (authority, "") }
    let port = authority[authority.index(after: colon)...]
    // A colon without a number behind it is a mistake.
    return (authority[..<colon], port.isEmpty ? "0" : port)
  }
}
