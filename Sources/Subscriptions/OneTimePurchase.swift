/// A consumable, non-consumable or non-renewing purchase: outside every subscription figure.
public struct OneTimePurchase: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var users: Set<AppUserID>
  public var transaction: Transaction

  init(chain: Chain, transaction: Transaction) {
    environment = chain.environment
    users = chain.users
    self.transaction = transaction
  }
}

extension Transaction {
  /// What Apple signed that a purchase which does not renew cost; the catalogue tells no price of these. Nil of shared ones.
  public var oneTimePrice: Money? { inAppOwnershipType.isShared ? nil : terms?.price }

  /// What of that was given back where it was not all of it.
  public var oneTimePartialRefund: Money? {
    oneTimePrice.flatMap { terms?.partialRefund(of: $0, cancelled: cancellationDate) }
  }
}
