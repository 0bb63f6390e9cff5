import Dispatch
import Glibc
import TestSupport

/// Persistent HTTP connection to a port of 127.0.0.1.
final class LoopbackClient: Sendable {
  struct Answer: Sendable {
    /// 0 if the connection ended before an answer.
    var status: Int
    var body: String
  }

  private let descriptor: Int32

  init?(port: Int) {
    guard let descriptor = Loopback.connect(to: UInt16(port)) else { return nil }
    self.descriptor = descriptor
    var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func post(_ body: String, to path: String = "/") async -> Answer {
    await ask("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  func get(_ path: String) async -> Answer { await ask("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n") }

  func ask(_ request: String) async -> Answer {
    await withCheckedContinuation { answer in
      DispatchQueue.global().async { answer.resume(returning: self.exchange(request)) }
    }
  }

  private func exchange(_ request: String) -> Answer {
    Loopback.send(request.utf8, over: descriptor)
    var reader = HTTPMessageReader(descriptor: descriptor)
    guard let answer = reader.next() else { return Answer(status: 0, body: "") }
    return Answer(status: Int(answer.line.split(separator: " ")[1]) ?? 0, body: answer.text)
  }
}
