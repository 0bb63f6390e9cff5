import Subscriptions

/// A request to verifyReceipt.
struct AskedReceipt: IncomingRequest {
  let question: FakeQuestion
  let store: FakeStore
  let endpoint: FakeEndpoint
  let isPosted: Bool

  var subscriber: Subscriber? { question.subscriber }
  func isPossible(_ fault: Fault) -> Bool { isPosted && fault.isOfReceipts }
  func count(in traffic: inout FakeTraffic) { traffic.count(question) }

  func answer(
    with fault: Fault?, at now: Instant, _ settings: FaultSettings, _ random: inout SplitMix64
  ) -> HTTPAnswer {
    guard isPosted else { return .ok(FakeAnswer.refusal(21000).body) }
    switch fault {
    case .status(let fault): return .ok(fault.answer.body)
    case .answer(let fault):
      return .ok(fault.body(of: question, from: store, at: endpoint, now: now, &random))
    default: return .ok(store.answer(to: question, endpoint: endpoint, at: now).body)
    }
  }
}
