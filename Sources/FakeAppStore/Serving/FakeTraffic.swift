import Subscriptions

/// What came to the fake App Store so far.
///
/// A request is under way from when its body is there until its answer is about to be sent; one that meets a fault of its
/// connection is so no longer, as its client may have gone and asked again.
public struct FakeTraffic: Sendable {
  public internal(set) var connections = 0
  /// Those to other addresses too.
  public internal(set) var requests = 0
  /// Those with `exclude-old-transactions: true`.
  public internal(set) var requestsExcludingOld = 0
  /// Those that followed a redirect.
  public internal(set) var requestsElsewhere = 0
  /// The answers that were compressed.
  public internal(set) var answersCompressed = 0
  /// The most requests that were under way together.
  public internal(set) var mostAtOnce = 0
  /// Those to the Server API.
  public internal(set) var serverAPIRequests: [ServerAPIEndpoint: Int] = [:]
  /// How often each fault happened.
  public internal(set) var faults: [Fault: Int] = [:]
  private var requestsBySecret: [String: Int] = [:]
  private var requestsBySubscriber: [Int: Int] = [:]
  private var requestsByApp: [BundleID: Int] = [:]
  private var mostAtOnceBySubscriber: [Int: Int] = [:]
  private var underWay: [Int: Int] = [:]
  private var underWayAltogether = 0
  private var requestsByStrangers = 0

  init() {}

  /// Requests that bore this shared secret.
  public func requests(bearing secret: String) -> Int { requestsBySecret[secret] ?? 0 }

  /// Requests about a subscriber's receipt, whichever version of it.
  public func requests(about subscriber: Subscriber) -> Int { requestsBySubscriber[subscriber.index] ?? 0 }

  /// Requests about receipts of an app.
  public func requests(about app: BundleID) -> Int { requestsByApp[app] ?? 0 }

  /// The most requests about one receipt that were under way together: 1 where none was asked about twice at once.
  public var mostAtOnceAboutOneReceipt: Int { mostAtOnceBySubscriber.values.max() ?? 0 }

  /// The most requests about a subscriber's receipt that were under way together.
  public func mostAtOnce(about subscriber: Subscriber) -> Int {
    mostAtOnceBySubscriber[subscriber.index] ?? 0
  }

  mutating func count(_ question: FakeQuestion) {
    if question.excludesOld { requestsExcludingOld += 1 }
    if let secret = question.secret { requestsBySecret[secret, default: 0] += 1 }
  }

  /// Counts a request in; gives how many there were about the same subscriber before.
  mutating func begin(about subscriber: Subscriber?) -> Int {
    underWayAltogether += 1
    mostAtOnce = max(mostAtOnce, underWayAltogether)
    guard let subscriber else {
      requestsByStrangers += 1
      return requestsByStrangers - 1
    }
    let index = subscriber.index
    requestsByApp[subscriber.bundleID, default: 0] += 1
    requestsBySubscriber[index, default: 0] += 1
    underWay[index, default: 0] += 1
    mostAtOnceBySubscriber[index] = max(mostAtOnceBySubscriber[index] ?? 0, underWay[index] ?? 0)
    return (requestsBySubscriber[index] ?? 1) - 1
  }

  mutating func end(about subscriber: Subscriber?) {
    underWayAltogether -= 1
    guard let index = subscriber?.index, let count = underWay[index] else { return }
    underWay[index] = count > 1 ? count - 1 : nil
  }
}
