/// Consumable, non-consumable or non-renewing purchase, which no figure of subscriptions includes.
public struct OneTimePurchase: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var users: Set<AppUserID>
  public var transaction: Transaction

  public static func all(of chain: Chain) -> [OneTimePurchase] {
    chain.oneTime.map {
      OneTimePurchase(environment: chain.environment, users: chain.users, transaction: $0)
    }
  }
}

extension Transaction {
  /// Apple's signed price of a one-time purchase, never the catalog's; `nil` if unsigned, shared or assigned.
  public var oneTimePrice: Money? { self.inAppOwnershipType.isShared ? nil : self.terms?.price }

  public var oneTimePartialRefund: Money? {
    oneTimePrice.flatMap { self.terms?.partialRefund(of: $0, cancelled: cancellationDate) }
  }
}
