import AppStore
import FakeAppStore
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite struct SecureTransferTests {
  @Test func manyStreamsShareOneConnection() async throws {
    let scene = try await EndpointScene(.http2) { $0.latency = 5 }
    let answers = try await scene.ask(120, concurrency: 12).compactMap(\.answer)
    #expect(answers.count == 120)
    #expect(answers.allSatisfy { $0.status == 200 && $0.isHTTP2 && $0.latency >= 5000 })
    #expect(try await scene.connections(of: 120) == 1)
    #expect(scene.server.traffic.mostAtOnce > 1)
  }

  /// A server allows some hundred streams on one connection. What is more goes to connections of its own.
  @Test func moreStreamsThanAConnectionHoldsAreNoTrouble() async throws {
    let scene = try await EndpointScene(.http2) { $0.latency = 20 }
    let answers = try await scene.ask(600, concurrency: 150).compactMap(\.answer)
    #expect(answers.count == 600)
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(try await scene.connections(of: 600) <= 150, "no more than requests at once")
  }

  @Test(arguments: [EndpointScene.Line.plain, .tls]) func connectionsAreKept(
    _ line: EndpointScene.Line
  ) async throws {
    let scene = try await EndpointScene(line)
    let answers = try await scene.ask(120, concurrency: 4).compactMap(\.answer)
    #expect(answers.count == 120)
    #expect(answers.allSatisfy { $0.status == 200 && !$0.isHTTP2 })
    #expect((1...4).contains(try await scene.connections(of: 120)))
  }

  @Test(arguments: EndpointScene.Line.allCases) func compressedAnswersAreRead(
    _ line: EndpointScene.Line
  ) async throws {
    let scene = try await EndpointScene(line)
    let answers = try await scene.ask(20).compactMap(\.answer)
    #expect(scene.server.traffic.answersCompressed > 0)
    #expect(answers.count == 20)
    for answer in answers {
      let response = try VerifyReceiptResponse(decoding: answer.body, from: .production)
      #expect([0, 21007].contains(response.status.rawValue))
    }
  }

  @Test func aStreamThatFailsLeavesTheOthersAlone() async throws {
    let scene = try await EndpointScene(.http2) {
      $0.faults = [Fault.cut, .gigantic].map {
        FaultRate($0, rate: 0.1)
      }
    }
    let results = try await scene.ask(100, concurrency: 20)
    let broken = scene.server.traffic.faults.values.reduce(0, +)
    #expect(results.count == 100)
    #expect(broken > 0)
    #expect(results.count { $0.answer?.status == 200 } == 100 - broken)
    #expect(try await scene.connections(of: 100) == 1)
  }

  struct Impostor: CustomTestStringConvertible {
    let testDescription: String
    let certificate: ServerCertificate.Kind
    var isTrusting = true
    let says: String
  }

  static let impostors: [Impostor] = [
    Impostor(testDescription: "another host's", certificate: .ofAnotherHost, says: "127.0.0.1"),
    Impostor(testDescription: "signed by itself", certificate: .selfSigned, says: "certificate"),
    Impostor(
      testDescription: "of an authority that nobody here knows", certificate: .good, isTrusting: false,
      says: "certificate"),
  ]

  @Test(arguments: impostors) func nothingIsSentToAnImpostor(_ one: Impostor) async throws {
    let scene = try await EndpointScene(.http2, showing: one.certificate)
    let system = "/etc/ssl/certs/ca-certificates.crt"
    var limits = EndpointScene.patient
    limits.certificates = one.isTrusting ? nil : CertificateBundle(path: system)
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

  @Test(arguments: [EndpointScene.Line.tls, .http2])
  func theLatencyHoldsNoWaitForTheConnection(_ line: EndpointScene.Line) async throws {
    let delay = 300
    let scene = try await EndpointScene(line, after: delay)
    let latencies = try await scene.ask(3, concurrency: 3).compactMap(\.answer?.latency)
    let elapsed = scene.begun.elapsed
    #expect(latencies.count == 3)
    for latency in latencies { #expect(elapsed - latency / 1000 >= delay) }
  }
}
