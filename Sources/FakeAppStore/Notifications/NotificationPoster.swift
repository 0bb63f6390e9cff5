import Dispatch
import Glibc
import Subscriptions
import Synchronization

/// Posts each notification when the fake clock reaches its event, and retries failed posts.
final class NotificationPoster: Sendable {
  private let centre: NotificationCentre
  private let address: NotificationAddress
  private let since: Instant
  private let clock: FakeClock
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "fake-app-store.notifications")

  private static let interval: UInt32 = 20

  init?(_ centre: NotificationCentre, _ configuration: FakeAppStoreConfiguration) {
    guard let since = centre.postsSince, let address = configuration.notificationAddress else { return nil }
    (self.centre, self.address, self.since, clock) = (centre, address, since, configuration.clock)
  }

  /// Starts posting on a separate thread, which ends soon after `stop()`.
  func start() { queue.async { self.run() } }

  func stop() { isStopped.store(true, ordering: .releasing) }

  private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

  private func run() {
    var reached = since
    var retries: [(due: Instant, event: LifeEvent)] = []
    while goesOn {
      let now = clock.now
      let place = LifeEvent.Place(at: reached, index: .max, order: 0)
      let fresh = now > reached ? Array(centre.events(after: place, upTo: now)) : []
      reached = max(reached, now)
      let due = retries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.event) + fresh
      retries.removeAll { $0.due <= now }
      for event in due where goesOn {
        let attempts = post(centre.signedPayload(of: event), centre.uuid(of: event))
        if let next = attempts.next(isSandbox: centre.population[event.place.index].isSandbox) {
          retries.append((next, event))
        }
      }
      if due.isEmpty { usleep(Self.interval * 1000) }
    }
  }

  private func post(_ signedPayload: String, _ uuid: String) -> [NotificationAttempt] {
    let result = address.post(JSON.notification(signedPayload))
    return centre.add(NotificationAttempt(date: clock.now, result: result), of: uuid)
  }
}

extension NotificationAddress {
  /// Timeout in seconds for each of connecting, sending and receiving.
  private static let patience = 10

  fileprivate func post(_ body: [UInt8]) -> String {
    guard let socket = connected() else { return "NO_RESPONSE" }
    defer { close(socket) }
    let head = [
      "POST \(path) HTTP/1.1", "Host: \(host):\(port)", "Content-Type: application/json",
      "Content-Length: \(body.count)", "User-Agent: App Store Server Notifications", "Connection: close", "",
      "",
    ]
    var rest = (Array(head.joined(separator: "\r\n").utf8) + body)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return "SOCKET_ISSUE" }
      rest = rest.dropFirst(count)
    }
    // Length of `HTTP/1.1 200`.
    var answer = [UInt8](repeating: 0, count: 12)
    guard recv(socket, &answer, answer.count, Int32(MSG_WAITALL)) == answer.count else {
      return "NO_RESPONSE"
    }
    // Success is 200 to 206: *Responding to App Store Server Notifications*.
    let status = Int(String(decoding: answer[9...], as: UTF8.self)) ?? 0
    return (200...206).contains(status) ? "SUCCESS" : "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
  }

  private func connected() -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    for entry in sequence(first: found, next: { $0?.pointee.ai_next }) {
      guard let address = entry?.pointee else { break }
      let socket = Glibc.socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
      var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
      close(socket)
    }
    return nil
  }
}
