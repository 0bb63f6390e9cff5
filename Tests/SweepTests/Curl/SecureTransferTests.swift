import AppStore
import FakeAppStore
import SecureFakeAppStore
import Subscriptions
import Sweep
import Testing

@Suite(.enabled(if: EndpointScene.isAvailable, "there is no openssl")) struct SecureTransferTests {
  @Test func manyStreamsShareOneConnection() async throws {
    let scene = try await EndpointScene(.http2) { $0.latency = 5 }
    let answers = try await scene.ask(120, concurrency: 12).compactMap(\.answer)
    #expect(answers.count == 120)
    #expect(answers.allSatisfy { $0.status == 200 && $0.isHTTP2 && $0.latency >= 5000 })
    let traffic = scene.server.traffic
    #expect(traffic.connections == 1)
    #expect(traffic.requestsOverHTTP2 == 120)
    #expect(traffic.mostAtOnce > 1)
  }

  /// A server allows a hundred streams on one connection. What is more goes to connections of its own.
  @Test func moreStreamsThanAConnectionHoldsAreNoTrouble() async throws {
    let scene = try await EndpointScene(.http2) { $0.latency = 20 }
    let answers = try await scene.ask(600, concurrency: 150).compactMap(\.answer)
    #expect(answers.count == 600)
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(scene.server.traffic.connections <= 150, "no more than requests at once")
  }

  @Test(arguments: [EndpointScene.Line.plain, .tls]) func connectionsAreKept(
    _ line: EndpointScene.Line
  )
    async throws
  {
    let scene = try await EndpointScene(line)
    let answers = try await scene.ask(120, concurrency: 4).compactMap(\.answer)
    #expect(answers.count == 120)
    #expect(answers.allSatisfy { $0.status == 200 && !$0.isHTTP2 })
    #expect((1...4).contains(scene.server.traffic.connections))
    #expect(scene.server.traffic.requestsOverHTTP2 == 0)
  }

  @Test(arguments: EndpointScene.Line.allCases) func compressedAnswersAreRead(
    _ line: EndpointScene.Line
  )
    async throws
  {
    let scene = try await EndpointScene(line)
    let answers = try await scene.ask(20).compactMap(\.answer)
    #expect(scene.server.traffic.answersCompressed > 0)
    for answer in answers {
      let response = try VerifyReceiptResponse(decoding: answer.body, from: .production)
      #expect([0, 21007].contains(response.status.rawValue))
    }
  }

  struct Impostor: CustomTestStringConvertible {
    let testDescription: String
    let identity: any KeyPath<FakeCertificates, FakeTLS.Identity> & Sendable
    var isTrusting = true
    let says: String
  }

  static let impostors: [Impostor] = [
    Impostor(testDescription: "another host's", identity: \.ofAnotherHost, says: "127.0.0.1"),
    Impostor(testDescription: "signed by itself", identity: \.selfSigned, says: "certificate"),
    Impostor(
      testDescription: "of an authority that nobody here knows", identity: \.good, isTrusting: false,
      says: "certificate"),
  ]

  @Test(arguments: impostors) func nothingIsSentToAnImpostor(_ one: Impostor) async throws {
    let scene = try await EndpointScene(.http2, identity: one.identity)
    let system = "/etc/ssl/certs/ca-certificates.crt"
    let limits = TransferLimits(certificates: one.isTrusting ? nil : .init(path: system))
    for result in try await scene.ask(3, limits: limits) {
      let error = try #require(result.error)
      // CURLE_PEER_FAILED_VERIFICATION
      #expect(error.code == 60)
      #expect(error.phase == .tls)
      #expect(error.isUnreachable)
      #expect(error.text.contains(one.says))
    }
    #expect(scene.server.traffic.requests == 0)
  }

  @Test func aSlowHandshakeMeetsTheLimitOfTheConnection() async throws {
    let scene = try await EndpointScene(.http2, faults: [.connection(.slowHandshake)]) {
      $0.faultSettings.handshakeDelay = 60_000
    }
    let results = try await scene.ask(2, limits: TransferLimits(connect: 300))
    #expect(results.count == 2)
    #expect(results.allSatisfy { $0.error?.phase == .connect })
    #expect(scene.server.traffic.requests == 0)
  }

  @Test(arguments: [EndpointScene.Line.tls, .http2])
  func theLatencyHoldsNoWaitForTheConnection(_ line: EndpointScene.Line) async throws {
    let delay: Int64 = 300
    let scene = try await EndpointScene(line, faults: [.connection(.slowHandshake)]) {
      $0.faultSettings.handshakeDelay = delay
    }
    let whole = Stopwatch()
    let latencies = try await scene.ask(3, concurrency: 3).compactMap(\.answer?.latency)
    let elapsed = whole.elapsed
    #expect(latencies.count == 3)
    for latency in latencies { #expect(elapsed - latency / 1000 >= delay) }
  }
}
