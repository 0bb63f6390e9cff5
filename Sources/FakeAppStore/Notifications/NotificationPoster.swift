import Dispatch
import Glibc
import Subscriptions
import Synchronization

/// Posts what happens in the lives as the clock passes it, and again where it was not taken.
final class NotificationPoster: Sendable {
  private let centre: NotificationCentre
  private let log: NotificationLog
  private let client: NotificationClient
  private let clock: FakeClock
  private let isStopped = Atomic(false)
  private let settled: Atomic<Int64>
  private let queue = DispatchQueue(label: "fake-app-store.notifications")

  /// Milliseconds between two looks at the clock.
  private static let interval: UInt32 = 20

  /// What is to be tried again.
  private struct Retry {
    let due: Instant
    let entry: NotificationAgenda.Entry
  }

  /// Nil where there is nowhere to post to.
  init?(_ centre: NotificationCentre, _ configuration: FakeAppStoreConfiguration) {
    guard let log = centre.log, let address = configuration.notificationAddress else { return nil }
    (self.centre, self.log, clock) = (centre, log, configuration.clock)
    client = NotificationClient(address: address)
    settled = Atomic(log.since.rawValue)
  }

  /// Up to when everything that was due has been tried.
  var settledAt: Instant { Instant(milliseconds: settled.load(ordering: .acquiring)) }

  /// Begins, on a thread of its own; ends some time after `stop()`.
  func start() { queue.async { self.run() } }

  func stop() { isStopped.store(true, ordering: .releasing) }

  private var goesOn: Bool { !isStopped.load(ordering: .acquiring) }

  private func run() {
    var reached = NotificationAgenda.Key(at: log.since, index: .max, order: 0)
    var retries: [Retry] = []
    while goesOn {
      let now = clock.now
      let due = retries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.entry)
      retries.removeAll { $0.due <= now }
      let fresh = now > reached.at ? Array(centre.agenda.entries(after: reached, upTo: now)) : []
      if now > reached.at { reached = NotificationAgenda.Key(at: now, index: .max, order: 0) }
      let tests = centre.takeTests()
      for (token, payload) in tests where goesOn { post(NotificationPayload.body(payload), token) }
      for entry in due + fresh where goesOn {
        let payload = centre.payload(of: entry)
        let attempts = post(payload.body, payload.uuid)
        if let next = attempts.next(isSandbox: entry.isSandbox) {
          retries.append(Retry(due: next, entry: entry))
        }
      }
      if goesOn { settled.store(now.rawValue, ordering: .releasing) }
      if due.isEmpty, fresh.isEmpty, tests.isEmpty { usleep(Self.interval * 1000) }
    }
  }

  @discardableResult
  private func post(_ body: [UInt8], _ uuid: String) -> [NotificationAttempt] {
    let result = client.post(body)
    return log.add(NotificationAttempt(date: clock.now, result: result), of: uuid)
  }
}
