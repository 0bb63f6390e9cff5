import Dispatch
import Sweep
import Synchronization
import TestSupport
import Testing

/// Runs `count` equal transfers and returns their results in order of completion.
func carry(
  _ count: Int = 1, to url: String, body: String = #"{"receipt-data":"MIIx"}"#, concurrency: Int = 4,
  limits: TransferLimits = .patient
) throws -> [TransferResult] {
  let queue = DispatchQueue(label: "subtop.sweep")
  let engine = try TransferEngine<Int>(queue: queue, limits: limits)
  let transfer = Transfer(to: try AppStoreEndpoint(url), body: SecretBytes(Array(body.utf8)))
  var results: [TransferResult] = []
  let isComplete = queue.sync {
    var sent = 0
    return engine.run(
      concurrency: concurrency,
      next: { _ in
        sent += 1
        return sent <= count ? .transfer(transfer, sent) : .exhausted
      }, finish: { _, result in results.append(result) })
  }
  #expect(isComplete)
  return results
}

extension TransferResult {
  var answer: HTTPAnswer? { if case .answered(let answer) = self { answer } else { nil } }
  var error: TransportError? { if case .failed(let error) = self { error } else { nil } }
}

@Suite(.blocking) struct TransferEngineTests {
  struct Answered: CustomTestStringConvertible {
    let testDescription: String
    let reply: CannedReply
    let status: Int
    let body: String
    var retryAfter: Int?
  }

  /// gzip of `{"status":0}`.
  static let packed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xAB, 0x56, 0x2A, 0x2E, 0x49, 0x2C, 0x29, 0x2D, 0x56, 0xB2,
    0x32,
    0xA8, 0x05, 0, 0x30, 0x17, 0x02, 0x73, 0x0C, 0, 0, 0,
  ]

  static let answered: [Answered] = [
    Answered(testDescription: "an answer", reply: .answer("{}"), status: 200, body: "{}"),
    Answered(testDescription: "an empty answer", reply: .answer(""), status: 200, body: ""),
    Answered(
      testDescription: "byte by byte", reply: .drip(#"{"status":0}"#), status: 200, body: #"{"status":0}"#),
    Answered(
      testDescription: "compressed", reply: .answer(packed, headers: ["Content-Encoding: gzip"]), status: 200,
      body: #"{"status":0}"#),
    Answered(
      testDescription: "a server error", reply: .answer("<html>", status: 500), status: 500, body: "<html>"),
    Answered(
      testDescription: "too many requests", reply: .answer("", status: 429, headers: ["Retry-After: 17"]),
      status: 429, body: "", retryAfter: 17),
    Answered(
      testDescription: "a redirect is not followed",
      reply: .answer("", status: 307, headers: ["Location: /elsewhere"]), status: 307, body: ""),
    Answered(
      testDescription: "an end without a length",
      reply: CannedReply(steps: [.send(CannedReply.head(length: nil) + Array("{}".utf8)), .close]),
      status: 200, body: "{}"),
  ]

  @Test(arguments: answered) func returnsTheServersAnswer(_ one: Answered) throws {
    let server = try CannedServer { _ in one.reply }
    defer { server.close() }
    let answer = try #require(try carry(to: server.url).first?.answer)
    #expect(answer.status == one.status)
    #expect(String(decoding: answer.body, as: UTF8.self) == one.body)
    #expect(answer.retryAfter == one.retryAfter)
    #expect(server.requests.map(\.path) == ["/verifyReceipt"])
  }

  struct Failed: CustomTestStringConvertible {
    let testDescription: String
    let reply: CannedReply
  }

  static let failed: [Failed] = [
    Failed(testDescription: "reset in the body", reply: .partial("{", of: 100, then: .reset)),
    Failed(testDescription: "cut off in the body", reply: .partial("{", of: 100, then: .close)),
    Failed(testDescription: "closed without a word", reply: CannedReply(steps: [.close])),
    Failed(
      testDescription: "no HTTP", reply: CannedReply(steps: [.send(Array("nonsense\r\n\r\n".utf8)), .close])),
    Failed(
      testDescription: "an unknown compression",
      reply: .answer("{}", headers: ["Content-Encoding: nonsense"])),
    Failed(
      testDescription: "a compression that is not what it says",
      reply: .answer("{}", headers: ["Content-Encoding: gzip"])),
  ]

  @Test(arguments: failed) func reportsThePhaseOfAFailure(_ one: Failed) throws {
    let server = try CannedServer { _ in one.reply }
    defer { server.close() }
    let error = try #require(try carry(to: server.url).first?.error)
    #expect(error.phase == .exchange)
    #expect(!error.isUnreachable)
    #expect(!error.description.contains("MIIx"))
  }

  @Test func sendsTheBodyAsJSONAndAsksForCompression() throws {
    let server = try CannedServer { _ in .answer("{}") }
    defer { server.close() }
    let body = #"{"receipt-data":""# + String(repeating: "A", count: 2 << 20) + #""}"#
    _ = try carry(to: server.url, body: body)
    let request = try #require(server.requests.first)
    #expect(request.line == "POST /verifyReceipt HTTP/1.1")
    #expect(request.text == body)
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["accept-encoding"]?.contains("gzip") == true)
    #expect(request.headers["expect"] == nil)
  }

  @Test func keepsConnectionsAndNeverExceedsItsConcurrency() throws {
    let load = Mutex((now: 0, most: 0))
    let server = try CannedServer { _ in
      load.withLock { load in
        load.now += 1
        load.most = max(load.most, load.now)
      }
      defer { load.withLock { $0.now -= 1 } }
      return .answer("{}")
    }
    defer { server.close() }
    let results = try carry(500, to: server.url, concurrency: 4)
    #expect(results.count == 500)
    #expect(results.allSatisfy { $0.answer?.status == 200 })
    #expect(server.connections <= 4)
    #expect(load.withLock { $0.most } <= 4)
  }

  @Test func aConnectionThatClosedMeanwhileIsReplaced() throws {
    let server = try CannedServer { _ in
      CannedReply(steps: [.send(CannedReply.head(length: 2) + Array("{}".utf8)), .close])
    }
    defer { server.close() }
    let results = try carry(20, to: server.url, concurrency: 1)
    #expect(results.compactMap(\.answer?.status) == Array(repeating: 200, count: 20))
  }
}
