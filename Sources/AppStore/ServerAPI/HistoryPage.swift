/// A page of a customer's transactions: *App Store Server API › HistoryResponse*.
public struct HistoryPage: Sendable {
  /// What to ask with for what comes after, in this answer or a later one.
  public let revision: String?
  public let hasMore: Bool
  /// As Apple signed them, the last modified one last. One may come twice, when it was modified between two pages.
  public let transactions: [String]

  /// Rows of a page, of which Apple sends 20.
  static let mostRows = 200

  private struct Wire: Decodable {
    var revision: String?
    var hasMore: Bool?
    var signedTransactions: [String]?
  }

  public init(decoding body: [UInt8]) throws(UnreadableAnswer) {
    let wire = try ServerAPIBody.decode(Wire.self, from: body, as: "a HistoryResponse")
    revision = try wire.revision.map { (text) throws(UnreadableAnswer) in
      try ServerAPIBody.checked(text, "revision", atMost: FieldLimits.revision)
    }
    hasMore = wire.hasMore ?? false
    transactions = try ServerAPIBody.rows(
      wire.signedTransactions ?? [], "signedTransactions", atMost: Self.mostRows)
  }
}
