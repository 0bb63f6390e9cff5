import Subscriptions

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
    return AppleJSONWriter.object(capacity: 400 + page.count * 20_000) { writer in
      let hasMore = page.count > HistoryPage.size
      let shown = page.prefix(HistoryPage.size)
      writer.value("hasMore", hasMore)
      if hasMore { writer.member("paginationToken", shown.last?.payload.entry.key.text) }
      writer.openArray("notificationHistory")
      for (payload, attempts) in shown {
        writer.openElement()
        writer.sent(forge(payload.signedPayload), attempts)
        writer.closeObject()
      }
      writer.closeArray()
    }
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
    return AppleJSONWriter.object(capacity: 120) { $0.member("testNotificationToken", token) }
  }

  /// *App Store Server API › Get Test Notification Status*.
  func testStatus(_ token: String) throws(FakeServerAPIError) -> [UInt8] {
    guard token.contains("_") else { throw .invalidTestNotificationToken }
    guard let (signedPayload, attempts) = test(token) else { throw .testNotificationNotFound }
    return AppleJSONWriter.object(capacity: 8000) { $0.sent(signedPayload, attempts) }
  }
}

extension AppleJSONWriter {
  fileprivate mutating func sent(_ signedPayload: String, _ attempts: [NotificationAttempt]) {
    member("signedPayload", signedPayload)
    openArray("sendAttempts")
    for attempt in attempts {
      openElement()
      value("attemptDate", attempt.date)
      member("sendAttemptResult", attempt.result.rawValue)
      closeObject()
    }
    closeArray()
  }
}
