/// A page of what Apple tried to send: *App Store Server API › NotificationHistoryResponse*.
public struct NotificationHistoryPage: Sendable {
  public let paginationToken: String?
  public let hasMore: Bool
  public let items: [Item]

  /// A notification with the attempts to send it.
  public struct Item: Sendable {
    /// The body as Apple posted it, or would have.
    public let signedPayload: String
    public let attempts: [SendAttempt]
  }

  /// *sendAttemptItem*.
  public struct SendAttempt: Codable, Hashable, Sendable {
    /// Milliseconds since 1970.
    public let attemptDate: Int64?
    /// `SUCCESS`, or why it failed, in Apple's words.
    public let sendAttemptResult: String?
  }

  private struct Wire: Decodable {
    var paginationToken: String?
    var hasMore: Bool?
    var notificationHistory: [WireItem]?

    struct WireItem: Decodable {
      var signedPayload: String?
      var sendAttempts: [SendAttempt]?
    }
  }

  public init(decoding body: [UInt8]) throws(UnreadableAnswer) {
    let wire = try ServerAPIBody.decode(Wire.self, from: body, as: "a NotificationHistoryResponse")
    paginationToken = try wire.paginationToken.map { (text) throws(UnreadableAnswer) in
      try ServerAPIBody.checked(text, "paginationToken", atMost: FieldLimits.revision)
    }
    hasMore = wire.hasMore ?? false
    items = (wire.notificationHistory ?? []).compactMap { item in
      item.signedPayload.map { Item(signedPayload: $0, attempts: item.sendAttempts ?? []) }
    }
  }
}
