import Glibc
import Synchronization
import TestSupport

/// HTTP/1.1 server on 127.0.0.1 for any response, also an invalid one.
final class CannedServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let reply: @Sendable (CannedRequest) -> CannedReply
  private let state = Mutex(State())

  private struct State {
    var isClosed = false
    var open: Set<Int32> = []
    var threads: [pthread_t] = []
    var connections = 0
    var requests: [CannedRequest] = []
  }

  init(_ reply: @escaping @Sendable (CannedRequest) -> CannedReply) throws {
    guard let listening = Loopback.listen() else { throw CannedServerError(call: "listen", code: errno) }
    (listener, port, self.reply) = (listening.descriptor, listening.port, reply)
    start { self.acceptAll() }
  }

  var url: String { "http://127.0.0.1:\(port)/verifyReceipt" }
  var connections: Int { state.withLock { $0.connections } }
  var requests: [CannedRequest] { state.withLock { $0.requests } }

  /// Ends all connections and threads, only at the first call, since the descriptor may be reused.
  func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return !state.isClosed
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    while let thread = state.withLock({ $0.threads.popLast() }) { pthread_join(thread, nil) }
    _ = Glibc.close(listener)
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let isTaken = state.withLock { state in
        guard !state.isClosed else { return false }
        state.open.insert(descriptor)
        state.connections += 1
        return true
      }
      guard isTaken else {
        _ = Glibc.close(descriptor)
        return
      }
      start { self.serve(descriptor) }
    }
  }

  private func serve(_ descriptor: Int32) {
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var reader = HTTPMessageReader(descriptor: descriptor)
    while let request = reader.next() {
      state.withLock { $0.requests.append(request) }
      guard perform(reply(request), on: descriptor) else { break }
    }
    // Removed before closing, since the descriptor may be reused immediately.
    state.withLock { _ = $0.open.remove(descriptor) }
    _ = Glibc.close(descriptor)
  }

  /// Returns `false` if the connection has ended.
  private func perform(_ reply: CannedReply, on descriptor: Int32) -> Bool {
    for step in reply.steps {
      switch step {
      case .send(let bytes): guard Loopback.send(bytes, over: descriptor) else { return false }
      case .flood(let piece):
        while Loopback.send(piece, over: descriptor) {}
        return false
      case .drip(let piece, let rest):
        while Loopback.send(piece, over: descriptor) { usleep(rest * 1000) }
        return false
      case .rest(let milliseconds): usleep(milliseconds * 1000)
      case .hold:
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) > 0 {}
        return false
      case .reset:
        var rude = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rude, socklen_t(MemoryLayout<linger>.size))
        return false
      case .close: return false
      }
    }
    return true
  }

  private func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(ThreadBody(run: body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else { return box.release() }
    state.withLock { $0.threads.append(thread) }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

struct CannedServerError: Error {
  let call: String
  let code: Int32
}
