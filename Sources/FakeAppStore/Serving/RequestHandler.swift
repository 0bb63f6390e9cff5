import AppStore
import HTTPServer
import NIOCore
import NIOHTTP1
import Subscriptions
import Synchronization

/// Handler of HTTP requests that finds the answers and injects the configured faults.
final class RequestHandler: Sendable {
  private let configuration: FakeAppStoreConfiguration
  private let store: FakeStore
  private let serverAPI: ServerAPI?
  private let reports: ReportsAPI?
  private let faults: Mutex<[FaultRate]>
  private let counted = Mutex(FakeTraffic())

  /// Maximum bytes of a body; Apple's limit is not known.
  static let largestRequest = 32 << 20

  init(store: FakeStore, serverAPI: ServerAPI?, configuration: FakeAppStoreConfiguration) {
    (self.store, self.serverAPI, self.configuration) = (store, serverAPI, configuration)
    reports = serverAPI.map { ReportsAPI(store.population, check: $0.check, configuration.reports) }
    faults = Mutex(configuration.faults)
  }

  var traffic: FakeTraffic { counted.withLock { $0 } }

  func setFaults(_ faults: [FaultRate]) { self.faults.withLock { $0 = faults } }

  /// Counts a connection, and resets it if the fault `refuse` is drawn.
  func admit(_ channel: any Channel) {
    let faults = faults.withLock { $0 }
    let isRefused = counted.withLock { traffic in
      traffic.connections += 1
      var random = SplitMix64(seed: configuration.seed, index: traffic.connections, stream: 11)
      guard faults.drawn(&random, among: { $0 == .refuse }) != nil else { return false }
      traffic.faults[.refuse, default: 0] += 1
      return true
    }
    if isRefused { channel.reset() }
  }

  func respond(to request: HTTPRequest, on channel: any Channel) async -> HTTPResponse? {
    guard var response = try? await answer(request, channel) else { return nil }
    response.headers.replaceOrAdd(name: "Date", value: FakeClock.realNow.httpDate)
    return response
  }

  private func answer(_ request: HTTPRequest, _ channel: any Channel) async throws -> HTTPResponse? {
    let isElsewhere = request.path.hasPrefix(FaultSettings.elsewhere)
    counted.withLock { traffic in
      traffic.requests += 1
      traffic.requestsElsewhere += isElsewhere ? 1 : 0
    }
    let path = isElsewhere ? String(request.path.dropFirst(FaultSettings.elsewhere.count)) : request.path
    guard let incoming = incoming(request, at: path) else {
      if ServerAPIRequest.isBelow(path) { return .refusal(.generalNotFound) }
      return .page(404, "There is no such page at this App Store.")
    }
    guard !request.isTooLarge else {
      return .page(413, "That is longer than this App Store accepts.")
    }
    var (fault, random) = begin(incoming, isElsewhere: isElsewhere)
    var isActive = true
    func end() {
      if isActive { counted.withLock { $0.end(about: incoming.subscriber) } }
      isActive = false
    }
    defer { end() }
    let (settings, clock) = (configuration.faultSettings, configuration.clock)
    if let fault, fault.isOfConnection { end() }
    let delay = configuration.latency + (fault == .slow ? settings.slowness : 0)
    if delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
    switch fault {
    case .html: return .page(200, "We will be back soon.")
    case .status(401): return .unauthenticated
    case .status(let code) where code < 600: return .page(code, settings, path: path)
    case let fault? where fault.isOfConnection && fault != .slow:
      return try await incoming.answer(nil, clock.now, &random)
        .failing(with: fault, on: channel, settings, &random)
    default:
      var response = incoming.answer(fault, clock.now, &random)
      if request.headers.first(name: "Accept-Encoding")?.contains("gzip") == true { response.compress() }
      return response
    }
  }

  private func incoming(_ request: HTTPRequest, at path: String) -> IncomingRequest? {
    if let endpoint = FakeEndpoint(rawValue: path) {
      return store.incoming(request.method == .POST ? request.body : nil, endpoint: endpoint)
    }
    guard let call = ServerAPIRequest(request, at: path) else { return reports?.incoming(request, at: path) }
    return serverAPI?.incoming(call)
      ?? IncomingRequest(subscriber: nil, isPossible: { _ in false }) { _, _, _ in
        // The Server API is missing because no keys could be generated.
        .refusal(.generalInternal)
      }
  }

  /// Counts a request and draws its fault.
  ///
  /// The random numbers depend on the receipt and the number of its earlier requests, so that the order of
  /// concurrent requests does not matter.
  private func begin(_ incoming: IncomingRequest, isElsewhere: Bool) -> (Fault?, SplitMix64) {
    let faults = isElsewhere ? [] : faults.withLock { $0 }
    return counted.withLock { traffic in
      let earlier = traffic.begin(about: incoming.subscriber)
      let receipt = incoming.subscriber.map { $0.index + 1 } ?? 0
      var random = SplitMix64(seed: configuration.seed &+ UInt64(earlier) << 32, index: receipt, stream: 9)
      let fault = faults.drawn(&random) { $0 != .refuse && incoming.isPossible($0) }
      if let fault { traffic.faults[fault, default: 0] += 1 }
      return (fault, random)
    }
  }
}

extension FakeStore {
  fileprivate func incoming(_ body: [UInt8]?, endpoint: FakeEndpoint) -> IncomingRequest {
    let question = FakeQuestion(body: body ?? [], to: population)
    return IncomingRequest(subscriber: question.subscriber) { fault in
      body != nil && fault.isOfReceipts
    } answer: { fault, now, random in
      guard body != nil else { return .json(FakeAnswer.refusal(21000).body) }
      func answer(_ change: (inout ReceiptStatement) -> Void = { _ in }) -> [UInt8] {
        self.answer(to: question, endpoint: endpoint, at: now, change).body
      }
      let stranger = question.subscriber.flatMap { population.neighbour(of: $0, &random) }
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
        // iOS 6 style answers remain correct, because they contain only one subscription.
        case .stranger: answer { $0.strangers = stranger.map { Life(of: $0, until: now) } ?? .empty }
        case .latestReceipt:
          Forgery.latestReceipt(
            answer(), stranger: stranger.map { receipt(of: $0, at: now).receipt.base64 }, &random)
        case let fault?: Forgery.body(answer(), with: fault, &random)
        case nil: answer()
        }
      return .json(body)
    }
  }
}
