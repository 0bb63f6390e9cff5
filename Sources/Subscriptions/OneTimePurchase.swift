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
