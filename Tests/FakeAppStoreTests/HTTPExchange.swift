import AppStore
import Dispatch
import Glibc

/// One request to 127.0.0.1 over a socket of its own: what a client without opinions sees.
struct HTTPExchange: Sendable {
  /// Nil where the connection closed before an answer.
  let status: Int?
  let body: [UInt8]

  /// Nil where the body is no answer of verifyReceipt.
  var appleStatus: Int? { try? VerifyReceiptResponse(decoding: body).status.rawValue }

  static func post(_ body: [UInt8], to path: String, port: Int, method: String = "POST") async -> HTTPExchange
  {
    await withCheckedContinuation { continuation in
      // A serial queue has a thread of its own: blocking the global ones would starve the tasks that serve.
      DispatchQueue(label: "exchange").async {
        continuation.resume(returning: perform(method, path, port: port, body: body))
      }
    }
  }

  private static func perform(_ method: String, _ path: String, port: Int, body: [UInt8]) -> HTTPExchange {
    let socket = connected(to: port)
    guard socket >= 0 else { return HTTPExchange(status: nil, body: []) }
    defer { close(socket) }
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    var request = Array(head.utf8) + body
    while !request.isEmpty {
      let sent = send(socket, request, request.count, Int32(MSG_NOSIGNAL))
      guard sent > 0 else { return HTTPExchange(status: nil, body: []) }
      request.removeFirst(sent)
    }
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      received += chunk[..<count]
    }
    return HTTPExchange(received)
  }

  private init(_ received: [UInt8]) {
    let text = String(decoding: received, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ")
    status = words.count > 1 ? Int(words[1]) : nil
    body = parts.count > 1 ? Array(parts[1].utf8) : []
  }

  private init(status: Int?, body: [UInt8]) { (self.status, self.body) = (status, body) }

  private static func connected(to port: Int) -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    if result == 0 { return socket }
    close(socket)
    return -1
  }
}
