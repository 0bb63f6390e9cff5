import Subscriptions

/// Page of a customer's transactions: *App Store Server API › HistoryResponse*.
public struct HistoryPage: Sendable {
  /// Token that requests the next page or, after the last page, later changes.
  public let revision: String?
  public let hasMore: Bool
  /// Signed transactions by modification date; a row that changes between two requests may be on both pages.
  public let transactions: [String]

  private struct Wire: Decodable {
    var revision: String?
    var hasMore: Bool?
    var signedTransactions: [String]?
  }

  public init(decoding body: [UInt8]) throws(UnreadableAnswer) {
    let wire: Wire = try StrictJSON.decode(from: body, as: "the answer")
    revision = try checkedToken(wire.revision, "revision")
    hasMore = wire.hasMore ?? false
    transactions = wire.signedTransactions ?? []
  }
}

/// Newest transaction and renewal info of each subscription: *App Store Server API › StatusResponse*.
public struct SubscriptionStatuses: Sendable {
  public let transactions: [String]
  public let renewalInfos: [String]

  private struct Wire: Decodable {
    var data: [Group]?

    struct Group: Decodable {
      var lastTransactions: [Item]?
    }

    struct Item: Decodable {
      var signedTransactionInfo: String?
      var signedRenewalInfo: String?
    }
  }

  public init(decoding body: [UInt8]) throws(UnreadableAnswer) {
    let wire: Wire = try StrictJSON.decode(from: body, as: "the answer")
    let items = (wire.data ?? []).flatMap { $0.lastTransactions ?? [] }
    transactions = items.compactMap(\.signedTransactionInfo.unlessEmpty)
    renewalInfos = items.compactMap(\.signedRenewalInfo.unlessEmpty)
  }
}

/// Page of the notifications that Apple tried to send: *App Store Server API › NotificationHistoryResponse*.
public struct NotificationHistoryPage: Sendable {
  public let paginationToken: String?
  public let hasMore: Bool
  public let items: [Item]

  /// Notification with the attempts to send it: *notificationHistoryResponseItem*.
  public struct Item: Sendable {
    public let signedPayload: String
    public let attempts: [SendAttempt]
  }

  /// Attempt to send a notification: *sendAttemptItem*.
  public struct SendAttempt: Codable, Hashable, Sendable {
    /// Milliseconds since 1970.
    public let attemptDate: Int64?
    /// `SUCCESS`, or Apple's name for the failure.
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
    let wire: Wire = try StrictJSON.decode(from: body, as: "the answer")
    paginationToken = try checkedToken(wire.paginationToken, "paginationToken")
    hasMore = wire.hasMore ?? false
    items = (wire.notificationHistory ?? []).compactMap { item in
      item.signedPayload.map { Item(signedPayload: $0, attempts: item.sendAttempts ?? []) }
    }
  }
}

private func checkedToken(_ text: String?, _ name: String) throws(UnreadableAnswer) -> String? {
  guard let text else { return nil }
  if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: FieldLimits.revision) {
    throw UnreadableAnswer(reason: "\(name) \(breach)")
  }
  // SQLite would truncate the text at the NUL byte.
  if text.utf8.contains(0) { throw UnreadableAnswer(reason: "\(name) contains a NUL byte") }
  return text
}

extension ServerAPIError {
  public init?(decoding body: [UInt8]) {
    struct Wire: Decodable { var errorCode: Int? }
    guard body.count <= 64 << 10,
      let code = (try? StrictJSON.decode(Wire.self, from: body, as: "the error"))?.errorCode
    else { return nil }
    self.init(code: code)
  }
}
