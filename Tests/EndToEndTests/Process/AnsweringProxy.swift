import Dispatch
import Glibc
import Synchronization

/// HTTP proxy that connects every CONNECT request to a local server.
final class AnsweringProxy: Sendable {
  let port: UInt16
  private let listener: Int32
  private let threads = DispatchQueue(label: "proxy", attributes: .concurrent)
  private let heard = Heard()

  var asked: [String] { heard.texts.withLock { $0 } }

  private final class Heard: Sendable {
    let texts = Mutex<[String]>([])
  }

  init(leadingTo target: UInt16) throws {
    guard let (listener, port) = Loopback.listen() else { throw ProgramError.file("a socket", errno) }
    (self.listener, self.port) = (listener, port)
    threads.async { [threads, heard] in
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        threads.async { Self.serve(near, target, heard) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func serve(_ near: Int32, _ target: UInt16, _ heard: Heard) {
    defer { close(near) }
    var head = ""
    var byte: UInt8 = 0
    while !head.hasSuffix("\r\n\r\n"), read(near, &byte, 1) == 1 {
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    heard.texts.withLock { $0.append(head) }
    let answer = "HTTP/1.1 200 Connection established\r\n\r\n"
    _ = write(near, answer, answer.utf8.count)
    guard let far = Loopback.connect(to: target) else { return }
    defer { close(far) }
    var ends = [
      pollfd(fd: near, events: Int16(POLLIN), revents: 0), pollfd(fd: far, events: Int16(POLLIN), revents: 0),
    ]
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while poll(&ends, 2, -1) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
        let count = read(ends[from].fd, &chunk, chunk.count)
        guard count > 0, write(ends[to].fd, chunk, count) == count else { return }
      }
    }
  }
}
