import AppStore
import FakeAppStore
import Subscriptions
import Sweep
import Testing

/// What becomes of a request for which an App Store has everything but a good answer.
@Suite struct FaultTransferTests {
  struct Failing: CustomTestStringConvertible {
    let fault: Fault
    var phase = TransportError.Phase.exchange
    var limits = EndpointScene.patient
    var testDescription: String { fault.name }
  }

  static let failing: [Failing] = [
    Failing(fault: .reset), Failing(fault: .cut),
    Failing(fault: .stall, limits: TransferLimits(total: 2000)),
    Failing(fault: .drip, limits: TransferLimits(total: 2000)),
    Failing(fault: .gigantic, phase: .tooLarge),
  ]

  @Test(arguments: failing) func bringsNoAnswer(_ one: Failing) async throws {
    let scene = try await EndpointScene(.plain, faults: [one.fault]) { $0.faultSettings.dripInterval = 20 }
    let error = try #require(try await scene.ask(limits: one.limits).first?.error)
    #expect(error.phase == one.phase)
    #expect(!error.isUnreachable)
  }

  @Test func aConnectionThatIsRefusedBringsNone() async throws {
    let scene = try await EndpointScene(.plain, faults: [.refuse])
    let error = try #require(try await scene.ask().first?.error)
    #expect([.exchange, .connect].contains(error.phase))
    #expect(scene.server.traffic.requests == 0)
  }

  @Test(arguments: [
    (Fault.html, 200), (.status(302), 302), (.status(429), 429), (.status(500), 500), (.status(503), 503),
  ])
  func bringsWhatHTTPSays(_ fault: Fault, _ code: Int) async throws {
    let scene = try await EndpointScene(.plain, faults: [fault]) { $0.faultSettings.retryAfter = 30 }
    let answer = try #require(try await scene.ask().first?.answer)
    #expect(answer.status == code)
    let wait = answer.retryAfter
    if code == 503 {
      // The clock that the date is held against is the server's, which lags behind where the machine is busy.
      #expect((15...60).contains(wait ?? 0))
    } else if code == 429 {
      #expect((28...31).contains(wait ?? 0))
    } else {
      #expect(wait == nil)
    }
    #expect(scene.server.traffic.requests == 1)
    #expect(scene.server.traffic.requestsElsewhere == 0)
  }

  @Test func bringsTheRightAnswerLate() async throws {
    let scene = try await EndpointScene(.plain, faults: [.slow]) {
      $0.faultSettings.slowness = 100
    }
    let answer = try #require(try await scene.ask().first?.answer)
    let response = try VerifyReceiptResponse(decoding: answer.body, from: .production)
    #expect([0, 21007].contains(response.status.rawValue))
    #expect(answer.latency >= 100_000)
  }
}
