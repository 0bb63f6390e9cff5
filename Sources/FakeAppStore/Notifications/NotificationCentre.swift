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
    JSON.notification(
      .test, uuid: uuid, data: JSON.app(app, isSandbox: isSandbox) + [("bundleVersion", "431")], at: now)
  }
}

/// What the Server API says of notifications.
extension NotificationCentre {
  /// *App Store Server API › Get Notification History*: of one app and one store, the oldest first.
  ///
  /// - Parameter forge: what becomes of each signed payload.
  func history(
    _ request: ServerAPIRequest, for app: BundleID, at now: Instant, _ forge: (String) -> String
  ) throws(FakeServerAPIError) -> [UInt8] {
    let query = try NotificationHistoryQuery(request, at: now)
    let first = NotificationAgenda.Key(at: query.from, index: -1, order: 0)
    let entries = try entries(query, after: first, isSandbox: request.call.isSandbox)
    var after = entries
    if let token = query.token {
      guard let place = entries.firstIndex(where: { $0.key == token }) else { throw .invalidPaginationToken }
      after = entries[(place + 1)...]
    }
    let found = after.lazy.compactMap { self.item($0, query, for: app, request.call, at: now) }
    let page = Array(found.prefix(HistoryPage.size + 1))
    let hasMore = page.count > HistoryPage.size
    let shown = page.prefix(HistoryPage.size)
    return JSON.object([
      ("hasMore", .flag(hasMore)),
      ("paginationToken", hasMore ? JSON(shown.last?.payload.entry.key.text) : nil),
      ("notificationHistory", .list(shown.map { JSON.sent(forge($0.payload.signedPayload), $0.attempts) })),
    ]).bytes
  }

  private func entries(
    _ query: NotificationHistoryQuery, after first: NotificationAgenda.Key, isSandbox: Bool
  ) throws(FakeServerAPIError) -> ArraySlice<NotificationAgenda.Entry> {
    guard let text = query.transactionID else { return agenda.entries(after: first, upTo: query.until) }
    guard let id = FakeID(text) else { throw .invalidTransactionID }
    guard id.index < population.count, id.isSandbox == isSandbox else { return [] }
    return population[id.index].entries(upTo: query.until).filter { $0.key > first }[...]
  }

  /// Nil where it is not wanted, or was not sent.
  private func item(
    _ entry: NotificationAgenda.Entry, _ query: NotificationHistoryQuery, for app: BundleID,
    _ call: ServerAPICall, at now: Instant
  ) -> (payload: NotificationPayload, attempts: [NotificationAttempt])? {
    guard entry.isSandbox == call.isSandbox, query.type.map({ entry.news.type == $0 }) ?? true,
      query.subtype.map({ entry.news.subtype == $0 }) ?? true
    else { return nil }
    let payload = payload(of: entry)
    guard payload.subscriber.bundleID == app else { return nil }
    let attempts = attempts(of: payload, upTo: now)
    guard !attempts.isEmpty, !query.onlyFailures || !attempts.isDelivered else { return nil }
    return (payload, attempts)
  }

  /// *App Store Server API › Request a Test Notification*.
  func test(for app: BundleID, _ call: ServerAPICall, at now: Instant) throws(FakeServerAPIError) -> [UInt8] {
    guard let token = makeTest(for: app, isSandbox: call.isSandbox, at: now) else {
      throw .serverNotificationURLNotFound
    }
    return JSON.object([("testNotificationToken", .text(token))]).bytes
  }

  /// *App Store Server API › Get Test Notification Status*.
  func testStatus(_ token: String) throws(FakeServerAPIError) -> [UInt8] {
    guard token.contains("_") else { throw .invalidTestNotificationToken }
    guard let (signedPayload, attempts) = test(token) else { throw .testNotificationNotFound }
    return JSON.sent(signedPayload, attempts).bytes
  }
}

extension JSON {
  fileprivate static func sent(_ signedPayload: String, _ attempts: [NotificationAttempt]) -> JSON {
    let attempts = attempts.map { attempt -> JSON in
      ["attemptDate": JSON(attempt.date), "sendAttemptResult": JSON(attempt.result.rawValue)]
    }
    return ["signedPayload": .text(signedPayload), "sendAttempts": .list(attempts)]
  }
}
