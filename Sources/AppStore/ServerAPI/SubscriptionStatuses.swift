/// The newest transaction and the next renewal of each of a customer's subscriptions: *App Store Server API › StatusResponse*.
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
    let wire = try ServerAPIBody.decode(Wire.self, from: body, as: "a StatusResponse")
    let items = (wire.data ?? []).flatMap { $0.lastTransactions ?? [] }
    let most = FieldLimits.renewalInfosPerAnswer
    transactions = try ServerAPIBody.rows(
      items.compactMap(\.signedTransactionInfo.unlessEmpty), "signedTransactionInfo", atMost: most)
    renewalInfos = try ServerAPIBody.rows(
      items.compactMap(\.signedRenewalInfo.unlessEmpty), "signedRenewalInfo", atMost: most)
  }
}
