import Dispatch
import Glibc
import Synchronization

/// Takes what is posted to it, and answers as it is told.
final class NotificationListener: Sendable {
  let port: Int
  private let socket: Int32
  private let state = Mutex(State())

  private struct State {
    var bodies: [[UInt8]] = []
    /// Nil hangs up without an answer.
    var status: Int? = 200
  }

  init?() {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    self.socket = socket
    port = Int(in_port_t(bigEndian: address.sin_port))
    guard isBound else { return nil }
    DispatchQueue(label: "listener").async {
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return }
        self.serve(connection)
        close(connection)
      }
    }
  }

  var url: String { "http://127.0.0.1:\(port)/notifications" }
  var bodies: [[UInt8]] { state.withLock { $0.bodies } }

  func answer(with status: Int?) { state.withLock { $0.status = status } }

  /// Nobody is taken any more.
  func end() {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private func serve(_ connection: Int32) {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let body = Self.body(of: received) {
        let status = state.withLock { state in
          state.bodies.append(body)
          return state.status
        }
        guard let status else { return }
        let answer = Array("HTTP/1.1 \(status) Said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        return
      }
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      received += chunk[..<count]
    }
  }

  /// Nil while it is not there as a whole.
  private static func body(of received: [UInt8]) -> [UInt8]? {
    guard let gap = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: received[..<gap.lowerBound], as: UTF8.self)
    let length = head.split(separator: "\r\n").compactMap { line -> Int? in
      let parts = line.split(separator: ":")
      return parts[0].lowercased() == "content-length" ? Int(parts[1].filter { $0 != " " }) : nil
    }.first
    guard let length, received.count >= gap.upperBound + length else { return nil }
    return Array(received[gap.upperBound...].prefix(length))
  }
}
