import Dispatch
import Glibc
import TestSupport
import Testing

@Suite("Listening under a flood") struct ListenFloodTests {
  /// File limits that connections would exhaust if they were not bounded.
  @Test(arguments: [64, 128, 256]) func moreConnectionsThanFiles(_ files: Int) async throws {
    let scene = try ListeningScene()
    let subtop = scene.subtop
    let command = "ulimit -n \(files); exec \"$0\" listen --port 0 --config \(try scene.configuration())"
    let child = try subtop.startShell(command)
    let port = try await child.port()
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
    var flood: [Int32] = []
    defer { for descriptor in flood { close(descriptor) } }
    for _ in 0..<2 * files {
      guard let descriptor = Loopback.connect(to: UInt16(port)) else { continue }
      flood.append(descriptor)
      Loopback.send(head.utf8, over: descriptor)
    }
    let log = subtop.log
    _ = try await soon("the log says so") {
      (try? File.text(log).contains("connections are open, the maximum")) == true ? true : nil
    }
    for descriptor in flood { close(descriptor) }
    flood = []
    let answer = try await soon("it answers") { LoopbackClient(port: port) }
    #expect(await answer.post(scene.purchase(1)).status == 200)
    try await child.stop()
  }

  @Test func answersExpectContinue() async throws {
    let scene = try ListeningScene()
    let child = try scene.subtop.start(["listen", "--port", "0", "--config", try scene.configuration()])
    let port = try await child.port()
    let body = scene.purchase(1)
    let client = try #require(LoopbackClient(port: port))
    let first = await client.ask(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
    #expect(first.status == 100)
    #expect(await client.ask(body).status == 200)
    try await child.stop()
  }

  /// Requests that a client sends at once before it closes its sending side, and the expected status codes.
  @Test(arguments: [
    ("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", ["200"]),
    (
      "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /no HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      ["200", "404"]
    ),
    ("HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", ["405"]),
    ("GET /healthz HTTP/1.0\r\n\r\n", ["200"]),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", ["400"]),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\nGET / HTTP/1.1\r\n\r\n", ["413"]),
  ])
  func isAnsweredInOrder(_ request: String, _ statuses: [String]) async throws {
    let scene = try ListeningScene()
    let child = try scene.subtop.start(["listen", "--port", "0", "--config", try scene.configuration()])
    let port = try await child.port()
    let text = await withCheckedContinuation { answer in
      DispatchQueue.global().async { answer.resume(returning: Self.exchange(request, port)) }
    }
    let answered = text.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
    #expect(answered == statuses, "\(text)")
    try await child.stop()
  }

  private static func exchange(_ request: String, _ port: Int) -> String {
    guard let descriptor = Loopback.connect(to: UInt16(port)) else { return "no connection" }
    defer { close(descriptor) }
    Loopback.send(request.utf8, over: descriptor)
    // In these cases a request or the server closes the connection.
    if !request.contains("Connection: close"), !request.contains("300000") {
      shutdown(descriptor, Int32(SHUT_WR))
    }
    var (received, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 12))
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
  }
}
