import FoundationEssentials
import Subscriptions

/// Server API endpoints for notifications.
extension NotificationCentre {
  /// *App Store Server API › Get Notification History*, for one app and environment, oldest first.
  ///
  /// - Parameter forge: modifies each signed payload, for faults.
  func history(
    _ request: ServerAPIRequest, for app: BundleID, at now: Instant, _ forge: (String) -> String
  ) throws(FakeServerAPIError) -> [UInt8] {
    let query = try NotificationHistoryQuery(request, at: now)
    let events = try events(query, isSandbox: request.isSandbox)
    var rest = events
    if let token = query.token {
      guard let place = events.firstIndex(where: { $0.place == token }) else { throw .invalidPaginationToken }
      rest = events[(place + 1)...]
    }
    let found = rest.lazy.filter { event in
      let subscriber = self.population[event.place.index]
      return query.includes(event.news) && subscriber.isSandbox == request.isSandbox
        && subscriber.bundleID == app
    }.map { (event: $0, attempts: self.attempts(of: $0, upTo: now)) }
      .filter { !$0.attempts.isEmpty && !(query.onlyFailures && $0.attempts.isDelivered) }
    let page = Array(found.prefix(HistoryPage.size + 1))
    let (hasMore, shown) = (page.count > HistoryPage.size, page.prefix(HistoryPage.size))
    let items = shown.map { JSON.sent(forge(signedPayload(of: $0.event)), $0.attempts) }
    let answer: JSON = [
      "hasMore": .flag(hasMore), "paginationToken": hasMore ? JSON(shown.last?.event.place.text) : nil,
      "notificationHistory": .list(items),
    ]
    return answer.bytes
  }

  private func events(
    _ query: NotificationHistoryQuery, isSandbox: Bool
  ) throws(FakeServerAPIError) -> ArraySlice<LifeEvent> {
    let first = LifeEvent.Place(at: query.from, index: -1, order: 0)
    guard let text = query.transactionID else { return events(after: first, upTo: query.until) }
    guard let id = FakeID(text) else { throw .invalidTransactionID }
    guard id.index < population.count, id.isSandbox == isSandbox else { return [] }
    return population[id.index].events(upTo: query.until).filter { $0.place > first }[...]
  }

  /// *App Store Server API › Request a Test Notification*.
  func test(
    for app: BundleID, _ request: ServerAPIRequest, at now: Instant
  ) throws(FakeServerAPIError) -> [UInt8] {
    guard let token = makeTest(for: app, isSandbox: request.isSandbox, at: now) else {
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
private struct NotificationHistoryQuery {
  let from: Instant
  let until: Instant
  let type: String?
  let subtype: String?
  let onlyFailures: Bool
  /// Transaction id of the customer; `nil` for all customers.
  let transactionID: String?
  /// Last event of the previous page.
  let token: LifeEvent.Place?

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
    let days: Int64 = request.isSandbox ? 30 : 180
    guard from >= now - days * Milliseconds.day else { throw .startDateTooFarInPast }
    if body.transactionId != nil, body.notificationType != nil { throw .multipleFiltersSupplied }
    (transactionID, type, subtype) = (body.transactionId, body.notificationType, body.notificationSubtype)
    let subtypes = type.map { LifeEvent.subtypes[$0] } ?? []
    guard let subtypes, subtype.map(subtypes.contains) ?? true else { throw .invalidNotificationType }
    onlyFailures = body.onlyFailures ?? false
    let text = request.values("paginationToken").last
    token = text.flatMap(LifeEvent.Place.init)
    if text != nil, token == nil { throw .invalidPaginationToken }
  }

  func includes(_ news: LifeNews) -> Bool {
    (type.map { $0 == news.type } ?? true) && (subtype.map { $0 == news.subtype } ?? true)
  }
}
