import Dispatch
import Glibc
import Synchronization
import TestSupport

/// HTTP server on 127.0.0.1 with a constant answer, one connection at a time.
final class AnsweringServer: Sendable {
  let url: String
  private let listener: Int32
  private let queue = DispatchQueue(label: "answering server")
  private let heard = Heard()

  private final class Heard: Sendable {
    let connections = Mutex(0)
    let bodies = Mutex<[String]>([])
  }

  var taken: Int { heard.connections.withLock { $0 } }

  var bodies: [String] { heard.bodies.withLock { $0 } }

  init(_ answer: String, status: Int = 200) throws {
    guard let (descriptor, port) = Loopback.listen() else { throw ProgramError.file("a socket", errno) }
    listener = descriptor
    url = "http://127.0.0.1:\(port)/verifyReceipt"
    let length = "Content-Length: \(answer.utf8.count)"
    let reply =
      "HTTP/1.1 \(status) Said\r\nContent-Type: application/json\r\nConnection: close\r\n\(length)\r\n\r\n\(answer)"
    queue.async { [heard] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        heard.connections.withLock { $0 += 1 }
        // Unread data would reset the connection before the answer.
        var reader = HTTPMessageReader(descriptor: connection)
        if let body = reader.next()?.text {
          heard.bodies.withLock { $0.append(body) }
          Loopback.send(reply.utf8, over: connection)
        }
        _ = Glibc.close(connection)
      }
    }
  }

  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    queue.sync {}
    _ = Glibc.close(listener)
  }
}
