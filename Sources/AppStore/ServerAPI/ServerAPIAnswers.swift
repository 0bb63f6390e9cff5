import Subscriptions

/// Page of a customer's transactions: *App Store Server API › HistoryResponse*.
public struct HistoryPage: Sendable {
  /// Token for the next page, or for a later request.
  public let revision: String?
  public let hasMore: Bool
  /// Signed transactions, the last modified one last. One that was modified between two pages comes twice.
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
    /// Body of the notification as Apple posts it.
    public let signedPayload: String
    public let attempts: [SendAttempt]
  }

  /// Attempt to send a notification: *sendAttemptItem*.
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
  // SQLite would end the text at the NUL.
  if text.utf8.contains(0) { throw UnreadableAnswer(reason: "\(name) holds a NUL") }
  return text
}

/// Error of the Server API by its `errorCode`: *App Store Server API › Error codes*.
public struct ServerAPIError: Hashable, Sendable {
  public let code: Int

  /// Decodes an error; `nil` if the body is not one.
  public init?(decoding body: [UInt8]) {
    struct Wire: Decodable { var errorCode: Int? }
    guard body.count <= 64 << 10,
      let code = (try? StrictJSON.decode(Wire.self, from: body, as: "the error"))?.errorCode
    else { return nil }
    self.code = code
  }

  /// Consequence of an error for the client.
  public enum Meaning: Hashable, Sendable {
    /// This environment does not know the transaction; the other one may.
    case elsewhere
    case accountGone
    /// Permanent: asking again about this id will not help.
    case unknownID
    /// The token for the next page is no longer valid.
    case staleToken
    case tooEarly
    case retry
    /// A fault of the request itself.
    case puzzling
  }

  public var meaning: Meaning {
    switch code {
    case 4_040_010: .elsewhere
    case 4_040_001: .accountGone
    case 4_040_003, 4_040_005, 4_040_019, 4_000_006, 4_000_008, 4_000_048: .unknownID
    case 4_000_005, 4_000_014, 4_000_017: .staleToken
    case 4_000_012, 4_000_013, 4_000_015: .tooEarly
    case 4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001, 4_290_000: .retry
    default: .puzzling
    }
  }

  public var text: String { ServerAPIErrorWords.of(code) ?? "an error that subtop does not know" }
}

extension ServerAPIError: CustomStringConvertible {
  public var description: String { "\(code): \(text)" }
}
