import Subscriptions

/// A request that was read, whichever of the two APIs it is to.
protocol IncomingRequest: Sendable {
  /// Whom it is about; nil where that is nobody.
  var subscriber: Subscriber? { get }
  /// Which of the two stores is asked, as faults know them.
  var endpoint: FakeEndpoint { get }

  func isPossible(_ fault: Fault) -> Bool
  func count(in traffic: inout FakeTraffic)
  /// - Parameter fault: one that the body can have; of any other the answer is right.
  func answer(
    with fault: Fault?, at now: Instant, _ settings: FaultSettings, _ random: inout SplitMix64
  ) -> HTTPAnswer
}

extension IncomingRequest {
  func answer(at now: Instant, _ settings: FaultSettings, _ random: inout SplitMix64) -> HTTPAnswer {
    answer(with: nil, at: now, settings, &random)
  }
}
