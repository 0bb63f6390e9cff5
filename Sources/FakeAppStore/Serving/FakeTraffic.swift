/// Counters of the requests that a fake App Store has received.
///
/// A request is active from the arrival of its body until its answer is about to be sent. With a fault of the
/// connection, it stops being active at once, because the client may disconnect and retry.
public struct FakeTraffic: Sendable {
  public internal(set) var connections = 0
  /// Number of requests, including requests to unknown paths.
  public internal(set) var requests = 0
  public internal(set) var requestsElsewhere = 0
  public private(set) var mostAtOnce = 0
  /// Greatest number of active requests for one receipt: 1 if no receipt was queried twice at the same time.
  public private(set) var mostAtOnceAboutOneReceipt = 0
  public internal(set) var faults: [Fault: Int] = [:]
  /// Number of requests by the index of the subscriber; the key is `nil` for requests without a subscriber.
  private var requestsAbout: [Int?: Int] = [:]
  private var active: [Int?: Int] = [:]
  private var activeAltogether = 0

  /// Counts a request, and returns the number of earlier requests for the same subscriber.
  mutating func begin(about subscriber: Subscriber?) -> Int {
    activeAltogether += 1
    mostAtOnce = max(mostAtOnce, activeAltogether)
    let index = subscriber?.index
    active[index, default: 0] += 1
    if let index {
      mostAtOnceAboutOneReceipt = max(mostAtOnceAboutOneReceipt, active[index] ?? 0)
    }
    defer { requestsAbout[index, default: 0] += 1 }
    return requestsAbout[index] ?? 0
  }

  mutating func end(about subscriber: Subscriber?) {
    activeAltogether -= 1
    active[subscriber?.index, default: 1] -= 1
  }
}
