import Subscriptions

/// Counters of the requests that a fake App Store has received.
///
/// A request is active from the arrival of its body until its answer is about to be sent. After a fault of
/// the connection it does not count as active, since the client may have disconnected and retried.
public struct FakeTraffic: Sendable {
  public internal(set) var connections = 0
  /// Includes requests to unknown paths.
  public internal(set) var requests = 0
  /// Requests with `exclude-old-transactions: true`.
  public internal(set) var requestsExcludingOld = 0
  /// Requests that followed a redirect.
  public internal(set) var requestsElsewhere = 0
  /// Compressed answers.
  public internal(set) var answersCompressed = 0
  /// Greatest number of active requests.
  public internal(set) var mostAtOnce = 0
  /// Requests to the Server API by endpoint.
  public internal(set) var serverAPIRequests: [ServerAPIEndpoint: Int] = [:]
  /// Number of times that each fault happened.
  public internal(set) var faults: [Fault: Int] = [:]
  private var requestsBySecret: [String: Int] = [:]
  private var requestsBySubscriber: [Int: Int] = [:]
  private var requestsByApp: [BundleID: Int] = [:]
  private var mostAtOnceBySubscriber: [Int: Int] = [:]
  private var underWay: [Int: Int] = [:]
  private var underWayAltogether = 0
  private var requestsByStrangers = 0

  init() {}

  /// Returns the number of requests with a shared secret.
  public func requests(bearing secret: String) -> Int { requestsBySecret[secret] ?? 0 }

  /// Returns the number of requests for any version of a subscriber's receipt.
  public func requests(about subscriber: Subscriber) -> Int { requestsBySubscriber[subscriber.index] ?? 0 }

  /// Returns the number of requests for an app's receipts.
  public func requests(about app: BundleID) -> Int { requestsByApp[app] ?? 0 }

  /// Greatest number of active requests for one receipt: 1 if no receipt was queried twice at the same time.
  public var mostAtOnceAboutOneReceipt: Int { mostAtOnceBySubscriber.values.max() ?? 0 }

  /// Returns the greatest number of active requests for a subscriber's receipt.
  public func mostAtOnce(about subscriber: Subscriber) -> Int {
    mostAtOnceBySubscriber[subscriber.index] ?? 0
  }

  mutating func count(_ question: FakeQuestion) {
    if question.excludesOld { requestsExcludingOld += 1 }
    if let secret = question.secret { requestsBySecret[secret, default: 0] += 1 }
  }

  /// Counts a request, and returns the number of earlier requests for the same subscriber.
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
