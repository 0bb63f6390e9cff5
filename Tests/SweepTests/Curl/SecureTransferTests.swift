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

  /// Servers limit the streams per connection, often to about a hundred.
  @Test func supportsMoreStreamsThanAConnectionAllows() async throws {
    let scene = try await EndpointScene(.http2) { $0.latency = 20 }
    let answers = try await scene.ask(600, concurrency: 150).compactMap(\.answer)
    #expect(answers.count == 600)
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(try await scene.connections(of: 600) <= 150, "no more than requests at once")
  }

  @Test func aFailedStreamDoesNotAffectOthers() async throws {
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
