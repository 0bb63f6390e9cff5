import Subscriptions

/// Something that happens in a life, of which the store notifies the app.
struct LifeNews: Hashable, Sendable {
  let at: Instant
  let type: NotificationType
  var subtype: NotificationSubtype?
  /// The row that it is about.
  let transactionID: TransactionID
}

extension Life {
  /// Everything up to the instant that this life was drawn to, the oldest first. Of one instant's the order is always the same.
  func news(upTo t: Instant) -> [LifeNews] {
    let all = lines.flatMap(\.news) + oneTime.flatMap(\.news)
    return all.filter { $0.at <= t }.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }.map(\.element)
  }
}

extension Subscriber {
  /// Of an account that was deleted nothing is told any more.
  func news(upTo t: Instant) -> [LifeNews] {
    let end = accountGoneFrom.map { min($0 - 1, t) } ?? t
    return Life(of: self, until: end).news(upTo: end)
  }
}

extension LifeRow {
  /// Of a one-time purchase.
  fileprivate var news: [LifeNews] {
    let id = transaction.transactionID
    let bought = LifeNews(at: visibleFrom, type: .oneTimeCharge, transactionID: id)
    guard transaction.cancellationDate != nil else { return [bought] }
    return [bought, LifeNews(at: cancelledFrom, type: .refund, transactionID: id)]
  }
}
