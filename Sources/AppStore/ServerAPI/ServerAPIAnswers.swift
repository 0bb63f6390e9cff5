/// Page of a customer's transactions: *App Store Server API › HistoryResponse*.
public struct HistoryPage: Sendable {
  /// Token for the next page, or for a later request.
  public let revision: String?
  public let hasMore: Bool
  /// Signed transactions, the last modified one last. One that was modified between two pages comes twice.
  public let transactions: [String]

  /// Rows that a page may have. Apple sends 20.
  static let mostRows = 200

  private struct Wire: Decodable {
    var revision: String?
    var hasMore: Bool?
    var signedTransactions: [String]?
  }

  public init(decoding body: [UInt8]) throws(UnreadableAnswer) {
    let wire: Wire = try StrictJSON.decode(from: body, as: "the answer")
    revision = try ServerAPILimits.token(wire.revision, "revision")
    hasMore = wire.hasMore ?? false
    transactions = try ServerAPILimits.rows(
      wire.signedTransactions ?? [], "signedTransactions", atMost: Self.mostRows)
  }
}

/// Newest transaction and next renewal of each subscription: *App Store Server API › StatusResponse*.
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
    let most = FieldLimits.renewalInfosPerAnswer
    transactions = try ServerAPILimits.rows(
      items.compactMap(\.signedTransactionInfo.unlessEmpty), "signedTransactionInfo", atMost: most)
    renewalInfos = try ServerAPILimits.rows(
      items.compactMap(\.signedRenewalInfo.unlessEmpty), "signedRenewalInfo", atMost: most)
  }
}

/// Page of the notifications that Apple tried to send: *App Store Server API › NotificationHistoryResponse*.
public struct NotificationHistoryPage: Sendable {
  public let paginationToken: String?
  public let hasMore: Bool
  public let items: [Item]

  public struct Item: Sendable {
    /// Body of the notification as Apple posts it.
    public let signedPayload: String
    public let attempts: [SendAttempt]
  }

  /// *sendAttemptItem*.
  public struct SendAttempt: Codable, Hashable, Sendable {
    /// Milliseconds since 1970.
    public let attemptDate: Int64?
    /// `SUCCESS`, or the reason of the failure in Apple's words.
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
    paginationToken = try ServerAPILimits.token(wire.paginationToken, "paginationToken")
    hasMore = wire.hasMore ?? false
    items = (wire.notificationHistory ?? []).compactMap { item in
      item.signedPayload.map { Item(signedPayload: $0, attempts: item.sendAttempts ?? []) }
    }
  }
}

private enum ServerAPILimits {
  static func token(_ text: String?, _ name: String) throws(UnreadableAnswer) -> String? {
    guard let text else { return nil }
    return try checked(text, name, atMost: FieldLimits.revision)
  }

  /// Checks rows. Their signatures are verified one by one later, so one that is cut short is refused alone.
  static func rows(
    _ texts: [String], _ name: String, atMost most: Int
  ) throws(UnreadableAnswer) -> [String] {
    guard texts.count <= most else {
      throw UnreadableAnswer(reason: "\(name) has more than \(most) elements")
    }
    for text in texts { _ = try checked(text, name, atMost: FieldLimits.signedRow) }
    return texts
  }

  private static func checked(
    _ text: String, _ name: String, atMost most: Int
  ) throws(UnreadableAnswer) -> String {
    if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: most) {
      throw UnreadableAnswer(reason: "\(name) \(breach)")
    }
    // SQLite would end the text at the NUL.
    if text.utf8.contains(0) { throw UnreadableAnswer(reason: "\(name) holds a NUL") }
    return text
  }
}
