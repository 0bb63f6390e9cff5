import AppStore
import HTTPServer
import NIOCore
import NIOHTTP1
import Subscriptions
import Synchronization

/// Takes HTTP requests to the store, and lets happen to them what was asked for.
final class RequestHandler: Sendable {
  private let settings: FaultSettings
  private let store: FakeStore
  private let serverAPI: ServerAPI?
  private let clock: FakeClock
  private let latency: Int64
  private let seed: UInt64
  private let compresses: Bool
  private let faults: Mutex<[FaultRate]>
  private let counted = Mutex(FakeTraffic())

  /// The largest body that is read; Apple's own limit is not known.
  static let largestRequest = 32 << 20

  init(store: FakeStore, serverAPI: ServerAPI?, configuration: FakeAppStoreConfiguration) {
    (self.store, self.serverAPI) = (store, serverAPI)
    clock = configuration.clock
    latency = configuration.latency
    seed = configuration.seed
    compresses = configuration.compresses
    settings = configuration.faultSettings
    faults = Mutex(configuration.faults)
  }

  var requestCount: Int { counted.withLock { $0.requests } }
  var traffic: FakeTraffic { counted.withLock { $0 } }

  func setFaults(_ faults: [FaultRate]) { self.faults.withLock { $0 = faults } }

  /// Counts a connection, and resets it if its fault says so.
  func admit(_ channel: any Channel) {
    let faults = faults.withLock { $0 }
    let fault = counted.withLock { traffic -> ConnectionFault? in
      traffic.connections += 1
      guard !faults.isEmpty else { return nil }
      var random = SplitMix64(seed: seed, index: traffic.connections, stream: 11)
      let fault = faults.connectionFault(&random)
      if let fault { traffic.faults[.connection(fault), default: 0] += 1 }
      return fault
    }
    if fault == .refuse { channel.reset() }
  }

  /// Returns the response; `nil` closes the connection without one.
  func respond(to request: HTTPRequest, on channel: any Channel) async -> HTTPResponse? {
    guard var response = try? await answer(request, channel) else { return nil }
    response.headers.replaceOrAdd(name: "Date", value: FakeClock.realNow.httpDate)
    return response
  }

  private func answer(_ request: HTTPRequest, _ channel: any Channel) async throws -> HTTPResponse? {
    let isElsewhere = request.path.hasPrefix(Redirect.elsewhere)
    counted.withLock { traffic in
      traffic.requests += 1
      traffic.requestsElsewhere += isElsewhere ? 1 : 0
    }
    let path = isElsewhere ? String(request.path.dropFirst(Redirect.elsewhere.count)) : request.path
    guard let route = Route(request.method.rawValue, path) else {
      if ServerAPICall.isBelow(path) { return HTTPResponse(.refusal(.generalNotFound)) }
      return .page(.notFound, "There is no such page at this App Store.")
    }
    guard !request.isTooLarge else {
      return .page(.payloadTooLarge, "That is longer than this App Store reads.")
    }
    let asked = asked(request, at: route)
    var (fault, random) = begin(asked, isElsewhere: isElsewhere)
    var isUnderWay = true
    func end() {
      if isUnderWay { counted.withLock { $0.end(about: asked.subscriber) } }
      isUnderWay = false
    }
    defer { end() }
    // The client may be gone, and ask again, before this is over.
    if case .transport = fault { end() }
    try await pause(latency)
    switch fault {
    case .page(let fault): return HTTPResponse(fault, settings: settings, path: path)
    case .transport(let fault) where fault != .slow:
      let answer = asked.answer(at: clock.now, settings, &random)
      let delivery = Delivery(answer: answer.body, channel: channel, settings: settings)
      var response = try await delivery.response(fault, &random)
      response?.status = HTTPResponseStatus(statusCode: answer.status)
      return response
    case .transport:
      try await pause(settings.slowness)
      fallthrough
    default: return response(asked.answer(with: fault, at: clock.now, settings, &random), to: request)
    }
  }

  private func asked(_ request: HTTPRequest, at route: Route) -> any IncomingRequest {
    switch route {
    case .verifyReceipt(let endpoint):
      return AskedReceipt(
        question: store.question(in: request.body), store: store, endpoint: endpoint,
        isPosted: request.method == .POST)
    case .serverAPI(let call):
      let question = ServerAPIRequest(
        call: call, query: request.query, authorization: request.headers.first(name: "Authorization"),
        body: request.body)
      return AskedServerAPI(request: question, serverAPI: serverAPI)
    }
  }

  /// The die of a request follows from the receipt and how often it was asked about, so that the order in which
  /// several come does not matter.
  private func begin(_ asked: any IncomingRequest, isElsewhere: Bool) -> (Fault?, SplitMix64) {
    let faults = isElsewhere ? [] : faults.withLock { $0 }
    return counted.withLock { traffic in
      asked.count(in: &traffic)
      let earlier = traffic.begin(about: asked.subscriber)
      let receipt = asked.subscriber.map { $0.index + 1 } ?? 0
      var random = SplitMix64(seed: seed &+ UInt64(earlier) << 32, index: receipt, stream: 9)
      guard !faults.isEmpty,
        let fault = faults.fault(at: asked.endpoint, &random, among: asked.isPossible)
      else { return (nil, random) }
      traffic.faults[fault, default: 0] += 1
      return (fault, random)
    }
  }

  private func pause(_ milliseconds: Int64) async throws {
    if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
  }

  private func response(_ answer: HTTPAnswer, to request: HTTPRequest) -> HTTPResponse {
    guard compresses, answer.body.count > 512,
      request.headers.first(name: "Accept-Encoding")?.contains("gzip") == true
    else { return HTTPResponse(answer) }
    counted.withLock { $0.answersCompressed += 1 }
    return HTTPResponse(answer, compressed: Gzip.compressed(answer.body))
  }
}

/// What a path leads to.
enum Route: Sendable {
  case verifyReceipt(FakeEndpoint)
  case serverAPI(ServerAPICall)

  /// Nil where there is no such page.
  init?(_ method: String, _ path: String) {
    if let endpoint = FakeEndpoint(rawValue: path) {
      self = .verifyReceipt(endpoint)
    } else if let call = ServerAPICall(method, path) {
      self = .serverAPI(call)
    } else {
      return nil
    }
  }
}

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
