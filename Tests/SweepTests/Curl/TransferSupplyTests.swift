import Dispatch
import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct TransferSupplyTests {
  let queue = DispatchQueue(label: "subtop.sweep")

  @Test func waitsForAnInstantWithoutPolling() throws {
    let engine = try TransferEngine<Int>(queue: queue)
    var asked: [Int64] = []
    let isComplete = queue.sync {
      engine.run(
        concurrency: 1,
        next: { elapsed in
          asked.append(elapsed)
          return elapsed >= asked[0] + 100 ? .exhausted : .later(until: asked[0] + 100)
        }, finish: { _, _ in })
    }
    #expect(isComplete)
    #expect(asked.count < 10)
  }

  @Test(arguments: [-1, 0, .min]) func aPastInstantDoesNotSpin(_ instant: Int64) throws {
    let engine = try TransferEngine<Int>(queue: queue)
    var asked: [Int64] = []
    _ = queue.sync {
      engine.run(
        concurrency: 1,
        next: { elapsed in
          asked.append(elapsed)
          return elapsed >= asked[0] + 50 ? .exhausted : .later(until: instant)
        }, finish: { _, _ in })
    }
    #expect(asked.count < 100)
  }

  @Test func theEndOfATransferAsksForMore() throws {
    let server = try CannedServer { _ in .answer("{}") }
    defer { server.close() }
    let engine = try TransferEngine<Int>(queue: queue)
    let transfer = Transfer(to: try AppStoreEndpoint(server.url), body: SecretBytes([0x7B, 0x7D]))
    var (sent, landed) = (0, 0)
    let isComplete = queue.sync {
      engine.run(
        concurrency: 8,
        next: { _ in
          // One transfer at a time, as a pace may require.
          guard sent == landed else { return .later(until: .max) }
          guard sent < 200 else { return .exhausted }
          sent += 1
          return .transfer(transfer, sent)
        }, finish: { _, _ in landed += 1 })
    }
    #expect(isComplete)
    #expect(landed == 200)
    #expect(server.connections == 1)
  }
}
