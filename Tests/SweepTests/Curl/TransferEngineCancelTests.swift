import Dispatch
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct TransferEngineCancelTests {
  /// A TLS client hello is not a complete HTTP request, so the handshake also stalls.
  @Test(arguments: ["http", "https"]) func stopCancelsTransfersAndReturns(_ scheme: String) throws {
    let server = try CannedServer { _ in CannedReply(steps: [.hold]) }
    defer { server.close() }
    let queue = DispatchQueue(label: "subtop.sweep")
    let engine = try TransferEngine<Int>(queue: queue)
    let endpoint = try AppStoreEndpoint("\(scheme)://127.0.0.1:\(server.port)/verifyReceipt")
    let transfer = Transfer(to: endpoint, body: SecretBytes([0x7B, 0x7D]))
    let arrived = DispatchSemaphore(value: 0)
    let finished = Mutex(0)
    let isComplete = Mutex<Bool?>(nil)
    let ended = DispatchSemaphore(value: 0)
    queue.async {
      var sent = 0
      let complete = engine.run(
        concurrency: 4,
        next: { elapsed in
          sent += 1
          if sent <= 3 { return .transfer(transfer, sent) }
          if scheme == "http" ? server.requests.count == 3 : server.connections > 0 { arrived.signal() }
          return .later(until: elapsed + 1)
        }, finish: { _, _ in finished.withLock { $0 += 1 } })
      isComplete.withLock { $0 = complete }
      ended.signal()
    }
    arrived.wait()
    engine.stop()
    #expect(ended.wait(timeout: .now() + 120) == .success)
    #expect(isComplete.withLock { $0 } == false)
    #expect(finished.withLock { $0 } == 0)
  }

  @Test func wakeAsksForMoreWork() throws {
    let server = try CannedServer { .answer($0.body) }
    defer { server.close() }
    let queue = DispatchQueue(label: "subtop.sweep")
    let engine = try TransferEngine<String>(queue: queue)
    let endpoint = try AppStoreEndpoint(server.url)
    let supply = Mutex<[String?]>([])
    let results = Mutex<[String]>([])
    let asked = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    queue.async {
      _ = engine.run(
        concurrency: 2,
        next: { _ in
          let next: String?? = supply.withLock { $0.isEmpty ? .none : .some($0.removeFirst()) }
          asked.signal()
          switch next {
          case .none: return .later(until: nil)
          case .some(.none): return .exhausted
          case .some(.some(let word)):
            return .transfer(Transfer(to: endpoint, body: SecretBytes(Array(word.utf8))), word)
          }
        },
        finish: { word, result in
          let same = result.answer.map { String(decoding: $0.body, as: UTF8.self) == word } ?? false
          results.withLock { $0.append(same ? word : "other than \(word)") }
        })
      ended.signal()
    }
    asked.wait()
    for word in ["one", "two", nil] {
      supply.withLock { $0.append(word) }
      engine.wake()
    }
    #expect(ended.wait(timeout: .now() + 120) == .success)
    #expect(results.withLock { $0.sorted() } == ["one", "two"])
  }
}
