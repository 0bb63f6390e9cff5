import Subscriptions

/// The body of a notification: *App Store Server Notifications › responseBodyV2DecodedPayload*.
struct NotificationPayload: Sendable {
  let entry: NotificationAgenda.Entry
  let subscriber: Subscriber
  let signer: FakeSigner

  /// The same at every attempt.
  var uuid: String {
    let number = UInt64(bitPattern: Int64(entry.news.transactionID.rawValue) ?? 0)
    let seed = subscriber.seed ^ UInt64(bitPattern: entry.news.at.rawValue) &* 0x9E37_79B9_7F4A_7C15
    var random = SplitMix64(
      seed: seed ^ SplitMix64.mixed(number), index: entry.order, stream: entry.news.type.number)
    return random.uuid()
  }

  /// What is posted. It tells how things stood when it happened, at whichever attempt.
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

  /// A refund has been seen to say 1 while the period ran.
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
