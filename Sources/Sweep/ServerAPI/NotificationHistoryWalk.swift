import AppStore
import Subscriptions

/// Reads the notifications that Apple tried to send for an app in an environment, the oldest first, so that
/// an interrupted walk can be continued (*App Store Server API › Get Notification History*).
public final class NotificationHistoryWalk: Sendable {
  /// Returns Apple's retention of the history in milliseconds: 180 days in production, 30 in the sandbox.
  public static func longest(in environment: StoreEnvironment) -> Int64 {
    (environment == .sandbox ? 30 : 180) * Milliseconds.day
  }

  static let window = 15 * Milliseconds.day
  static let tries = 5
  /// Maximum number of pages in a window: two million notifications at 20 per page.
  static let mostPages = 100_000

  private let app: BundleID
  private let key: ServerAPIKey
  private let endpoint: AppStoreEndpoint
  private let onlyFailures: Bool
  private let limits: TransferLimits

  public init(
    of app: BundleID, in environment: StoreEnvironment, key: ServerAPIKey, options: SweepOptions,
    onlyFailures: Bool
  ) {
    (self.app, self.key, self.onlyFailures) = (app, key, onlyFailures)
    endpoint = options.serverAPI(of: environment)
    limits = options.limits
  }

  /// Reads the notifications of an interval, and returns their number.
  ///
  /// - Parameter take: Receives each page: its items, the end of its window, and whether it is the window's
  ///   last page.
  public func run(
    from start: Instant, until end: Instant,
    take: (_ items: [NotificationHistoryPage.Item], _ windowEnd: Instant, _ isLast: Bool) throws -> Void
  ) throws -> Int {
    var count = 0
    var from = start
    while from < end {
      let until = min(from + Self.window, end)
      do {
        count += try walk(from, until, take)
      } catch NotificationHistoryProblem.refused(let error) where error.meaning == .tooEarly {
        // Apple keeps slightly less than documented, so the walk starts a day later.
        from = from + Milliseconds.day
        continue
      }
      from = until
    }
    return count
  }

  private func walk(
    _ from: Instant, _ until: Instant, _ take: ([NotificationHistoryPage.Item], Instant, Bool) throws -> Void
  ) throws -> Int {
    var (token, count, pages, restarts) = (String?.none, 0, 0, 0)
    while true {
      let page: NotificationHistoryPage
      do {
        page = try self.page(from, until, token)
      } catch NotificationHistoryProblem.refused(let error)
        where error.meaning == .staleToken && token != nil && restarts < Self.tries
      {
        // Notifications from earlier pages are stored already, and are recognized by their ids.
        (token, restarts, count) = (nil, restarts + 1, 0)
        continue
      }
      let next = page.hasMore ? page.paginationToken : nil
      pages += 1
      guard !page.hasMore || (next != nil && next != token && pages < Self.mostPages) else {
        throw NotificationHistoryProblem.endless
      }
      try take(page.items, until, next == nil)
      count += page.items.count
      guard let next else { return count }
      token = next
    }
  }

  private func page(_ from: Instant, _ until: Instant, _ token: String?) throws -> NotificationHistoryPage {
    let failures = onlyFailures ? #","onlyFailures":true"# : ""
    let body = #"{"startDate":\#(from.rawValue),"endDate":\#(until.rawValue)\#(failures)}"#
    let query = token.map { "?paginationToken=" + PercentEncoding.of($0) } ?? ""
    let answer: HTTPAnswer
    do {
      answer = try SingleTransfer.run(
        limits,
        until: { answer in
          [200, 401].contains(answer.status)
            || ServerAPIError(decoding: answer.body).map { $0.meaning != .retry } == true
        }, { try transfer("/inApps/v1/notifications/history" + query, Array(body.utf8)) })
    } catch let error as TransportError {
      throw error.isUnreachable
        ? NotificationHistoryProblem.unreachable(error.description)
        : NotificationHistoryProblem.unavailable(error.description)
    }
    if answer.status == 200 { return try NotificationHistoryPage(decoding: answer.body) }
    if answer.status == 401 {
      key.forgetToken(for: app)
      throw NotificationHistoryProblem.keyRefused(
        StoppedApp.RefusedKey(keyID: key.keyID, clockAheadMs: answer.date.map(key.ahead)))
    }
    let error = ServerAPIError(decoding: answer.body)
    if let error, error.meaning != .retry { throw NotificationHistoryProblem.refused(error) }
    throw NotificationHistoryProblem.unavailable(error?.description ?? "HTTP \(answer.status)")
  }

  private func transfer(_ path: String, _ body: [UInt8]) throws(SweepError) -> Transfer {
    guard let token = key.token(for: app) else {
      throw .transport("cannot sign a token for the Server API")
    }
    return Transfer(to: endpoint, path: path, body: SecretBytes(body), token: token)
  }
}

/// Error that ended a walk through the notification history early; earlier pages remain stored.
public enum NotificationHistoryProblem: Error, Hashable, Sendable {
  case keyRefused(StoppedApp.RefusedKey)
  case refused(ServerAPIError)
  case unreachable(String)
  case unavailable(String)
  /// The next page is missing or repeated, or there are too many pages.
  case endless
}
