import FoundationEssentials
import Subscriptions

extension NotificationCentre {
  /// Answers *App Store Server API › Get Notification History* for one app and environment, oldest first.
  func history(
    _ request: ServerAPIRequest, for app: BundleID, at now: Instant
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
      .filter { !$0.attempts.isEmpty && !(query.filters.onlyFailures == true && $0.attempts.isDelivered) }
    let page = Array(found.prefix(HistoryPage.size + 1))
    let (hasMore, shown) = (page.count > HistoryPage.size, page.prefix(HistoryPage.size))
    let items = shown.map { JSON.sent(signedPayload(of: $0.event), $0.attempts) }
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
    guard let text = query.filters.transactionId else { return events(after: first, upTo: query.until) }
    guard let id = FakeID(text) else { throw .invalidTransactionID }
    guard id.index < population.count, id.isSandbox == isSandbox else { return [] }
    return population[id.index].events(upTo: query.until).filter { $0.place > first }[...]
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
  let filters: Filters
  let from: Instant
  let until: Instant
  /// Last event of the previous page.
  let token: LifeEvent.Place?

  struct Filters: Decodable {
    var startDate: Int64?
    var endDate: Int64?
    var notificationType: String?
    var notificationSubtype: String?
    var onlyFailures: Bool?
    var transactionId: String?
  }

  init(_ request: ServerAPIRequest, at now: Instant) throws(FakeServerAPIError) {
    guard let filters = try? JSONDecoder().decode(Filters.self, from: Data(request.body)) else {
      throw .generalBadRequest
    }
    self.filters = filters
    guard let start = filters.startDate, start > 0 else { throw .invalidStartDate }
    guard let end = filters.endDate, end > 0 else { throw .invalidEndDate }
    guard start < end else { throw .startDateAfterEndDate }
    (from, until) = (Instant(milliseconds: start), min(Instant(milliseconds: end), now))
    let days: Int64 = request.isSandbox ? 30 : 180
    guard from >= now - days * Milliseconds.day else { throw .startDateTooFarInPast }
    if filters.transactionId != nil, filters.notificationType != nil { throw .multipleFiltersSupplied }
    let subtypes = filters.notificationType.map { LifeEvent.subtypes[$0] } ?? []
    guard let subtypes, filters.notificationSubtype.map(subtypes.contains) ?? true else {
      throw .invalidNotificationType
    }
    let text = request.values("paginationToken").last
    token = text.flatMap(LifeEvent.Place.init)
    if text != nil, token == nil { throw .invalidPaginationToken }
  }

  func includes(_ news: LifeNews) -> Bool {
    (filters.notificationType ?? news.type) == news.type
      && (filters.notificationSubtype.map { $0 == news.subtype } ?? true)
  }
}
