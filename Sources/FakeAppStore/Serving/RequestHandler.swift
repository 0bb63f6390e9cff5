import AppStore
import HTTPServer
import NIOCore
import NIOHTTP1
import Subscriptions
import Synchronization

/// Handler of HTTP requests: finds the answer, and injects the configured faults.
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

  /// Maximum size of a body in bytes. Apple's limit is not known.
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
    let isRefused = counted.withLock { traffic in
      traffic.connections += 1
      var random = SplitMix64(seed: seed, index: traffic.connections, stream: 11)
      guard faults.drawn(&random, among: { $0.fault == .refuse }) != nil else { return false }
      traffic.faults[.refuse, default: 0] += 1
      return true
    }
    if isRefused { channel.reset() }
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
    guard let asked = asked(request, at: path) else {
      if ServerAPICall.isBelow(path) { return HTTPResponse(.refusal(.generalNotFound)) }
      return .page(404, "There is no such page at this App Store.")
    }
    guard !request.isTooLarge else {
      return .page(413, "That is longer than this App Store reads.")
    }
    var (fault, random) = begin(asked, isElsewhere: isElsewhere)
    var isUnderWay = true
    func end() {
      if isUnderWay { counted.withLock { $0.end(about: asked.subscriber) } }
      isUnderWay = false
    }
    defer { end() }
    switch fault {
    case .reset, .cut, .stall, .drip, .gigantic:
      // The client may disconnect and retry before the answer ends.
      end()
      try await pause(latency)
      let answer = asked.answer(at: clock.now, &random)
      let delivery = Delivery(answer: answer.body, channel: channel, settings: settings)
      var response = try await delivery.response(fault, &random)
      response?.status = HTTPResponseStatus(statusCode: answer.status)
      return response
    case .slow:
      end()
      try await pause(latency + settings.slowness)
    default: try await pause(latency)
    }
    switch fault {
    case .html: return .page(200, "We will be back soon.")
    case .status(401): return HTTPResponse(.unauthenticated)
    case .status(let code) where code < 600: return .page(code, settings, path: path)
    default: return response(asked.answer(with: fault, at: clock.now, &random), to: request)
    }
  }

  /// Parses a request; `nil` if there is no such page.
  private func asked(_ request: HTTPRequest, at path: String) -> (any IncomingRequest)? {
    if let endpoint = FakeEndpoint(rawValue: path) {
      return AskedReceipt(
        question: store.question(in: request.body), store: store, endpoint: endpoint,
        isPosted: request.method == .POST)
    }
    guard let call = ServerAPICall(request.method.rawValue, path) else { return nil }
    let question = ServerAPIRequest(
      call: call, query: request.query, authorization: request.headers.first(name: "Authorization"),
      body: request.body)
    return AskedServerAPI(request: question, serverAPI: serverAPI, retryAfter: settings.retryAfter)
  }

  /// Counts a request and draws its fault. The random numbers depend on the receipt and its number of earlier
  /// requests, so that the order of concurrent requests does not matter.
  private func begin(_ asked: any IncomingRequest, isElsewhere: Bool) -> (Fault?, SplitMix64) {
    let faults = isElsewhere ? [] : faults.withLock { $0 }
    return counted.withLock { traffic in
      asked.count(in: &traffic)
      let earlier = traffic.begin(about: asked.subscriber)
      let receipt = asked.subscriber.map { $0.index + 1 } ?? 0
      var random = SplitMix64(seed: seed &+ UInt64(earlier) << 32, index: receipt, stream: 9)
      let fault = faults.drawn(&random) {
        $0.fault != .refuse && ($0.endpoint ?? asked.endpoint) == asked.endpoint && asked.isPossible($0.fault)
      }
      guard let fault else { return (nil, random) }
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

/// Parsed request to verifyReceipt or the Server API.
protocol IncomingRequest: Sendable {
  /// Customer that the request is about; `nil` if there is none.
  var subscriber: Subscriber? { get }
  /// Environment of the request, as faults name it.
  var endpoint: FakeEndpoint { get }

  func isPossible(_ fault: Fault) -> Bool
  func count(in traffic: inout FakeTraffic)
  /// - Parameter fault: a fault of the content. With any other fault the answer is correct.
  func answer(with fault: Fault?, at now: Instant, _ random: inout SplitMix64) -> HTTPAnswer
}

extension IncomingRequest {
  func answer(at now: Instant, _ random: inout SplitMix64) -> HTTPAnswer {
    answer(with: nil, at: now, &random)
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

  func answer(with fault: Fault?, at now: Instant, _ random: inout SplitMix64) -> HTTPAnswer {
    guard isPosted else { return .ok(FakeAnswer.refusal(21000).body) }
    func answer(_ change: (inout ReceiptStatement) -> Void = { _ in }) -> [UInt8] {
      store.answer(to: question, endpoint: endpoint, at: now, change).body
    }
    let stranger = question.subscriber.flatMap { store.population.neighbour(of: $0, &random) }
    let body =
      switch fault {
      case .status(let code):
        FakeAnswer.refusal(code, isRetryable: code < 21100 ? nil : code < 21150).body
      case .emptyHistory: answer { $0.life = .empty }
      case .clockAhead: answer { $0.requestDate = now + 2 * Milliseconds.day }
      case .anotherReceipt:
        answer { statement in
          if let stranger {
            (statement.subscriber, statement.life) = (stranger, Life(of: stranger, until: now))
          }
        }
      // iOS 6 style answers contain only one subscription and remain correct.
      case .stranger: answer { $0.strangers = stranger.map { Life(of: $0, until: now) } ?? .empty }
      case .latestReceipt:
        Forgery.latestReceipt(
          answer(), stranger: stranger.map { store.receipt(of: $0, at: now).receipt.base64 }, &random)
      case let fault?: Forgery.body(answer(), with: fault, &random)
      case nil: answer()
      }
    return .ok(body)
  }
}

/// A request to the Server API.
struct AskedServerAPI: IncomingRequest {
  let request: ServerAPIRequest
  /// `nil` if no keys could be generated.
  let serverAPI: ServerAPI?
  /// Seconds in a fault's `Retry-After`.
  let retryAfter: Int

  var subscriber: Subscriber? { serverAPI?.subscriber(of: request.call) }
  var endpoint: FakeEndpoint { request.call.isSandbox ? .sandbox : .production }

  func isPossible(_ fault: Fault) -> Bool { fault == .staleToken ? staleness != nil : fault.isOfServerAPI }

  /// Error for an invalid revision or pagination token; `nil` if the request has neither.
  private var staleness: FakeServerAPIError? {
    switch request.call.endpoint {
    case .history where !request.values("revision").isEmpty: .invalidRequestRevision
    case .notificationHistory where !request.values("paginationToken").isEmpty: .paginationTokenExpired
    default: nil
    }
  }

  func count(in traffic: inout FakeTraffic) {
    traffic.serverAPIRequests[request.call.endpoint, default: 0] += 1
  }

  func answer(with fault: Fault?, at now: Instant, _ random: inout SplitMix64) -> HTTPAnswer {
    guard let serverAPI else { return .refusal(.generalInternal) }
    let realNow = FakeClock.realNow
    switch fault {
    case .status(let code):
      let error = FakeServerAPIError(rawValue: code) ?? .generalInternal
      let later = realNow + Int64(retryAfter) * Milliseconds.second
      return .refusal(error, retryAfter: error == .rateLimitExceeded ? later : nil)
    case .staleToken: return .refusal(staleness ?? .generalInternal)
    default: return serverAPI.answer(to: request, at: now, realNow: realNow, with: fault, &random)
    }
  }
}
