import FoundationEssentials
import Subscriptions

extension NotificationCentre {
  /// Returns a page of notifications, oldest first: *App Store Server API › Get Notification History*.
  func history(
    _ request: ServerAPIRequest, for app: BundleID, at now: Instant
  ) throws(FakeServerAPIError) -> [UInt8] {
    let query = try NotificationHistoryQuery(request, at: now)
    let events = events(after: LifeEvent.Place(at: query.from, index: -1, order: 0), upTo: query.until)
    var rest = events
    if let token = query.token {
      guard let place = events.firstIndex(where: { $0.place == token }) else { throw .invalidPaginationToken }
      rest = events[(place + 1)...]
    }
    let found = rest.lazy.filter { event in
      let subscriber = self.population[event.place.index]
      return subscriber.isSandbox == request.isSandbox && subscriber.bundleID == app
    }.map { (event: $0, attempts: self.attempts(of: $0, upTo: now)) }
      .filter { !$0.attempts.isEmpty && !(query.onlyFailures && $0.attempts.isDelivered) }
    let page = Array(found.prefix(CustomerStatement.pageSize + 1))
    let (hasMore, shown) = (page.count > CustomerStatement.pageSize, page.prefix(CustomerStatement.pageSize))
    let items = shown.map { JSON.sent(signedPayload(of: $0.event), $0.attempts) }
    let answer: JSON = [
      "hasMore": .flag(hasMore), "paginationToken": hasMore ? JSON(shown.last?.event.place.text) : nil,
      "notificationHistory": .list(items),
    ]
    return answer.bytes
  }
}

extension JSON {
  static func sent(_ signedPayload: String, _ attempts: [NotificationAttempt]) -> JSON {
    let attempts = attempts.map { attempt -> JSON in
      ["attemptDate": JSON(attempt.date), "sendAttemptResult": .text(attempt.result)]
    }
    return ["signedPayload": .text(signedPayload), "sendAttempts": .list(attempts)]
  }
}

/// Query for the notification history: *App Store Server API › NotificationHistoryRequest*.
private struct NotificationHistoryQuery {
  let from: Instant
  let until: Instant
  let onlyFailures: Bool
  /// Last event of the previous page.
  let token: LifeEvent.Place?

  private struct Body: Decodable {
    var startDate: Int64?
    var endDate: Int64?
    var onlyFailures: Bool?
  }

  init(_ request: ServerAPIRequest, at now: Instant) throws(FakeServerAPIError) {
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)) else {
      throw .generalBadRequest
    }
    guard let start = body.startDate, start > 0 else { throw .invalidStartDate }
    guard let end = body.endDate, end > 0 else { throw .invalidEndDate }
    guard start < end else { throw .startDateAfterEndDate }
    (from, until) = (Instant(milliseconds: start), min(Instant(milliseconds: end), now))
    onlyFailures = body.onlyFailures ?? false
    let days: Int64 = request.isSandbox ? 30 : 180
    guard from >= now - days * Milliseconds.day else { throw .startDateTooFarInPast }
    let text = request.value("paginationToken")
    token = text.flatMap(LifeEvent.Place.init)
    if text != nil, token == nil { throw .invalidPaginationToken }
  }
}
