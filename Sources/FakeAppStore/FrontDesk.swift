import Hummingbird
import NIOCore
import Subscriptions
import Synchronization

/// Takes HTTP requests to the store, and lets happen to them what was asked for.
final class FrontDesk: HTTPResponder {
  private let store: FakeStore
  private let clock: FakeClock
  private let latency: Int64
  private let requests = Atomic(0)
  private let luck: Mutex<Luck>

  private struct Luck {
    var faults: [FaultRate]
    var random: SplitMix64
  }

  /// The largest body that is read; Apple's own limit is not known.
  private static let largestRequest = 32 << 20
  private static let slowness: Int64 = 2000

  init(store: FakeStore, configuration: FakeAppStoreConfiguration) {
    self.store = store
    clock = configuration.clock
    latency = configuration.latency
    luck = Mutex(
      Luck(faults: configuration.faults, random: SplitMix64(seed: configuration.seed, index: 0, stream: 9)))
  }

  var requestCount: Int { requests.load(ordering: .relaxed) }

  func setFaults(_ faults: [FaultRate]) { luck.withLock { $0.faults = faults } }

  func respond(to request: Request, context: Visit) async throws -> Response {
    requests.add(1, ordering: .relaxed)
    guard let endpoint = FakeEndpoint(rawValue: request.uri.path) else {
      return Self.page(.notFound, "There is no such page at this App Store.")
    }
    let body = try await request.body.collect(upTo: Self.largestRequest)
    let fault = luck.withLock { $0.faults.isEmpty ? nil : $0.faults.fault(&$0.random) }
    try await pause(latency + (fault == .slow ? Self.slowness : 0))
    guard request.method == .post else { return Self.response(.refusal(21000)) }
    let answer = {
      self.store.answer(to: Array(body.readableBytesView), endpoint: endpoint, at: self.clock.now)
    }
    switch fault {
    case nil, .slow: return Self.response(answer())
    case .truncated:
      var half = answer()
      half.body.removeLast(half.body.count / 2)
      return Self.response(half)
    case .reset:
      // Whoever waits sees the connection close before the first byte.
      try? await context.channel.close()
      throw CancellationError()
    case .some(let fault): return Self.response(to: fault)
    }
  }

  private func pause(_ milliseconds: Int64) async throws {
    if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
  }

  private static func response(to fault: Fault) -> Response {
    switch fault {
    case .malformedOrPassing: response(.refusal(21002))
    case .unavailable: response(.refusal(21005))
    case .dataAccess: response(.refusal(21009))
    case .retryable: response(.refusal(21100, isRetryable: true))
    case .internalServerError: page(.internalServerError, "Internal Server Error")
    case .serviceUnavailable: page(.serviceUnavailable, "Service Unavailable")
    case .html: page(.ok, "We will be back soon.")
    case .empty, .truncated, .reset, .slow: Response(status: .ok, headers: [.contentType: "application/json"])
    }
  }

  private static func response(_ answer: FakeAnswer) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }

  private static func page(_ status: HTTPResponse.Status, _ words: String) -> Response {
    let html =
      "<!DOCTYPE html>\n<html><head><title>\(words)</title></head><body><h1>\(words)</h1></body></html>\n"
    return Response(
      status: status, headers: [.contentType: "text/html"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }
}

/// One request's connection.
struct Visit: InitializableFromSource, Sendable {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }
}
