import Subscriptions
import Synchronization

/// Body of a notification: *App Store Server Notifications › responseBodyV2DecodedPayload*.
struct NotificationPayload: Sendable {
  let entry: NotificationAgenda.Entry
  let subscriber: Subscriber
  let signer: FakeSigner

  /// `notificationUUID`, which is the same at every attempt.
  var uuid: String {
    let number = UInt64(bitPattern: Int64(entry.news.transactionID.rawValue) ?? 0)
    let seed = subscriber.seed ^ UInt64(bitPattern: entry.news.at.rawValue) &* 0x9E37_79B9_7F4A_7C15
    var random = SplitMix64(
      seed: seed ^ SplitMix64.mixed(number), index: entry.order, stream: entry.news.type.number)
    return random.uuid()
  }

  /// Request body. It contains the state at the event, even in a later attempt.
  var body: [UInt8] { Self.body(signedPayload) }

  var signedPayload: String { signer.sign(json) }

  static func body(_ signedPayload: String) -> [UInt8] {
    JSON.object([("signedPayload", .text(signedPayload))]).bytes
  }

  private var json: [UInt8] {
    let news = entry.news
    let statement = CustomerStatement(subscriber, at: news.at, signer: signer)
    let row = statement.row(of: news.transactionID.rawValue)
    let line = statement.life.lines.first {
      $0.customer.originalTransactionID == row?.transaction.originalTransactionID
    }
    let data =
      JSON.app(subscriber.bundleID, isSandbox: entry.isSandbox) + [
        ("bundleVersion", "431"), ("signedTransactionInfo", JSON(row.flatMap(statement.signed))),
        ("signedRenewalInfo", JSON(line.flatMap(statement.renewalInfo))),
        ("status", JSON(line.flatMap { status(of: $0) })),
      ]
    return JSON.notification(
      news.type, news.subtype, uuid: uuid, data: data, at: news.at)
  }

  /// `status` of the payload. Apple has been seen to send 1 with a refund if the period had not ended.
  private func status(of line: LineLife) -> Int64? {
    let at = entry.news.at
    if entry.news.type == .refund, let expires = line.current(at: at)?.expiresDate {
      return expires > at ? 1 : 2
    }
    return line.status(at: at)?.rawValue
  }
}

extension JSON {
  /// *App Store Server Notifications › responseBodyV2DecodedPayload*.
  static func notification(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, uuid: String, data: Members,
    at t: Instant
  ) -> [UInt8] {
    JSON.object([
      ("notificationType", JSON(type.rawValue)), ("subtype", JSON(subtype?.rawValue)),
      ("notificationUUID", .text(uuid)), ("data", .object(data)), ("version", "2.0"), ("signedDate", JSON(t)),
    ]).bytes
  }
}

extension NotificationType {
  fileprivate var number: UInt64 { UInt64(Self.allCases.firstIndex(of: self) ?? 0) }
}

/// Attempt to deliver a notification: *App Store Server API › sendAttemptItem*.
public struct NotificationAttempt: Sendable, Hashable {
  /// Outcome of an attempt: *App Store Server API › sendAttemptResult*.
  public enum Result: String, Sendable, Hashable {
    case success = "SUCCESS"
    case timedOut = "TIMED_OUT"
    case noResponse = "NO_RESPONSE"
    case socketIssue = "SOCKET_ISSUE"
    case prematureClose = "PREMATURE_CLOSE"
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
  }

  /// Date by the fake's clock.
  public let date: Instant
  public let result: Result

  /// Milliseconds from each failed attempt to the next. The sandbox makes only one attempt.
  static let delays = [1, 12, 24, 48, 72].map { $0 * Milliseconds.hour }
}

extension [NotificationAttempt] {
  var isDelivered: Bool { last?.result == .success }

  /// Returns the date of the next attempt; `nil` if there is none.
  func next(isSandbox: Bool) -> Instant? {
    guard !isSandbox, !isDelivered, let last, count <= NotificationAttempt.delays.count else { return nil }
    return last.date + NotificationAttempt.delays[count - 1]
  }
}

extension NotificationPayload {
  /// Returns generated attempts for the time before notifications were posted. Most succeed at once, some
  /// later, and a few never.
  func pastAttempts(upTo t: Instant) -> [NotificationAttempt] {
    var random = SplitMix64(
      seed: subscriber.seed ^ UInt64(bitPattern: entry.news.at.rawValue), index: entry.index, stream: 13)
    let share = random.unit()
    let failures = share < 0.95 ? 0 : share < 0.985 ? Int(random.between(1, 4)) : 6
    let reason =
      random.pick([NotificationAttempt.Result.unsuccessfulStatus, .timedOut, .noResponse]) ?? .other
    var attempts: [NotificationAttempt] = []
    var due: Instant? = entry.news.at + Milliseconds.second
    while let date = due, date <= t {
      attempts.append(
        NotificationAttempt(date: date, result: attempts.count < failures ? reason : .success))
      due = attempts.next(isSandbox: entry.isSandbox)
    }
    return attempts
  }
}

/// Record of the delivery attempts.
final class NotificationLog: Sendable {
  private struct State {
    var attempts: [String: [NotificationAttempt]] = [:]
    var count = 0
    var successes = 0
  }

  /// Start of posting. Attempts before it are generated.
  let since: Instant
  private let state = Mutex(State())

  init(since: Instant) { self.since = since }

  /// Records an attempt, and returns all attempts of the notification so far.
  func add(_ attempt: NotificationAttempt, of uuid: String) -> [NotificationAttempt] {
    state.withLock { state in
      state.count += 1
      if attempt.result == .success { state.successes += 1 }
      state.attempts[uuid, default: []].append(attempt)
      return state.attempts[uuid] ?? []
    }
  }

  func attempts(of uuid: String) -> [NotificationAttempt] { state.withLock { $0.attempts[uuid] ?? [] } }

  /// Number of attempts, and of successful attempts.
  var counts: (attempts: Int, successes: Int) { state.withLock { ($0.count, $0.successes) } }
}
