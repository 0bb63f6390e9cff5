import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct TransferLimitsTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let reply: CannedReply
    var limits = TransferLimits()
    let phase: TransportError.Phase
    let says: String
  }

  static let spaces = [UInt8](repeating: 0x20, count: 64 << 10)
  static let zeros = [UInt8](repeating: 0, count: 64 << 10)
  /// Deflate header with a code table in which two zero bits expand to 258 zero bytes, for an endless stream.
  static let bomb: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xED, 0xC1, 0x01, 0x0D, 0, 0, 0, 0xC2, 0xA0, 0xF7,
    0x4F, 0x6D, 0x0F, 0x07, 0x14,
  ]

  private static func steps(_ steps: CannedReply.Step...) -> CannedReply { CannedReply(steps: steps) }
  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let large: [Case] = [
    Case(
      testDescription: "an answer without end",
      reply: steps(.send(CannedReply.head(length: nil)), .flood(spaces)),
      limits: TransferLimits(total: 240_000, silence: 240, answerBytes: 1 << 20), phase: .tooLarge,
      says: "larger than 1048576 bytes"),
    Case(
      testDescription: "a promise that is too large", reply: .partial("{", of: 1 << 21, then: .hold),
      limits: TransferLimits(total: 240_000, silence: 240, answerBytes: 1 << 20), phase: .tooLarge,
      says: "Maximum file size exceeded"),
    Case(
      testDescription: "a bomb",
      reply: steps(
        .send(CannedReply.head(length: nil, headers: ["Content-Encoding: gzip"]) + bomb), .flood(zeros)),
      limits: TransferLimits(total: 240_000, silence: 240, answerBytes: 1 << 20), phase: .tooLarge,
      says: "larger than 1048576 bytes"),
    Case(
      testDescription: "a bomb within a bomb",
      reply: steps(
        .send(CannedReply.head(length: nil, headers: ["Content-Encoding: gzip, gzip"]) + bomb), .flood(zeros)),
      phase: .exchange, says: ""),
    Case(
      testDescription: "a header without end",
      reply: steps(.send(text("HTTP/1.1 200 OK\r\n")), .flood(text("X-More: and more and more\r\n"))),
      phase: .tooLarge, says: "header is larger than 65536 bytes"),
    Case(
      testDescription: "interim answers without end",
      reply: steps(.flood(text("HTTP/1.1 100 Continue\r\n\r\n"))),
      phase: .tooLarge, says: "header is larger than 65536 bytes"),
    Case(
      testDescription: "a header line without end",
      reply: steps(.send(text("HTTP/1.1 200 OK\r\nX: ")), .flood(spaces)), phase: .exchange,
      says: "header line"),
    Case(
      testDescription: "trailers without end",
      reply: steps(
        .send(
          CannedReply.head(length: nil, headers: ["Transfer-Encoding: chunked"]) + text("2\r\n{}\r\n0\r\n")),
        .flood(text("X-More: and more and more\r\n"))),
      phase: .tooLarge, says: "header is larger than 65536 bytes"),
  ]

  static let slow: [Case] = [
    Case(
      testDescription: "stalls before the answer", reply: steps(.hold), limits: TransferLimits(total: 2000),
      phase: .exchange, says: "timed out"),
    Case(
      testDescription: "stalls in the body", reply: .partial("{", of: 100, then: .hold),
      limits: TransferLimits(total: 2000), phase: .exchange, says: "timed out"),
    Case(
      testDescription: "drips, so that it is never idle",
      reply: steps(.send(CannedReply.head(length: nil)), .drip([0x20], rest: 5)),
      limits: TransferLimits(total: 2000, silence: 1), phase: .exchange, says: "timed out"),
    Case(
      testDescription: "is idle", reply: steps(.hold), limits: TransferLimits(silence: 1), phase: .exchange,
      says: "too slow"),
  ]

  @Test(arguments: large + slow) func isGivenUp(_ one: Case) throws {
    let server = try CannedServer { _ in one.reply }
    defer { server.close() }
    let error = try #require(try carry(to: server.url, limits: one.limits).first?.error)
    #expect(error.phase == one.phase)
    #expect(one.says.isEmpty || error.text.contains(one.says))
    #expect(!error.isUnreachable)
  }

  @Test func aLargeAnswerWithinItsLimitIsTaken() throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 16)
    let server = try CannedServer { _ in .answer(body) }
    defer { server.close() }
    let limits = TransferLimits(total: 240_000, silence: 240, answerBytes: 1 << 20)
    let answer = try #require(try carry(to: server.url, limits: limits).first?.answer)
    #expect(answer.body.count == 1 << 20)
  }

  /// A TLS client hello is not a complete HTTP request, so the server keeps reading.
  @Test func aHandshakeThatStallsIsATimeOutOfTheConnection() throws {
    let server = try CannedServer { _ in .answer("{}") }
    defer { server.close() }
    let url = "https://127.0.0.1:\(server.port)/verifyReceipt"
    let error = try #require(try carry(to: url, limits: TransferLimits(connect: 200)).first?.error)
    #expect(error.phase == .connect)
    #expect(error.isUnreachable)
  }

  @Test(arguments: ["", "no certificate"]) func aBundleWithoutCertificatesTrustsNoServer(_ pem: String) throws
  {
    let server = try CannedServer { _ in .answer("{}") }
    defer { server.close() }
    let url = "https://127.0.0.1:\(server.port)/verifyReceipt"
    let limits = TransferLimits(certificates: CertificateBundle(pem: Array(pem.utf8)))
    let error = try #require(try carry(to: url, limits: limits).first?.error)
    #expect(error.phase == .tls)
  }
}
