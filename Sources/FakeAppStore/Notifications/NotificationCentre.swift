import Subscriptions
import Synchronization

/// What the store knows of its notifications: those of the lives, those for tests, and what became of them.
final class NotificationCentre: Sendable {
  let population: FakePopulation
  let signer: FakeSigner
  let agenda: NotificationAgenda
  /// Nil where nobody is notified; then the history is made up as of an address elsewhere.
  let log: NotificationLog?
  private let tests = Mutex(Tests())

  private struct Tests {
    /// By token.
    var payloads: [String: String] = [:]
    /// Tokens of those that are not posted yet.
    var waiting: [String] = []
  }

  init(_ population: FakePopulation, signer: FakeSigner, log: NotificationLog?) {
    (self.population, self.signer, self.log) = (population, signer, log)
    agenda = NotificationAgenda(population)
  }

  func payload(of entry: NotificationAgenda.Entry) -> NotificationPayload {
    NotificationPayload(entry: entry, subscriber: population[entry.index], signer: signer)
  }

  /// Nothing was attempted yet where there are none.
  func attempts(of payload: NotificationPayload, upTo t: Instant) -> [NotificationAttempt] {
    guard let log, payload.entry.news.at > log.since else { return payload.pastAttempts(upTo: t) }
    return log.attempts(of: payload.uuid).filter { $0.date <= t }
  }

  // MARK: Tests

  /// Gives the token of a test notification, which is posted soon; nil where there is nobody to post it to.
  func makeTest(for app: BundleID, isSandbox: Bool, at now: Instant) -> String? {
    guard log != nil else { return nil }
    return tests.withLock { tests in
      var random = SplitMix64(seed: population.seed, index: tests.payloads.count, stream: 14)
      let uuid = random.uuid()
      let token = "\(uuid)_\(now.rawValue)"
      tests.payloads[token] = signer.sign(Self.test(uuid, for: app, isSandbox: isSandbox, at: now))
      tests.waiting.append(token)
      return token
    }
  }

  func takeTests() -> [(token: String, signedPayload: String)] {
    tests.withLock { tests in
      defer { tests.waiting = [] }
      return tests.waiting.compactMap { token in tests.payloads[token].map { (token, $0) } }
    }
  }

  /// Nil where the token is nobody's.
  func test(_ token: String) -> (signedPayload: String, attempts: [NotificationAttempt])? {
    tests.withLock { $0.payloads[token] }.map { ($0, log?.attempts(of: token) ?? []) }
  }

  private static func test(_ uuid: String, for app: BundleID, isSandbox: Bool, at now: Instant) -> [UInt8] {
    return AppleJSONWriter.object(capacity: 600) { writer in
      writer.member("notificationType", NotificationType.test.rawValue)
      writer.member("notificationUUID", uuid)
      writer.key("data")
      writer.openObject()
      writer.notificationApp(app, isSandbox: isSandbox)
      writer.closeObject()
      writer.member("version", "2.0")
      writer.value("signedDate", now)
    }
  }
}
