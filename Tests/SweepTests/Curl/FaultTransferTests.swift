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
    var testDescription: String { fault.rawValue }
  }

  static let failing: [Failing] = [
    Failing(fault: .transport(.reset)), Failing(fault: .transport(.cut)),
    Failing(fault: .transport(.stall), limits: TransferLimits(total: 2000)),
    Failing(fault: .transport(.drip), limits: TransferLimits(total: 2000)),
    Failing(fault: .transport(.gigantic), phase: .tooLarge),
    Failing(fault: .transport(.gzipBomb), phase: .tooLarge),
  ]

  @Test(arguments: failing) func bringsNoAnswer(_ one: Failing) async throws {
    let scene = try await EndpointScene(.plain, faults: [one.fault]) { $0.faultSettings.dripInterval = 20 }
    let error = try #require(try await scene.ask(limits: one.limits).first?.error)
    #expect(error.phase == one.phase)
    #expect(!error.isUnreachable)
  }

  @Test func aConnectionThatIsRefusedBringsNone() async throws {
    let scene = try await EndpointScene(.plain, faults: [.connection(.refuse)])
    let error = try #require(try await scene.ask().first?.error)
    #expect([.exchange, .connect].contains(error.phase))
    #expect(scene.server.traffic.requests == 0)
  }

  @Test(arguments: PageFault.allCases) func bringsWhatHTTPSays(_ fault: PageFault) async throws {
    let scene = try await EndpointScene(.plain, faults: [.page(fault)]) { $0.faultSettings.retryAfter = 30 }
    let answer = try #require(try await scene.ask().first?.answer)
    #expect(answer.status == fault.code)
    let wait = answer.retryAfter
    if fault == .serviceUnavailable {
      // The clock that the date is held against is the server's, which lags behind where the machine is busy.
      #expect((15...60).contains(wait ?? 0))
    } else if fault == .tooManyRequests {
      #expect((28...31).contains(wait ?? 0))
    } else {
      #expect(wait == nil)
    }
    #expect(scene.server.traffic.requests == 1)
    #expect(scene.server.traffic.requestsElsewhere == 0)
  }

  @Test func bringsTheRightAnswerLate() async throws {
    let scene = try await EndpointScene(.plain, faults: [.transport(.slow)]) {
      $0.faultSettings.slowness = 100
    }
    let answer = try #require(try await scene.ask().first?.answer)
    let response = try VerifyReceiptResponse(decoding: answer.body, from: .production)
    #expect([0, 21007].contains(response.status.rawValue))
    #expect(answer.latency >= 100_000)
  }
}
