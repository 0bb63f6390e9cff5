import Subscriptions

/// A request to the Server API.
struct AskedServerAPI: IncomingRequest {
  let request: ServerAPIRequest
  /// Nil where there are no keys to sign with.
  let serverAPI: ServerAPI?

  var subscriber: Subscriber? { serverAPI?.subscriber(of: request.call) }
  var endpoint: FakeEndpoint { request.call.isSandbox ? .sandbox : .production }

  func isPossible(_ fault: Fault) -> Bool {
    if case .serverError(let fault) = fault { fault.isPossible(request) } else { fault.isOfServerAPI }
  }

  func count(in traffic: inout FakeTraffic) {
    traffic.serverAPIRequests[request.call.endpoint, default: 0] += 1
  }

  func answer(
    with fault: Fault?, at now: Instant, _ settings: FaultSettings, _ random: inout SplitMix64
  ) -> HTTPAnswer {
    guard let serverAPI else { return .refusal(.generalInternal) }
    let realNow = FakeClock.realNow
    switch fault {
    case .serverError(let fault):
      guard let error = fault.error else { return .unauthenticated }
      let isLimit = error == .rateLimitExceeded
      let later = realNow + Int64(settings.retryAfter) * Milliseconds.second
      return .refusal(error, retryAfter: isLimit ? later : nil)
    case .signed(let fault):
      return serverAPI.answer(to: request, at: now, realNow: realNow, with: fault, &random)
    case .answer(let fault):
      return serverAPI.answer(to: request, at: now, realNow: realNow, with: fault, &random)
    default: return serverAPI.answer(to: request, at: now, realNow: realNow)
    }
  }
}
