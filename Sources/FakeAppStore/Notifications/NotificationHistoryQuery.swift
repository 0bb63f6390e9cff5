import FoundationEssentials
import Subscriptions

/// What a request for the notification history asks for: *App Store Server API › NotificationHistoryRequest*.
struct NotificationHistoryQuery: Sendable {
  let from: Instant
  let until: Instant
  let type: NotificationType?
  let subtype: NotificationSubtype?
  let onlyFailures: Bool
  /// The customer's whose notifications are wanted; nil is everybody.
  let transactionID: String?
  /// Where the page before ended.
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

  /// How far back the history goes.
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
  /// As a pagination token.
  var text: String { "\(at.rawValue)_\(index)_\(order)" }
}
