import FakeAppStore
import Subscriptions
import Testing

@Suite struct GzipTests {
  /// What the command makes of it; nil where it finds a fault.
  private func unpacked(_ body: [UInt8]) async -> [UInt8]? {
    let run = await Command.run("gzip", "-dc", input: body)
    return run.exitCode == 0 ? run.output : nil
  }

  @Test("Answers of every kind of person come compressed to who asks")
  func answers() async throws {
    let people = Subscriber.Kind.allCases.map(Town.first) + (0..<12).map { Town.population[$0] }
    try await withServer { server, port in
      for person in people {
        let plain = await HTTPExchange.post(Town.question(person), to: "/verifyReceipt", port: port)
        let packed = await HTTPExchange.post(
          Town.question(person), to: "/verifyReceipt", port: port, headers: ["Accept-Encoding: deflate, gzip"]
        )
        #expect(plain.headers["content-encoding"] == nil && packed.isWhole)
        if packed.headers["content-encoding"] == "gzip" {
          #expect(packed.body.count < plain.body.count)
          #expect(await unpacked(packed.body) == plain.body)
        } else {
          #expect(plain.body.count <= 512 && packed.body == plain.body)
        }
      }
      #expect(server.traffic.answersCompressed >= people.count / 2)
    }
  }

  @Test func canBeSwitchedOff() async throws {
    try await withServer({ $0.compresses = false }) { server, port in
      let exchange = await HTTPExchange.post(
        Town.question(), to: "/verifyReceipt", port: port, headers: ["Accept-Encoding: gzip"])
      #expect(exchange.body == Town.rightAnswer() && server.traffic.answersCompressed == 0)
    }
  }

  @Test func theBombIsGoodGzip() async throws {
    try await withServer(faults: [FaultRate(.gzipBomb, rate: 1)]) { _, port in
      let bomb = await HTTPExchange.post(Town.question(), to: "/verifyReceipt", port: port).body
      let run = await Command.run("sh", "-c", "gzip -dc | wc -c", input: bomb)
      #expect(run.output == Array("167772172\n".utf8))
    }
  }
}
