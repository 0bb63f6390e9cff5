import Glibc
import Synchronization

/// An HTTP server on a free port of 127.0.0.1 that gives everyone the same answer.
final class AnsweringServer: Sendable {
  let url: String
  private let listener: Int32
  private let threads: [pthread_t]
  private let serving: Serving

  /// How many connections were taken.
  var taken: Int { serving.taken.withLock { $0 } }

  /// The bodies that were posted, one after the other.
  var bodies: [String] { serving.bodies.withLock { $0 } }

  /// - Parameter connections: how many are served at once.
  init(_ answer: String, status: Int = 200, connections: Int = 1) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ProgramError.file("a socket", errno) }
    listener = descriptor
    url = "http://127.0.0.1:\(try Self.listen(on: descriptor))/verifyReceipt"
    let serving = Serving(listener: descriptor, answer: answer, status: status)
    self.serving = serving
    threads = try (0..<connections).map { _ in try Self.start(serving) }
  }

  /// Waits until the threads are gone.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    for thread in threads { pthread_join(thread, nil) }
    _ = Glibc.close(listener)
  }

  private static func listen(on descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(descriptor, generic, length) == 0, Glibc.listen(descriptor, 64) == 0 else { return errno }
        return getsockname(descriptor, generic, &length) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw ProgramError.file("a port of 127.0.0.1", code) }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func start(_ serving: Serving) throws -> pthread_t {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(serving)
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Serving>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw ProgramError.file("a thread", code)
    }
    return thread
  }
}

/// One connection after the other, one answer each, until the listener is shut.
private final class Serving: Sendable {
  private let listener: Int32
  private let reply: [UInt8]
  let bodies = Mutex<[String]>([])
  let taken = Mutex(0)

  init(listener: Int32, answer: String, status: Int) {
    self.listener = listener
    let head =
      "HTTP/1.1 \(status) Said\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: \(answer.utf8.count)"
    reply = Array("\(head)\r\n\r\n\(answer)".utf8)
  }

  func run() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      taken.withLock { $0 += 1 }
      if readRequest(descriptor) { sendReply(descriptor) }
      _ = Glibc.close(descriptor)
    }
  }

  /// A body left unread would have the connection reset under the answer.
  private func readRequest(_ descriptor: Int32) -> Bool {
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return false }
      request += chunk[..<count]
      let parts = String(decoding: request, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
      guard let head = parts.first, request.count >= head.utf8.count + 4 else { continue }
      let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
      guard request.count >= head.utf8.count + 4 + (length ?? 0) else { continue }
      bodies.withLock { $0.append(parts.count > 1 ? String(parts[1]) : "") }
      return true
    }
  }

  private func sendReply(_ descriptor: Int32) {
    var rest = reply[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
