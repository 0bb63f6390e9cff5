extension Chain {
  /// What happened to the chain as a whole: purchases that do not renew, and its passing from one app user to another.
  ///
  /// Notifications are their lines', or stand here where the chain has no line.
  public var ownEvents: [LineEvent] {
    let purchases = oneTimePurchases
    let kept = purchases.duplicates
    let notifications = ownNotifications.map { notification in
      var notification = notification
      notification.transactionID = notification.transactionID.map { kept[$0] ?? $0 }
      return notification
    }
    return (purchases.flatMap(events(of:)) + transfers).merged(with: notifications) {
      LineEvent($0, product: $0.productID ?? ProductID(""), newProduct: $0.autoRenewProductID)
    }.located(by: purchases.map(\.transaction))
  }

  private func events(of bought: Purchase) -> [LineEvent] {
    let purchase = bought.transaction
    let start = PurchaseEvent(
      type: .nonRenewingPurchase, apple: "ONE_TIME_CHARGE", effectiveAt: purchase.purchaseDate,
      observedAt: bought.sighting?.first ?? purchase.purchaseDate)
    return ([start] + bought.endings(validatedAt: validatedAt)).map { told in
      var event = LineEvent(
        told.type, apple: told.apple, reason: told.reason, environment: environment,
        chain: originalTransactionID, transaction: purchase.transactionID, product: purchase.productID,
        effectiveAt: told.effectiveAt, observedAt: told.observedAt, observedAfter: told.observedAfter)
      event.isFamilyShare = purchase.inAppOwnershipType.isShared
      event.move(purchase.oneTimePrice, purchase.terms)
      return event
    }
  }

  /// Each further app user whose receipt holds the chain. Nobody knows when it happened, only when it was first seen.
  private var transfers: [LineEvent] {
    let order = holders.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value < $1.value }
    guard order.count > 1, let newest = transactions.max(by: Transaction.inOrder) else { return [] }
    return zip(order, order.dropFirst()).map { before, holder in
      var event = LineEvent(
        .transfer, apple: "", environment: environment, chain: originalTransactionID,
        product: newest.productID,
        effectiveAt: holder.value, observedAt: holder.value, observedAfter: before.value)
      event.appUserID = holder.key
      return event
    }
  }
}
