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
    let (purchase, seen) = (bought.transaction, bought.sighting)
    func event(
      _ type: LineEvent.Kind, _ apple: String, reason: String?, at: Instant, seen: Instant?
    ) -> LineEvent {
      var event = LineEvent(
        type, apple: apple, reason: reason, environment: environment, chain: originalTransactionID,
        transaction: purchase.transactionID, product: purchase.productID, effectiveAt: at,
        observedAt: seen ?? at)
      event.isFamilyShare = purchase.inAppOwnershipType.isShared
      event.move(purchase.oneTimePrice, purchase.terms)
      return event
    }
    let bought = event(
      .nonRenewingPurchase, "ONE_TIME_CHARGE", reason: nil, at: purchase.purchaseDate, seen: seen?.first)
    guard let cancelled = purchase.cancellationDate else { return [bought] }
    return [
      bought,
      bought.isFamilyShare
        ? event(.revoke, "REVOKE", reason: nil, at: cancelled, seen: seen?.latest)
        : event(.cancellation, "REFUND", reason: "CUSTOMER_SUPPORT", at: cancelled, seen: seen?.latest),
    ]
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
