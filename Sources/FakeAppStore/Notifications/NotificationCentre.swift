import AppStore
import FoundationEssentials
import Subscriptions
import Synchronization

/// Notifications of the store: those of the lives, test notifications, and their delivery attempts.
final class NotificationCentre: Sendable {
  let population: FakePopulation
  let signer: FakeSigner
  let agenda: NotificationAgenda
  /// Delivery attempts; `nil` if there is no address. The history then contains generated attempts.
  let log: NotificationLog?
  private let tests = Mutex(Tests())

  private struct Tests {
    /// Signed payloads by token.
    var payloads: [String: String] = [:]
    /// Tokens of notifications not posted yet.
    var waiting: [String] = []
  }

  init(_ population: FakePopulation, signer: FakeSigner, log: NotificationLog?) {
    (self.population, self.signer, self.log) = (population, signer, log)
    agenda = NotificationAgenda(population)
  }

  func payload(of entry: NotificationAgenda.Entry) -> NotificationPayload {
    NotificationPayload(entry: entry, subscriber: population[entry.index], signer: signer)
  }

  /// Returns the attempts up to `t`; empty if there were none yet.
  func attempts(of payload: NotificationPayload, upTo t: Instant) -> [NotificationAttempt] {
    guard let log, payload.entry.news.at > log.since else { return payload.pastAttempts(upTo: t) }
    return log.attempts(of: payload.uuid).filter { $0.date <= t }
  }

  // MARK: Tests

  /// Creates a test notification, to be posted soon. Returns its token; `nil` if there is no address.
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

  /// Returns a test notification; `nil` if the token is unknown.
  func test(_ token: String) -> (signedPayload: String, attempts: [NotificationAttempt])? {
    tests.withLock { $0.payloads[token] }.map { ($0, log?.attempts(of: token) ?? []) }
  }

  private static func test(_ uuid: String, for app: BundleID, isSandbox: Bool, at now: Instant) -> [UInt8] {
    JSON.notification(
      .test, uuid: uuid, data: JSON.app(app, isSandbox: isSandbox) + [("bundleVersion", "431")], at: now)
  }
}

/// Server API endpoints for notifications.
extension NotificationCentre {
  /// *App Store Server API › Get Notification History*, for one app and environment, oldest first.
  ///
  /// - Parameter forge: modifies each signed payload, for faults.
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

  /// Returns the entry with its attempts; `nil` if the query excludes it or it has not been sent.
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

/// Query for the notification history: *App Store Server API › NotificationHistoryRequest*.
struct NotificationHistoryQuery: Sendable {
  let from: Instant
  let until: Instant
  let type: NotificationType?
  let subtype: NotificationSubtype?
  let onlyFailures: Bool
  /// Transaction id of the customer; `nil` for all customers.
  let transactionID: String?
  /// Last entry of the previous page.
  let token: NotificationAgenda.Key?

  private struct Body: Decodable {
    var startDate: Int64?
    var endDate: Int64?
    var notificationType: String?
    var notificationSubtype: String?
    var onlyFailures: Bool?
    var transactionId: String?
  }

  init(_ request: ServerAPIRequest, at now: Instant) throws(FakeServerAPIError) {
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)) else {
      throw .generalBadRequest
    }
    guard let start = body.startDate, start > 0 else { throw .invalidStartDate }
    guard let end = body.endDate, end > 0 else { throw .invalidEndDate }
    guard start < end else { throw .startDateAfterEndDate }
    from = Instant(milliseconds: start)
    until = min(Instant(milliseconds: end), now)
    guard from >= now - Self.reach(isSandbox: request.call.isSandbox) else { throw .startDateTooFarInPast }
    if body.transactionId != nil, body.notificationType != nil { throw .multipleFiltersSupplied }
    transactionID = body.transactionId
    type = try Self.type(body.notificationType)
    subtype = try Self.subtype(body.notificationSubtype, of: type)
    onlyFailures = body.onlyFailures ?? false
    token = try Self.token(request.values("paginationToken").last)
  }

  /// Returns the milliseconds that the history goes back.
  static func reach(isSandbox: Bool) -> Int64 { (isSandbox ? 30 : 180) * Milliseconds.day }

  private static func type(_ text: String?) throws(FakeServerAPIError) -> NotificationType? {
    guard let text else { return nil }
    guard let type = NotificationType(rawValue: text) else { throw .invalidNotificationType }
    return type
  }

  private static func subtype(
    _ text: String?, of type: NotificationType?
  ) throws(FakeServerAPIError) -> NotificationSubtype? {
    guard let text else { return nil }
    guard let subtype = NotificationSubtype(rawValue: text), let type, type.subtypes.contains(subtype) else {
      throw .invalidNotificationType
    }
    return subtype
  }

  private static func token(_ text: String?) throws(FakeServerAPIError) -> NotificationAgenda.Key? {
    guard let text else { return nil }
    let numbers = text.split(separator: "_", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 3, let at = numbers[0], let index = numbers[1].flatMap({ Int(exactly: $0) }),
      let order = numbers[2].flatMap({ Int(exactly: $0) })
    else { throw .invalidPaginationToken }
    return NotificationAgenda.Key(at: Instant(milliseconds: at), index: index, order: order)
  }
}

extension NotificationAgenda.Key {
  /// Key as a pagination token.
  var text: String { "\(at.rawValue)_\(index)_\(order)" }
}

/// Notifications of a population as they would be posted, without a server. They are signed by a separate
/// certificate authority.
public struct FakeNotifications: Sendable {
  private let centre: NotificationCentre

  /// Generates the keys; `nil` if libcrypto fails.
  public init?(of population: FakePopulation) {
    guard let signer = FakeSigner() else { return nil }
    centre = NotificationCentre(population, signer: signer, log: nil)
  }

  /// Root certificate of the signatures, in PEM.
  public var rootCertificatePEM: String { centre.signer.authority.root.pem }

  /// Returns the bodies of notifications after `from` and up to `until`, oldest first and generated lazily.
  public func bodies(after from: Instant, upTo until: Instant) -> some Sequence<[UInt8]> {
    let key = NotificationAgenda.Key(at: from, index: .max, order: 0)
    return centre.agenda.entries(after: key, upTo: until).lazy.map { centre.payload(of: $0).body }
  }
}
